/** Receipts by the command: written at the end of an import, and checked without a core, by what each person has in hand. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import type { TestCore } from '../helpers/core.ts';
import { knownHash } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const at = (...args: string[]): string[] => [...args, '--url', core.url];
const record = (id: string): string =>
  JSON.stringify({
    externalUserId: id,
    loginMethods: [{ recipeId: 'emailpassword', email: `${id}@example.com`, passwordHash: knownHash }],
  });
const lines = [record('ada'), record('bea'), 'no JSON', '', record('ada'), record('cleo')];
const text = lines.map((line) => `${line}\n`).join('');

let job: string;
/** Of line 5. */
let proven: Ended;
/** Without a core: no address and no key. */
const verify = (...args: string[]) => place.run(['verify-receipt', 'receipt.json', ...args]);
const edited = async (from: string, to: string, change: (text: string) => string): Promise<void> => {
  const before = await readFile(path.join(place.folder, from), 'latin1');
  expect(change(before)).not.toBe(before);
  await writeFile(path.join(place.folder, to), change(before), 'latin1');
};

beforeAll(async () => {
  await place.write('users.ndjson', text);
  const { stdout, code } = await place.run(at('import', 'users.ndjson', '--receipt', '--yes', '--json'), key);
  expect(code).toBe(1);
  const answer = JSON.parse(stdout) as { job: { id: string }; receiptFile: string };
  job = answer.job.id;
  expect(answer.receiptFile).toBe(path.join(place.folder, '.carryover', job, 'receipt.json'));
  const outcomes = ['--outcomes', 'outcomes.ndjson'];
  expect((await place.run(at('receipt', job, '-o', 'receipt.json', ...outcomes), key)).code).toBe(0);
  // It is made once.
  expect(await readFile(answer.receiptFile, 'utf8')).toBe(
    await readFile(path.join(place.folder, 'receipt.json'), 'utf8'),
  );
  proven = await place.run(at('receipt', job, '--line', '5', '-o', 'line-5.proof', '--json'), key);
  const keys = await place.run(at('receipt-keys', '--json'), key);
  await place.write('keys.json', keys.stdout);
});

describe('with the receipt alone', () => {
  it('shows what the import did, by which key, and that this key is not known', async () => {
    const { stdout, code } = await verify();
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Lines: 6: blank 1, created 3, rejected INVALID_JSON 1, rejected DUPLICATE_IN_JOB 1',
    );
    expect(stdout).toContain('the receipt itself names this key: compare it');
    expect((await verify('--key', 'keys.json')).stdout).not.toContain('itself names');
    const asJson = JSON.parse((await verify('--key', 'keys.json', '--json')).stdout) as object;
    expect(asJson).toMatchObject({
      type: 'verify-receipt',
      isKeyTrusted: true,
      receipt: {
        job: { id: job, state: 'done' },
        counts: { created: 3 },
        settings: { onConflict: 'update' },
      },
    });
  });

  it.each([
    ['a count', (statement: string) => statement.replace('"created":3', '"created":4')],
    ['the root', (statement: string) => statement.replace(/\\n6\\n.{4}/, '\\n6\\nAAAA')],
    [
      'the settings',
      (statement: string) => statement.replace('"onConflict":"update"', '"onConflict":"theirs"'),
    ],
  ])('refuses another one with %s changed', async (_what, change) => {
    await edited('receipt.json', 'changed.json', (before) => {
      const envelope = JSON.parse(before) as { payload: string };
      const payload = change(Buffer.from(envelope.payload, 'base64').toString());
      return JSON.stringify({ ...envelope, payload: Buffer.from(payload).toString('base64') });
    });
    const { code, stderr } = await place.run(['verify-receipt', 'changed.json', '--key', 'keys.json']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('signature does not match: it was changed after'),
    ]);
  });

  it('refuses one that another key has signed', async () => {
    const other = Buffer.alloc(32, 9).toString('base64');
    const { code, stderr } = await verify('--key', other);
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not signed by the key')]);
  });

  it.each([
    ['another file', 'users.ndjson', /not JSON/],
    ['JSON of something else', 'keys.json', /not a receipt/],
    ['no file', 'missing.json', /there is no such file/],
  ])('refuses %s', async (_what, file, why) => {
    const { code, stderr } = await place.run(['verify-receipt', file]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});

describe('with the file', () => {
  it('shows that it is the one that was imported, and refuses another', async () => {
    expect((await verify('--file', 'users.ndjson')).stdout).toContain(
      'the one that the receipt states as users.ndjson',
    );
    await place.write('other.ndjson', `${text}\n`);
    const { code, stderr } = await verify('--file', 'other.ndjson');
    expect([code, stderr]).toEqual([2, expect.stringContaining('another SHA-256 than that of other.ndjson')]);
  });

  it('and all outcomes, shows that each line had its outcome', async () => {
    const { stdout, code } = await verify('--file', 'users.ndjson', '--outcomes', 'outcomes.ndjson');
    expect([code, stdout]).toEqual([0, expect.stringContaining('All 6 lines, and the outcome of each')]);
  });

  it.each([
    [
      'a line is another',
      'users.ndjson',
      (before: string) => before.replace('bea@', 'bee@'),
      /is another than in/,
    ],
    [
      'a line is missing',
      'users.ndjson',
      (before: string) => before.replace('no JSON\n', ''),
      /has 5 lines, fewer/,
    ],
    ['a line is added', 'users.ndjson', (before: string) => `${before}{}\n`, /more than the 6 lines/],
    [
      'an outcome is another',
      'outcomes.ndjson',
      (before: string) => before.replace('INVALID_JSON', 'INVALID_FIELD'),
      /is another/,
    ],
    [
      'the secret is another',
      'outcomes.ndjson',
      (before: string) => before.replace(/"secret":"../, '"secret":"zz'),
      /not a list/,
    ],
    [
      'a run has no line',
      'outcomes.ndjson',
      (before: string) => before.replace('["blank",1]', '["blank",0]'),
      /not \[outcome, lines\]/,
    ],
  ])('refuses it where %s', async (_what, file, change, why) => {
    await edited(file, `changed-${file}`, change);
    const named = (name: string): string => (name === file ? `changed-${name}` : name);
    const { code, stderr } = await verify(
      '--file',
      named('users.ndjson'),
      '--outcomes',
      named('outcomes.ndjson'),
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});

describe('with one line', () => {
  it('and its proof, shows the outcome of it, and reveals no other', async () => {
    expect(JSON.parse(proven.stdout)).toMatchObject({
      line: 5,
      of: 6,
      outcome: 'rejected DUPLICATE_IN_JOB',
    });
    const { stdout } = await verify('--proof', 'line-5.proof', '--file', 'users.ndjson');
    expect(stdout).toContain('Line 5 was in the import: rejected DUPLICATE_IN_JOB');
    await place.write('line.txt', `${lines[4] ?? ''}\r\n`);
    expect((await verify('--proof', 'line-5.proof', '--line', 'line.txt')).code).toBe(0);
    const byInput = await place.run(
      ['verify-receipt', 'receipt.json', '--proof', 'line-5.proof', '--line', '-'],
      {
        input: `${lines[4] ?? ''}\n`,
      },
    );
    expect(byInput.code).toBe(0);
  });

  it.each([
    [
      'another line',
      async () => place.write('other.txt', record('eve')),
      'line-5.proof',
      'other.txt',
      /line 5 of the receipt has another content/,
    ],
    [
      'another outcome',
      async () => {
        await place.write('other.txt', record('ada'));
        await edited('line-5.proof', 'created.proof', (before) =>
          before.replace('rejected DUPLICATE_IN_JOB', 'created'),
        );
      },
      'created.proof',
      'other.txt',
      /another outcome than 'created'/,
    ],
  ])('refuses %s', async (_what, prepare, proof, line, why) => {
    await prepare();
    const { code, stderr } = await verify('--proof', proof, '--line', line);
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });

  it.each([
    [['--proof', 'line-5.proof'], /--file with all lines, or --line/],
    [['--line', 'line.txt'], /name its proof/],
    [['--outcomes', 'outcomes.ndjson'], /name the lines with --file/],
  ])('says what is missing with %j', async (args, why) => {
    const { code, stderr } = await verify(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});

it('keeps receipts of an old key valid, and signs new ones with the new one', async () => {
  expect((await place.run(at('receipt-keys', '--rotate', '--yes'), key)).code).toBe(0);
  await place.write('new-keys.json', (await place.run(at('receipt-keys', '--json'), key)).stdout);
  const next = await place.run(
    at('import', 'users.ndjson', '--receipt', '--no-run-folder', '--yes', '--json'),
    key,
  );
  const { receiptFile } = JSON.parse(next.stdout) as { receiptFile: string };
  for (const receipt of ['receipt.json', receiptFile])
    expect((await place.run(['verify-receipt', receipt, '--key', 'new-keys.json'])).code).toBe(0);
  const byOld = await place.run(['verify-receipt', receiptFile, '--key', 'keys.json']);
  expect([byOld.code, byOld.stderr]).toEqual([2, expect.stringContaining('is not signed by the key')]);
});

it.each([
  [
    'of an import without one',
    async () => place.run(at('receipt', await imported()), key),
    /begun without a receipt/,
  ],
  ['of an import that does not exist', () => place.run(at('receipt', 'no-job'), key), /There is no import/],
  [
    'for a line beyond the last',
    () => place.run(at('receipt', job, '--line', '7'), key),
    /has 6 lines: there is no line 7/,
  ],
  ['for line 0', () => place.run(at('receipt', job, '--line', '0'), key), /the number of a line, from 1/],
])('refuses a receipt %s', async (_what, run, why) => {
  const { code, stderr } = await run();
  expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
});

async function imported(): Promise<string> {
  const { stdout } = await place.run(at('import', 'users.ndjson', '--yes', '--json'), key);
  return (JSON.parse(stdout) as { job: { id: string } }).job.id;
}
