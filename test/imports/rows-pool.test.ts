import { getPriority } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import type { FinishedRows } from '../../src/imports/parse/types.ts';
import type { RowsPool, RowsPoolOptions } from '../../src/threads/import-pool.ts';
import { niceness } from '../../workers/niceness.ts';
import { createRowsPool } from '../../src/threads/import-pool.ts';
import { ndjson, passwordMethod, person, rules } from '../helpers/bulk-records.ts';

const obedient = new URL('../helpers/rows-worker.ts', import.meta.url);
const remembering = new URL('../helpers/remembering-worker.ts', import.meta.url);
const telling = new URL('../helpers/priority-worker.ts', import.meta.url);

/** Runs `use` with a pool that is closed afterwards. */
async function withPool(options: Partial<RowsPoolOptions>, use: (pool: RowsPool) => Promise<void>) {
  const pool = createRowsPool({ threads: 1, ...options });
  try {
    await use(pool);
  } finally {
    await pool.close();
  }
}

const single = (text: string) => ({ record: 0, line: 1, text });
const passwords = (text: string) => ({ type: 'passwords', records: [single(text)] }) as const;

describe('the threads of imports', () => {
  it('parse chunks, and seek keys and passwords', async () => {
    await withPool({ threads: 2 }, async (pool) => {
      const bytes = Buffer.from(ndjson(person('é'), 'x'));
      const chunk = await pool.run({ type: 'parse', bytes, rules });
      expect(chunk.rows).toMatchObject({ count: 1, email: '{"useré@example.com"}' });
      expect(chunk.rejects).toMatchObject([{ line: 2, code: 'INVALID_JSON' }]);
      expect(chunk.simpleRecords).toEqual(Uint32Array.of(0));

      const records = [single(JSON.stringify(person(1)))];
      const { externals } = await pool.run({ type: 'keys', records, rules });
      expect(externals.externalId).toBe('{"legacy-1"}');
      const plain = { loginMethods: [passwordMethod(1, { plainTextPassword: 'p' })] };
      expect(await pool.run(passwords(JSON.stringify(plain)))).toEqual([
        { record: 0, method: 0, password: 'p' },
      ]);
    });
  });

  it('hand finished rows over whole, and keep nothing of them or their lines', async () => {
    const bytes = Buffer.from(ndjson(person('é'), person(2)));
    const job = { appNo: 0, id: '01a1fe34-0706-7400-902a-7cfa1df99d44' };
    const task = { type: 'parse', bytes, rules, plan: { kind: 'create', job } } as const;
    const here = parseChunk(task).rows as FinishedRows;
    await withPool({ workerFile: remembering }, async (pool) => {
      for (let round = 0; round < 2; round++) {
        const rows = (await pool.run(task)).rows as FinishedRows;
        expect(rows.count).toBe(2);
        expect(rows.identities).toHaveLength(here.identities.length);
        // Ids are random, but their places and all other cells are the same.
        expect(rows.users).toHaveLength(here.users.length);
        expect(Buffer.from(rows.users).includes('useré@example.com')).toBe(true);
        expect(await pool.run(passwords(''))).toEqual([0, 0]);
      }
    });
  });

  it('take a signer key along', async () => {
    await withPool({}, async (pool) => {
      const hash = `${Buffer.alloc(64, 1).toString('base64')}$AAAA$m=14$r=8$s=Bw==`;
      const more = { passwordHash: `$f_scrypt$${hash}`, hashingAlgorithm: 'provider_scrypt' };
      const bytes = Buffer.from(ndjson(person(1, {}, more)));
      const parseWith = (signerKey: Uint8Array | undefined) =>
        pool.run({ type: 'parse', bytes, rules: { ...rules, signerKey } });
      expect((await parseWith(Buffer.alloc(64))).kindNames).toEqual(['provider_scrypt']);
      expect((await parseWith(undefined)).rejects[0]?.code).toBe('SIGNER_KEY_MISSING');
    });
  });

  it('reject only the task whose thread dies, or that throws', async () => {
    await withPool({ threads: 2, workerFile: obedient }, async (pool) => {
      const tasks = ['a', 'exit', 'b', 'throw', 'c'].map((text) => pool.run(passwords(text)));
      const settled = await Promise.allSettled(tasks);
      expect(settled.map(({ status }) => status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect(await pool.run(passwords('d'))).toEqual([single('d')]);
    });
  });

  it('finish what was begun before they end, and take nothing more', async () => {
    const pool = createRowsPool({ threads: 1, workerFile: obedient });
    const begun = ['a', 'b', 'c'].map((text) => pool.run(passwords(text)));
    const closed = pool.close();
    await expect(pool.run(passwords('d'))).rejects.toThrow('closed');
    expect(await Promise.all(begun)).toHaveLength(3);
    await closed;
  });

  it.runIf(process.platform === 'linux')('give way to sign-ins, and to no other work', async () => {
    const before = getPriority();
    await withPool({ workerFile: telling }, async (pool) => {
      expect(await pool.run(passwords('{"loginMethods":[]}'))).toMatchObject({
        niceness: Math.max(before, niceness.rows),
      });
      expect(getPriority()).toBe(before);
    });
  });
});
