/** The script as it is called, on made-up checkouts whose runners really ask the core. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { runBounded } from './bounded.ts';

/** In place of mocha: makes an app, without a key, and fails one test with what the core said. */
const runner = `#!${process.execPath}
const { writeFileSync } = require('node:fs');
const report = process.argv.find((each) => each.startsWith('output=')).slice('output='.length);
const files = process.argv.filter((each) => each.endsWith('.test.js'));
const { SUPERTOKENS_CORE_HOST: host, SUPERTOKENS_CORE_PORT: port } = process.env;
const coreConfig = { access_token_dynamic_signing_key_update_interval: '0.001' };
fetch('http://' + host + ':' + port + '/recipe/multitenancy/app/v2', {
  method: 'PUT',
  body: JSON.stringify({ appId: 'a1', coreConfig }),
}).then(async (answer) => {
  const test = (title, message) => ({ title, file: process.cwd() + '/' + files[0], err: { message } });
  const failures = [test('says', await answer.text()), test('asks far', 'getaddrinfo ENOTFOUND far.test')];
  writeFileSync(report, JSON.stringify({ passes: [test('passes')], pending: [], failures }));
});
`;

let checkout: string;
beforeAll(async () => {
  checkout = await mkdtemp(path.join(os.tmpdir(), 'carryover-checkout-'));
  for (const folder of ['lib/ts/recipe', 'node_modules/.bin', 'test/jwt', 'test/empty'])
    await mkdir(path.join(checkout, folder), { recursive: true });
  await writeFile(path.join(checkout, 'test/jwt/made-up.test.js'), '');
  const mocha = path.join(checkout, 'node_modules/.bin/ts-mocha');
  await writeFile(mocha, runner);
  await chmod(mocha, 0o755);
});
afterAll(() => rm(checkout, { recursive: true, force: true }));

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const run = (...words: string[]) =>
  runBounded({
    ...{ file: process.execPath, arguments: [main, ...words], cwd: '/', environment: {} },
    limitMs: 120_000,
  });

test('a suite runs against a core without keys, in test mode, and its results are judged', async () => {
  const { output, code } = await run(checkout, '--only', 'jwt');
  expect(output).toMatch(/^jwt +1 of 3 passed$/m);
  expect(output).toMatch(/^jwt +1 +0 +1 +1 +0$/m);
  expect(output).toMatch(
    /FAILED {2}test\/jwt\/made-up\.test\.js: says\n +\{"status":"OK","createdNew":true\}/,
  );
  expect(code).toBe(1);
});

test.each([
  [
    'a directory that is not in it',
    () => [checkout, '--only', 'empty'],
    /Not in the suite: empty\. There are: jwt/,
  ],
  ['another folder', () => ['/'], /\/ is no checkout of supertokens-node or supertokens-python/],
])('%s is refused before a core is started', async (_what, words, why) => {
  expect(await run(...words())).toMatchObject({ code: 2, output: expect.stringMatching(why) as string });
});
