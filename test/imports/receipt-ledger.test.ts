/** What jobs store of each line for a receipt: the same wherever the file was cut, and whatever disturbed the import. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { lineBytesLimit } from '../../src/domain/line-limit.ts';
import { textOf } from '../helpers/imports.ts';
import { ledgerOf } from '../helpers/ledger.ts';
import {
  cutters,
  emailOf,
  type Engines,
  numberedUser,
  password,
  recordOf,
  useEngines,
} from '../helpers/semantics.ts';
import type { TestStore } from '../helpers/store.ts';

let engines: Engines;
let store: TestStore;
let tenant: Tenant;

useEngines((all, own) => {
  engines = all;
  ({ store } = all);
  tenant = own;
});

const linked = (n: number): NativeUser =>
  recordOf(`id-${n}`, password(emailOf(n)), password(`other-${n}@example.com`));

const listed = (id: string) => ledgerOf(store, id);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const receipt = true;

describe.each(cutters)('each line %s', (_, options) => {
  const run = (lines: readonly (NativeUser | string)[], job: object = {}) =>
    engines.importsOf(options).run(tenant, lines, { receipt, ...job });

  it('has its digest and its outcome: of new, known, changed, wrong, repeated and linked users, and blank lines', async () => {
    await engines.imports.run(tenant, [numberedUser(0), numberedUser(1), numberedUser(2), linked(3)]);
    const lines = [
      numberedUser(0),
      '',
      numberedUser(1, 11),
      numberedUser(4),
      '\r',
      'no JSON',
      numberedUser(4),
      linked(3),
      linked(5),
      numberedUser(2),
    ];
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const job = await run(lines);
    expect(await listed(job.id)).toEqual({
      digests: texts.map((text) => sha256(text.replace('\r', ''))).join(''),
      outcomes: [
        'unchanged',
        'blank',
        'updated',
        'created',
        'blank',
        'rejected INVALID_JSON',
        'rejected DUPLICATE_IN_JOB',
        'unchanged',
        'created',
        'unchanged',
      ],
    });
  });

  it.each([
    ['a first import', [numberedUser(0), numberedUser(1), linked(2)], ['created', 'created', 'created'], {}],
    [
      'a dry run',
      [numberedUser(0), numberedUser(0), numberedUser(1)],
      ['created', 'rejected DUPLICATE_IN_JOB', 'created'],
      { dryRun: true },
    ],
  ])('has its outcome in %s', async (_what, lines, outcomes, job) => {
    const { id } = await run(lines, job);
    expect((await listed(id)).outcomes).toEqual(outcomes);
  });

  it('has its outcome when the same file comes again', async () => {
    const lines = Array.from({ length: 30 }, (_each, n) => numberedUser(n));
    await run(lines);
    const again = await run([...lines, numberedUser(3), numberedUser(40)]);
    expect((await listed(again.id)).outcomes).toEqual([
      ...lines.map(() => 'unchanged'),
      'rejected DUPLICATE_IN_JOB',
      'created',
    ]);
  });

  it('has the outcome that was decided at the end of the job', async () => {
    await engines.imports.run(tenant, [numberedUser(0), numberedUser(1), numberedUser(2), numberedUser(3)]);
    const job = await run([numberedUser(0, 1), numberedUser(9), numberedUser(1, 0), numberedUser(2, 3)]);
    expect((await listed(job.id)).outcomes).toEqual([
      'updated',
      'created',
      'updated',
      'rejected IDENTITY_TAKEN',
    ]);
  });

  it('has the digest of an empty one if it is too long to be held', async () => {
    const job = await run([numberedUser(0), 'x'.repeat(lineBytesLimit + 10), numberedUser(1)]);
    const { digests, outcomes } = await listed(job.id);
    expect([digests.slice(64, 128), outcomes]).toEqual([
      sha256(''),
      ['created', 'rejected LINE_TOO_LONG', 'created'],
    ]);
  });
});

it('stores nothing of jobs that do not ask for a receipt', async () => {
  const { id } = await engines.imports.run(tenant, [numberedUser(0)]);
  expect(await listed(id)).toEqual({ digests: '', outcomes: [] });
  const [job] = await store.sql('select receipt, receipt_secret from import_jobs where job_id = $1', [id]);
  expect(job).toEqual({ receipt: false, receipt_secret: null });
});

it('removes what it stored of lines with the personal data of the job', async () => {
  const { id } = await engines.imports.run(tenant, [numberedUser(0)], { receipt });
  const secretOf = async () =>
    (
      await store.sql<{ secret: string | null }>(
        'select receipt_secret as secret from import_jobs where job_id = $1',
        [id],
      )
    )[0]?.secret;
  expect(await secretOf()).toMatch(/^[0-9a-f]{64}$/);
  await engines.imports.purge(tenant, id);
  expect([await listed(id), await secretOf()]).toEqual([{ digests: '', outcomes: [] }, null]);
});

it('stores the same when chunks are lost and sent again, whichever they are', async () => {
  const lines = [
    ...Array.from({ length: 40 }, (_, n) => (n % 7 === 3 ? linked(n) : numberedUser(n))),
    numberedUser(5),
    'no JSON',
    '',
    numberedUser(6, 1),
  ];
  const before = [numberedUser(1), numberedUser(2, 90), numberedUser(6)];
  await engines.imports.run(tenant, before);
  const undisturbed = await listed((await engines.imports.run(tenant, lines, { receipt })).id);

  tenant = await store.newApp();
  await engines.imports.run(tenant, before);
  const text = Buffer.from(textOf(lines));
  let commits = 0;
  const dying = engines.importsOf({
    chunkBytes: 400,
    lanes: 3,
    wrap: (chunks) => ({
      transaction: async (work) => {
        // Every third chunk is written, and lost before its commit.
        const isLost = ++commits % 3 === 0;
        return chunks.transaction(async (transaction) => {
          const result = await work(transaction);
          if (isLost) throw new Error('lost');
          return result;
        });
      },
    }),
  });
  const { id } = await dying.create(tenant, {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    receipt,
    uploadLength: text.length,
  });
  let losses = 0;
  for (let state = 'receiving'; state === 'receiving';) {
    const job = await dying.engine.jobs.find(tenant.appNo, id);
    const offset = job?.bytes ?? 0;
    const upload = await dying.openUpload(tenant, id, { offset });
    upload.write(text.subarray(offset));
    ({ state } = await upload.end().catch((error: unknown) => {
      expect(error).toEqual(new Error('lost'));
      losses++;
      return { state: 'receiving' };
    }));
  }
  expect(losses).toBeGreaterThan(2);
  expect(await listed(id)).toEqual(undisturbed);
});
