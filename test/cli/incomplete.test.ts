/** The real command with inputs that are only a part of their origin. */
import { gzipSync } from 'node:zlib';
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

interface Said {
  readonly code?: string;
  readonly cure?: string;
  readonly incomplete: readonly { readonly file: string; readonly code: string; readonly message: string }[];
  readonly job: { readonly created: number };
  readonly next: readonly { readonly command: string }[];
}

const run = (...args: string[]) => place.run([...args, '--url', core.url], key);
const json = async (...args: string[]): Promise<[number | null, Said]> => {
  const { code, stdout } = await run(...args, '--json');
  return [code, JSON.parse(stdout) as Said];
};
const signIn = async (email: string): Promise<unknown> =>
  (await core.post('/recipe/signin', { email, password: knownPassword })).body.status;
const native = (id: string): string =>
  `{"externalUserId":"${id}","loginMethods":[{"recipeId":"emailpassword","email":"${id}@example.com","passwordHash":"${knownHash}"}]}`;
/** As SuperTokens exports them. */
const page = (ids: readonly string[], rest = ''): string => `{"users":[${ids.map(native).join(',')}]${rest}}`;
const jobs = async (): Promise<number> => {
  const { stdout } = await run('jobs', '--json');
  return (JSON.parse(stdout) as { jobs: readonly unknown[] }).jobs.length;
};

it('shows in inspect and a dry run why a page is not the whole list, and refuses to import it', async () => {
  await place.write('page.json', page(['a1', 'a2'], ',"nextPageToken":"CgkK"'));
  const reason = { file: 'page.json', code: 'MORE_PAGES' };
  const message = expect.stringMatching(/"nextPageToken" says that another page follows/) as string;
  expect(await json('inspect', 'page.json')).toMatchObject([1, { incomplete: [{ ...reason, message }] }]);
  const [code, shown] = await json('import', 'page.json', '--dry-run');
  expect([code, shown.incomplete, shown.next]).toMatchObject([2, [reason], []]);
  const before = await jobs();
  const refused = await json('import', 'page.json', '--yes');
  expect(refused).toMatchObject([2, { code: 'INPUT_INCOMPLETE', incomplete: [{ ...reason, message }] }]);
  expect(refused[1].cure).toContain('--partial');
  expect(await jobs()).toBe(before);
  const text = await run('inspect', 'page.json');
  expect(text.stdout).toMatch(/Not complete: page\.json: .*\nAn import of a part needs --partial/);
});

it('imports a part with --partial, and pages together without it', async () => {
  await place.write('cut.json', page(['b1', 'b2', 'b3']).slice(0, -20));
  const [code, imported] = await json('import', 'cut.json', '--partial', '--yes');
  expect([code, imported.job.created, imported.incomplete]).toMatchObject([
    0,
    2,
    [{ file: 'cut.json', code: 'ENDS_EARLY' }],
  ]);
  expect([await signIn('b2@example.com'), await signIn('b3@example.com')]).toEqual([
    'OK',
    'WRONG_CREDENTIALS_ERROR',
  ]);
  await place.write('pages/1.json', page(['c1', 'c2'], ',"nextPageToken":"CgkK"'));
  await place.write('pages/2.json', page(['c3']));
  const [all, together] = await json('import', 'pages', '--yes');
  expect([all, together.job.created, together.incomplete]).toEqual([0, 3, []]);
});

it('never lets --absent act on a part: no user is disabled, with --partial and in a dry run too', async () => {
  const ids = ['d1', 'd2', 'd3'];
  await place.write('all.json', page(ids));
  await place.write('total.json', page(ids.slice(0, 2), ',"total":3'));
  expect((await run('import', 'all.json', '--source', 'd', '--yes')).code).toBe(0);
  const absent = ['--absent', 'disable', '--source', 'd', '--force-absent', '--yes'];
  for (const flags of [
    absent,
    [...absent, '--partial'],
    [...absent, '--dry-run'],
    [...absent, '--partial', '--dry-run'],
  ]) {
    const [code, refused] = await json('import', 'total.json', ...flags);
    expect([code, refused.incomplete[0]?.code]).toEqual([2, 'FEWER_THAN_STATED']);
    expect(refused.cure).toMatch(/^--absent needs all users of the source, also with --partial/);
  }
  expect(await signIn('d3@example.com')).toBe('OK');
  expect((await run('import', 'all.json', '--partial', ...absent)).code).toBe(0);
});

it('finds the cut line of native records, gzip and the standard input before anything is sent', async () => {
  const cut = `${native('e1')}\n${native('e2').slice(0, -30)}`;
  await place.write('cut.ndjson', cut);
  await place.write('cut.ndjson.gz', gzipSync(`${cut}\n`).subarray(0, -10));
  const before = await jobs();
  for (const [file, shown] of [
    ['cut.ndjson', 'cut.ndjson'],
    ['cut.ndjson.gz', 'cut.ndjson.gz'],
    ['-', 'the standard input'],
  ] as const) {
    const args = ['import', file, '--yes', '--json', '--url', core.url];
    const { code, stdout } = await place.run(args, { ...key, ...(file === '-' && { input: cut }) });
    const { incomplete } = JSON.parse(stdout) as Said;
    expect([code, incomplete]).toMatchObject([2, [{ file: shown, code: 'ENDS_EARLY' }]]);
  }
  expect(await jobs()).toBe(before);
  const [code, imported] = await json('import', 'cut.ndjson', '--partial', '--yes');
  expect([code, imported.job.created, imported.incomplete.length]).toEqual([1, 1, 1]);
});

it('converts a part with --partial only, and writes nothing else', async () => {
  await place.write('cut-list.json', `[${native('f1')},${native('f2').slice(0, -9)}`);
  const refused = await place.run(['convert', 'cut-list.json', '-o', 'out.ndjson']);
  expect([refused.code, refused.stderr]).toMatchObject([2, expect.stringContaining('--partial')]);
  expect(await place.list()).not.toContain('out.ndjson');
  const { code, stderr } = await place.run(['convert', 'cut-list.json', '-o', 'out.ndjson', '--partial']);
  expect([code, stderr]).toMatchObject([0, expect.stringContaining('Not complete: cut-list.json')]);
  expect((await place.read('out.ndjson')).trim().split('\n')).toHaveLength(1);
});
