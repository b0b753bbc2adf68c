/** The files of a run: its folder, the rejects with their records, and a file to correct them. */
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** In the last line of the standard output. */
  readonly runFolder: string;
  readonly mendFile: string;
}

async function importing(...args: string[]): Promise<Ran> {
  const ended = await place.run(['import', '--yes', ...args, '--json', '--url', core.url], key);
  const { runFolder, mendFile } = JSON.parse(ended.stdout) as Ran;
  return { ...ended, runFolder, mendFile };
}

const linesOf = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const modeOf = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);
const signIn = async (email: string): Promise<unknown> =>
  (await core.post('/recipe/signin', { email, password: knownPassword })).body.status;

const laravel = (rows: readonly (readonly string[])[]): string =>
  ['id,name,email,email_verified_at,password,remember_token,created_at,updated_at']
    .concat(rows.map((row) => [...row, 'remember-me-0123', '2024-01-01 00:00:00', ''].join(',')))
    .join('\n');

it('has the report, the log, the rejects with their records and a file that can be imported again', async () => {
  const rows = [
    ['51', 'Ann', 'ann51@example.com', '', knownHash],
    ['52', 'Bob', '', '', knownHash],
    ['53', 'Cy', 'cy53 at example.com', '', knownHash],
  ];
  await place.write('shop.csv', laravel(rows));
  const { code, runFolder, mendFile } = await importing('shop.csv');
  expect(code).toBe(1);
  expect((await place.list(runFolder)).toSorted()).toEqual([
    '.gitignore',
    'log.txt',
    'mend.ndjson',
    'rejects.ndjson',
    'report.json',
    'report.txt',
  ]);
  expect(path.dirname(runFolder)).toBe(path.join(place.folder, '.carryover'));
  expect(await readFile(path.join(runFolder, '.gitignore'), 'utf8')).toBe('*\n');
  for (const name of ['rejects.ndjson', 'mend.ndjson', 'report.txt', 'log.txt'])
    expect(await modeOf(path.join(runFolder, name))).toBe('600');
  expect(await modeOf(runFolder)).toBe('700');
  const rejects = await linesOf(path.join(runFolder, 'rejects.ndjson'));
  expect(rejects).toMatchObject([
    { line: 2, record: { id: '52', name: 'Bob', password: '(masked)', remember_token: '(masked)' } },
    { line: 3, field: 'email', record: { email: 'cy53 at example.com' } },
  ]);
  expect(JSON.stringify(rejects)).not.toContain(knownHash);
  const mended = (await readFile(mendFile, 'utf8'))
    .replace('"email":""', '"email":"bob52@example.com"')
    .replace('cy53 at ', 'cy53@');
  await writeFile(mendFile, mended);
  const report = await readFile(path.join(runFolder, 'report.txt'), 'utf8');
  const mend = path.relative(place.folder, mendFile);
  expect(report).toContain(`\n  npx --no carryover import ${mend} --from laravel --url ${core.url}\n`);
  const again = await importing(mendFile, '--from', 'laravel');
  expect(JSON.parse(again.stdout)).toMatchObject({ records: 2, rejected: 0, job: { created: 2 } });
  expect(await signIn('bob52@example.com')).toBe('OK');
  expect(await signIn('cy53@example.com')).toBe('OK');
});

it('says how to import the mended records: with the options that they need, and without those of the file alone', async () => {
  const [ann, bob] = [`71;Ann;;${knownHash}`, `72;Bob;bob72@example.com;${knownHash}`];
  await place.write('own.csv', `id;name;mail;pwd\n${ann}\n${bob}\n`);
  const { code, runFolder, mendFile } = await importing(
    'own.csv',
    '--from',
    'laravel',
    '--map',
    'email=mail,password=pwd',
    '--id-prefix',
    'shop:',
    '--source',
    "Ann's shop",
    '--encoding',
    'latin1',
    '--absent',
    'report',
    '--include-deleted',
  );
  expect(code).toBe(1);
  const report = await readFile(path.join(runFolder, 'report.txt'), 'utf8');
  const line = /^ {2}npx (.*)$/m.exec(report)?.[1];
  const options = `--from laravel --map email=mail,password=pwd --include-deleted --id-prefix shop: --source 'Ann'\\''s shop'`;
  expect(line).toBe(
    `--no carryover import ${path.relative(place.folder, mendFile)} ${options} --url ${core.url}`,
  );
  await writeFile(
    mendFile,
    (await readFile(mendFile, 'utf8')).replace('"mail":""', '"mail":"ann71@example.com"'),
  );
  const again = await importing(
    mendFile,
    '--from',
    'laravel',
    '--map',
    'email=mail,password=pwd',
    '--include-deleted',
    '--id-prefix',
    'shop:',
    '--source',
    "Ann's shop",
  );
  expect(JSON.parse(again.stdout)).toMatchObject({ rejected: 0, job: { created: 1, idPrefix: 'shop:' } });
  expect(await signIn('ann71@example.com')).toBe('OK');
});

it('takes native lines to the file to be mended as they are, also what is no JSON', async () => {
  const bad = JSON.stringify({
    externalUserId: 'n61',
    loginMethods: [{ recipeId: 'no', passwordHash: knownHash }],
  });
  await place.write('native.ndjson', `${bad}\n{"externalUserId":"n62\n`);
  const { runFolder, mendFile } = await importing('native.ndjson', '--from', 'native');
  expect(await readFile(mendFile, 'utf8')).toBe(`${bad}\n{"externalUserId":"n62\n`);
  const [first, second] = await linesOf(path.join(runFolder, 'rejects.ndjson'));
  expect(first).toMatchObject({
    record: { externalUserId: 'n61', loginMethods: [{ recipeId: 'no', passwordHash: '(masked)' }] },
  });
  expect(second).not.toHaveProperty('record');
});

it('offers no single records of a document in which passwords stand apart from the users', async () => {
  const user = [{ id: 'b71', email: '', name: 'Dee' }];
  const account = [{ id: 'a71', userId: 'b71', providerId: 'credential', password: knownHash }];
  await place.write('better.json', JSON.stringify({ user, account }));
  const { runFolder, mendFile, code } = await importing('better.json', '--from', 'better-auth');
  expect({ code, mendFile }).toEqual({ code: 1, mendFile: undefined });
  expect((await place.list(runFolder)).some((name) => name.startsWith('mend'))).toBe(false);
  expect(await readFile(path.join(runFolder, 'report.txt'), 'utf8')).toContain(
    'To mend them: correct the export',
  );
});

it('stands where it is asked to, or nowhere, and --rejects still names a file', async () => {
  await place.write('two.ndjson', '{}\n');
  await place.write('runs/.gitignore', 'mine\n');
  const named = await importing(
    'two.ndjson',
    '--from',
    'native',
    '--out-dir',
    'runs',
    '--rejects',
    'bad.ndjson',
  );
  expect(path.dirname(named.runFolder)).toBe(path.join(place.folder, 'runs'));
  expect(await place.read('runs/.gitignore')).toBe('mine\n');
  expect(await linesOf(path.join(place.folder, 'bad.ndjson'))).toMatchObject([{ line: 1, record: {} }]);
  const { runFolder, stdout } = await importing('two.ndjson', '--from', 'native', '--no-run-folder');
  expect(runFolder).toBeUndefined();
  expect(stdout).toMatch(/"file":"[^"]*\/carryover-rejects-[\w-]+\.ndjson"/);
});

it('continues without a folder that cannot be made, unless it was requested', async () => {
  await place.write('three.ndjson', '{}\n');
  await place.write('taken', 'a file');
  const asked = await place.run(
    ['import', '--yes', 'three.ndjson', '--from', 'native', '--out-dir', 'taken/runs', '--url', core.url],
    key,
  );
  expect({ code: asked.code, stderr: asked.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('taken/runs: part of its path is no folder') as string,
  });
});

const refusedImport = async (name: string, environment: Readonly<Record<string, string>> = {}) => {
  const jobs = async (): Promise<number> =>
    ((await core.get('/bulk-import/jobs')).body.jobs as unknown[]).length;
  const before = await jobs();
  const { code, stderr } = await place.run(
    ['import', '--yes', `${name}.ndjson`, '--from', 'native', '--url', core.url],
    {
      environment: { ...key.environment, ...environment },
    },
  );
  return { code, stderr, made: (await jobs()) - before };
};

it('needs a place for what resume needs, before anything is made, and says how to name another', async () => {
  await place.write('four.ndjson', '{}\n');
  await place.write('no-folder', 'a file');
  const XDG_STATE_HOME = path.join(place.folder, 'no-folder');
  expect(await refusedImport('four', { XDG_STATE_HOME })).toEqual({
    code: 2,
    stderr: expect.stringMatching(/no-folder\/carryover: .*set XDG_STATE_HOME to a folder/) as string,
    made: 0,
  });
});

// Root may write everywhere.
it.skipIf(process.getuid?.() === 0)('needs a place for rejects, before anything is made', async () => {
  await place.write('five.ndjson', '{}\n');
  await chmod(place.folder, 0o555);
  try {
    expect(await refusedImport('five')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name another folder with --out-dir') as string,
      made: 0,
    });
  } finally {
    await chmod(place.folder, 0o755);
  }
});
