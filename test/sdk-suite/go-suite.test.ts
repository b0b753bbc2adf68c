/** The runner of Go's suite, on a made-up checkout and with a made-up compiler. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Suite } from './suite.ts';
import { suiteOf } from './suites.ts';

/** Instead of a test program: it knows the name of the test, and the core's address. */
const program = `#!/bin/sh
case "$*" in
*TestPasses*) echo "$TEST_MODE $SUPERTOKENS_CORE_HOST:$SUPERTOKENS_CORE_PORT" > asked ;;
*TestSkips*) echo '--- SKIP: TestSkips (0.00s)' ;;
*) printf 'GET /users\\n    users_test.go:7: \\n        Error Trace: users_test.go:7\\n        Error: 2 is not 1\\n'; exit 1 ;;
esac
`;
/** Instead of the compiler: go test -c -o <program> . */
const compiler = `#!/bin/sh
test ! -e broken || { echo 'undefined: x'; exit 2; }
cp "$GO_PROGRAM" "$4"
`;

let checkout: string;
let suite: Suite;
const { PATH } = process.env;
beforeAll(async () => {
  checkout = await mkdtemp(path.join(os.tmpdir(), 'carryover-checkout-'));
  const write = (file: string, text: string) => writeFile(path.join(checkout, file), text);
  const folders = ['bin', 'supertokens', 'recipe/session/claims', 'recipe/jwt', 'recipe/none'];
  for (const folder of folders) await mkdir(path.join(checkout, folder), { recursive: true });
  await write('supertokens/constants.go', 'const VERSION = "0.25.2"\n');
  const tests = ['Passes', 'Skips', 'Fails'].map((name) => `func Test${name}(t *testing.T) {\n}\n`);
  await write(
    'recipe/session/claims/claims_test.go',
    `package claims\n\n${tests.join('\n')}func helper() {}\n`,
  );
  await write('recipe/jwt/jwt_test.go', 'func TestJwt(t *testing.T) {\n}\n');
  await write('recipe/jwt/broken', '');
  await write('program', program);
  await write('bin/go', compiler.replace('$GO_PROGRAM', path.join(checkout, 'program')));
  for (const file of ['program', 'bin/go']) await chmod(path.join(checkout, file), 0o755);
  process.env.PATH = `${path.join(checkout, 'bin')}:${PATH ?? ''}`;
  suite = await suiteOf(checkout);
});
afterAll(async () => {
  Object.assign(process.env, { PATH });
  await rm(checkout, { recursive: true, force: true });
});

const { signal } = new AbortController();
const part = { core: new URL('http://127.0.0.1:3567'), limitMs: 60_000, signal };

test('a checkout states its version and the packages that have tests', () => {
  expect(suite).toMatchObject({
    name: 'go',
    version: '0.25',
    corePort: 3567,
    directories: ['jwt', 'session/claims'],
  });
});

test('each test of a package has a result, and a failure the error that it states', async () => {
  const results = await suite.run({ ...part, directory: 'session/claims' });
  const file = 'recipe/session/claims/claims_test.go';
  const common = { directory: 'session/claims', file };
  expect(results).toEqual([
    { ...common, name: 'TestPasses', outcome: 'passed', error: '' },
    { ...common, name: 'TestSkips', outcome: 'skipped', error: expect.any(String) as string },
    {
      ...common,
      name: 'TestFails',
      outcome: 'failed',
      error: expect.stringMatching(/^ +users_test.go:7/) as string,
    },
  ]);
  const asked = await readFile(path.join(checkout, 'recipe/session/claims/asked'), 'utf8');
  expect(asked).toBe('testing localhost:3567\n');
});

test('a package that does not compile is one failure, and so is what is left at the end of the time', async () => {
  expect(await suite.run({ ...part, directory: 'jwt' })).toMatchObject([
    { directory: 'jwt', name: 'ended without results', outcome: 'failed', error: 'undefined: x\n' },
  ]);
  expect(await suite.run({ ...part, directory: 'session/claims', limitMs: 0 })).toMatchObject([
    { name: 'ended after its time', outcome: 'failed' },
  ]);
});
