/** The script as it is called, on made-up checkouts whose runners really call the core. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { runBounded } from './bounded.ts';

/** Instead of mocha: makes an app, without a key, and fails one test with the core's answer. */
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

/** Instead of the mocha of old releases: starts a core as their helpers do, with a setting, and ends it. */
const formerRunner = `#!${process.execPath}
const { copyFileSync, appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:net');
const { spawn } = require('node:child_process');
const report = process.argv.find((each) => each.startsWith('output=')).slice('output='.length);
const folder = process.env.INSTALL_PATH;
const started = folder + '/.started';
const until = async (holds) => { while (!holds()) await new Promise((go) => setTimeout(go, 20)); };
copyFileSync(folder + '/temp/config.yaml', folder + '/config.yaml');
appendFileSync(folder + '/config.yaml', 'access_token_validity: 7\\n');
const free = createServer().listen(0, 'localhost', async () => {
  const { port } = free.address();
  await new Promise((closed) => free.close(closed));
  const words = ['io.supertokens.Main', './', 'DEV', 'host=localhost', 'port=' + port, 'test_mode'];
  spawn('java', words, { cwd: folder, stdio: 'inherit' });
  await until(() => existsSync(started) && readdirSync(started).length === 1);
  const input = { userId: 'u', enableAntiCsrf: false, userDataInJWT: {}, userDataInDatabase: {} };
  const ask = async (at) => {
    const answer = await fetch('http://localhost:' + port + at, { method: 'POST', body: JSON.stringify(input) });
    const { accessToken } = await answer.json();
    return accessToken.expiry - accessToken.createdTime;
  };
  const lifetimes = [await ask('/recipe/session'), await ask('/appid-public/recipe/session')];
  process.kill(Number(readFileSync(started + '/' + readdirSync(started)[0], 'utf8')));
  await until(() => readdirSync(started).length === 0);
  const failure = { title: 'says', file: process.cwd() + '/test/jwt/x.test.js', err: { message: 'lifetimes ' + lifetimes } };
  writeFileSync(report, JSON.stringify({ passes: [], pending: [], failures: [failure] }));
});
`;

const packageOf = (version: string, test: string) => JSON.stringify({ version, scripts: { test } });

let checkout: string;
let formerCheckout: string;
beforeAll(async () => {
  checkout = await makeCheckout('ts-mocha', runner);
  await writeFile(path.join(checkout, 'package.json'), packageOf('24.0.2', 'npx ts-mocha'));
  await writeFile(path.join(checkout, 'test/hooks.js'), '');
  formerCheckout = await makeCheckout('mocha', formerRunner);
  await writeFile(path.join(formerCheckout, 'package.json'), packageOf('16.7.6', 'npx mocha'));
});
afterAll(async () => {
  for (const folder of [checkout, formerCheckout]) await rm(folder, { recursive: true, force: true });
});

async function makeCheckout(mocha: string, text: string): Promise<string> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'carryover-checkout-'));
  for (const folder of ['lib/ts/recipe', 'node_modules/.bin', 'test/jwt', 'test/empty'])
    await mkdir(path.join(root, folder), { recursive: true });
  await writeFile(path.join(root, 'test/jwt/made-up.test.js'), '');
  const program = path.join(root, 'node_modules/.bin', mocha);
  await writeFile(program, text);
  await chmod(program, 0o755);
  return root;
}

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const run = (...words: string[]) =>
  runBounded({
    file: process.execPath,
    arguments: [main, ...words],
    cwd: '/',
    environment: {},
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

test('a suite that starts its cores gets apps of this one, with its settings, and may end them', async () => {
  const { output } = await run(formerCheckout, '--only', 'jwt');
  expect(output).toMatch(/FAILED {2}test\/jwt\/x\.test\.js: says\n +lifetimes 7000,7000\n/);
});

test('a stop ends the suite and the core', async () => {
  const begun = Promise.withResolvers<{ runner: number; core: string }>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://test');
    begun.resolve({ runner: Number(searchParams.get('runner')), core: searchParams.get('core') ?? '' });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endless = await makeCheckout(
    'ts-mocha',
    `#!${process.execPath}
fetch('http://127.0.0.1:${port}/?runner=' + process.pid + '&core=' + process.env.SUPERTOKENS_CORE_PORT);
setInterval(() => undefined, 1000);
`,
  );
  await writeFile(path.join(endless, 'package.json'), packageOf('24.0.2', 'npx ts-mocha'));
  const child = spawn(process.execPath, [main, endless, '--only', 'jwt'], { stdio: 'ignore' });
  const closed = once(child, 'close');
  try {
    const { runner, core } = await begun.promise;
    await fetch(`http://127.0.0.1:${core}/hello`);
    child.kill('SIGTERM');
    expect(await closed).toEqual([130, null]);
    expect(() => process.kill(runner, 0)).toThrow('ESRCH');
    await expect(fetch(`http://127.0.0.1:${core}/hello`)).rejects.toThrow('fetch failed');
  } finally {
    child.kill('SIGKILL');
    server.close();
    await rm(endless, { recursive: true, force: true });
  }
});

test.each([
  [
    'a directory that is not in it',
    () => [checkout, '--only', 'empty'],
    /Not in the suite: empty\. There are: jwt/,
  ],
  [
    'another folder',
    () => ['/'],
    /\/ is no checkout of supertokens-node, supertokens-python or supertokens-golang/,
  ],
])('%s is refused before a core is started', async (_what, words, why) => {
  expect(await run(...words())).toMatchObject({ code: 2, output: expect.stringMatching(why) as string });
});
