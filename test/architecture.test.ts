import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { breaches, type Dependencies, featureOf } from './helpers/architecture-rules.ts';
import { importsOfFeature, typesWithoutFeatures } from './helpers/without-feature.ts';
import { readModule, readModules } from './helpers/import-graph.ts';
import { upwardImports } from './helpers/tree-rules.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Dependencies;
const modules = readModules(root, ['src', 'workers']);

describe('the code of src/ and workers/', () => {
  test('imports one way only, through one door each, and does nothing by being imported', () => {
    expect(breaches(modules, packages)).toEqual([]);
  });

  test('runs one way within the command', () => {
    expect(upwardImports(modules)).toEqual([]);
  });

  test('was read: every file, and imports of each sort', () => {
    expect(modules.map((module) => module.path)).toEqual(
      expect.arrayContaining(['src/main.ts', 'src/http/routes/users/users.ts', 'workers/password.ts']),
    );
    const edges = modules.flatMap(({ imports }) => imports);
    expect(edges.some(({ typeOnly }) => typeOnly)).toBe(true);
    expect(edges.map(({ target }) => target)).toEqual(
      expect.arrayContaining(['postgres', 'src/domain/errors.ts']),
    );
  });

  test('can be imported whole: nothing is printed, opened or left running', async () => {
    const files = modules.map((module) => module.path).filter((file) => !/^src\/(main|cli)\.ts$/.test(file));
    const script = `for (const file of ${JSON.stringify(files)}) await import('${root}' + file)`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      {
        cwd: root,
        env: { PATH: process.env.PATH },
      },
    );
    expect([stdout, stderr]).toEqual(['', '']);
  });
});

describe('features', () => {
  const names = [...new Set(modules.flatMap(({ path: file }) => featureOf(file) ?? []))];

  test('are there', () => {
    expect(names).toContain('totp');
  });

  test.each(names)('%s can be deleted with its line in the list: no other file imports it', (name) => {
    expect(importsOfFeature(modules, name)).toEqual([]);
  });

  test('can all be deleted: the rest has its types', () => {
    expect(typesWithoutFeatures(root, modules)).toEqual([]);
  });
});

/** The breaches in a project that consists of these files. */
function said(files: Readonly<Record<string, string>>, declared: Dependencies = packages): string[] {
  return breaches(
    Object.entries(files).map(([file, text]) => readModule(file, text)),
    declared,
  );
}

describe('the rules bite', () => {
  test.each([
    [
      'the client that knows a command',
      'src/cli/client/tus.ts',
      '../commands/import.ts',
      'move what both need down',
    ],
    [
      'a command that nothing orders',
      'src/cli/helpers/text.ts',
      '../output/format.ts',
      'a place in commandOrder',
    ],
    ['what nothing orders', 'src/cli/output/format.ts', '../helpers/text.ts', 'a place in commandOrder'],
  ])('%s', (_what, file, specifier, cure) => {
    expect(upwardImports([readModule(file, `import { x } from '${specifier}';`)])).toEqual([
      expect.stringContaining(cure),
    ]);
  });

  test('a command may import the client, and its neighbour', () => {
    const text = "import { x } from '../client/tus.ts'; import { y } from './command.ts';";
    expect(upwardImports([readModule('src/cli/commands/import.ts', text)])).toEqual([]);
  });

  test.each([
    ['a domain that knows a layer', 'src/domain/user.ts', '../store/store.ts', 'domain may import'],
    ['hashes/ that computes', 'src/hashes/recognise.ts', './verify/bcrypt.ts', 'belongs to workers/'],
    [
      'an operation that knows the store',
      'src/operations/users/users.ts',
      '../../store/store.ts',
      'operations/ports',
    ],
    [
      'an operation that knows HTTP',
      'src/operations/users/users.ts',
      '../../http/response/replies.ts',
      'operations/ports',
    ],
    [
      'an operation that knows the pool',
      'src/operations/users/users.ts',
      '../../threads/password-pool.ts',
      'operations/ports',
    ],
    [
      'a store that knows an operation',
      'src/store/store.ts',
      '../operations/users/users.ts',
      'implement an interface',
    ],
    [
      'a store that knows HTTP',
      'src/store/store.ts',
      '../http/response/replies.ts',
      'implement an interface',
    ],
    ['HTTP that knows the store', 'src/http/server.ts', '../store/store.ts', 'call an operation'],
    ['HTTP that knows the pool', 'src/http/server.ts', '../threads/password-pool.ts', 'call an operation'],
    ['a worker that knows the store', 'workers/password.ts', '../src/store/store.ts', 'tasks.ts of hashes/'],
    [
      'a pool that computes by itself',
      'src/threads/password-pool.ts',
      '../hashes/verify/bcrypt.ts',
      'PasswordHasher',
    ],
    ['imports that know exports', 'src/imports/imports.ts', '../exports/readers/csv.ts', 'imports/ports.ts'],
    ['HTTP that knows a feature', 'src/http/server.ts', '../features/index.ts', 'call an operation'],
    [
      'an operation that knows a feature',
      'src/operations/users/users.ts',
      '../../features/totp/devices.ts',
      'operations/ports',
    ],
    [
      'a feature that knows the inside of another',
      'src/features/totp/devices.ts',
      '../sessions/refresh.ts',
      'export it there',
    ],
    ['a second composition root', 'src/http/server.ts', '../core/core.ts', 'have core.ts pass it in'],
    ['a core that knows main', 'src/core/core.ts', '../main.ts', 'compose it from the layers'],
    ['a file of no layer', 'src/utilities.ts', './domain/errors.ts', 'no layer holds src/utilities.ts'],
  ])('%s', (_what, file, specifier, cure) => {
    for (const text of [
      `import { x } from '${specifier}';`,
      `export * from '${specifier}';`,
      `const load = () => import('${specifier}');`,
    ])
      expect(said({ [file]: text })).toEqual([
        expect.stringMatching(new RegExp(`^${file}:1 imports .*${cure}`)),
      ]);
  });

  test('types cross where only types may', () => {
    const typed = { 'src/store/store.ts': "import type { Stores } from '../operations/ports/ports.ts';" };
    expect(said(typed)).toEqual([]);
    expect(
      said({ 'src/store/store.ts': "import { type Stores } from '../operations/ports/ports.ts';" }),
    ).toEqual([]);
    expect(
      said({ 'src/store/store.ts': "import { Stores } from '../operations/ports/ports.ts';" }),
    ).toHaveLength(1);
    expect(said({ 'src/store/store.ts': "import '../operations/ports/ports.ts';" })).toHaveLength(1);
    expect(said({ 'src/domain/user.ts': "type T = import('../store/store.ts').Store;" })).toHaveLength(1);
  });

  test.each([
    ['uWebSockets.js', 'src/http/server.ts', 'src/http/front-ends/uwebsockets.ts'],
    ['node:http', 'src/http/server.ts', 'src/http/front-ends/node-http.ts'],
    ['piscina', 'src/core/core.ts', 'src/threads/piscina.ts'],
    ['piscina', 'workers/rows.ts', 'workers/hand-over.ts'],
    ['postgres', 'src/store/store.ts', 'src/database/driver.ts'],
    ['bcrypt', 'workers/password.ts', 'src/hashes/verify/bcrypt.ts'],
    ['@node-rs/argon2', 'src/threads/password-pool.ts', 'src/hashes/verify/argon2.ts'],
    ['yaml', 'src/main.ts', 'src/config/load.ts'],
    ['prom-client', 'src/threads/password-pool.ts', 'src/process/metrics/requests.ts'],
    ['pino', 'src/core/core.ts', 'src/process/log.ts'],
    ['node:child_process', 'src/main.ts', 'src/embedded/command.ts'],
  ])('%s has one door', (name, elsewhere, door) => {
    const text = `import x from '${name}';`;
    expect(said({ [elsewhere]: text })).toEqual([expect.stringContaining('its only door is')]);
    expect(said({ [door]: text })).toEqual([]);
  });

  test('production code may not need a devDependency, except for its types', () => {
    const dev = { dependencies: {}, devDependencies: { tinybench: '1' } };
    expect(said({ 'src/core/core.ts': "import { Bench } from 'tinybench';" }, dev)).toEqual([
      expect.stringContaining('not in "dependencies"'),
    ]);
    expect(said({ 'src/core/core.ts': "import type { Bench } from 'tinybench';" }, dev)).toEqual([]);
  });

  test('a new dependency needs a door', () => {
    const more = { dependencies: { 'left-pad': '1' }, devDependencies: {} };
    expect(said({ 'src/core/core.ts': "import x from 'left-pad';" }, more)).toEqual([
      expect.stringContaining('has no door'),
    ]);
  });

  test.each([
    ['values', "import { a } from './user.ts';"],
    ['types', "import type { A } from './user.ts';"],
  ])('a cycle of %s is reported with its files', (_, back) => {
    const there = "import { b } from './ids.ts';";
    expect(said({ 'src/domain/user.ts': there, 'src/domain/ids.ts': back })).toEqual([
      'a cycle: src/domain/user.ts → src/domain/ids.ts → src/domain/user.ts: move what they share into a file of its own',
    ]);
  });

  test.each([
    ['a call', 'start();'],
    ['a call in a branch', 'if (x) { start(); }'],
    ['an await', 'const x = await start();'],
    ['a timer', 'globalThis.setInterval(() => undefined, 1);'],
  ])('%s at the top of a file is an effect', (_what, text) => {
    expect(said({ 'src/domain/user.ts': text })).toEqual([
      expect.stringContaining('src/domain/user.ts:1 does something'),
    ]);
    expect(said({ 'src/domain/user.ts': `function f() { ${text.replace('await ', '')} }` })).toEqual([]);
    expect(said({ 'src/main.ts': text })).toEqual([]);
  });

  test('the environment has one door', () => {
    expect(said({ 'src/threads/password-pool.ts': 'const x = process.env.PATH;' })).toEqual([
      expect.stringContaining('reads process.env'),
    ]);
  });
});
