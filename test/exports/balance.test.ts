/** Totals of a conversion that do not balance: found before a line of them is used. */

import { describe, expect, it } from 'vitest';
import { Imbalance, requireBalance } from '../../src/exports/convert/balance.ts';
import { convert, type ConvertPool } from '../../src/exports/convert/convert.ts';
import type { ConvertTask } from '../../src/exports/tasks.ts';
import { useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, pool } = useExportFiles();

const users = ['ada', 'bo', 'cy']
  .map(
    (name) =>
      `{"externalUserId":"${name}","loginMethods":[{"recipeId":"passwordless","email":"${name}@example.com"}]}`,
  )
  .join('\n');

/** Threads with a fault: what they make of a batch is changed before it is seen. */
function faulty(change: (result: { text: Uint8Array; account: { converted: number } }) => void): ConvertPool {
  return {
    threads: pool.threads,
    close: () => Promise.resolve(),
    run: async <Task extends ConvertTask>(task: Task) => {
      const result = await pool.run(task);
      if (task.type === 'convert') change(result as never);
      return result;
    },
  };
}

describe('a conversion whose totals do not balance', () => {
  /** The records of the batches that are given out. */
  async function* recordsOf(text: string, threads: ConvertPool): AsyncGenerator<number> {
    for await (const { records } of convert(await sourceOf(fileOf(text), { from: 'native' }), threads))
      yield records;
  }
  const check = (threads: ConvertPool) => recordsOf(users, threads).next();

  it('is found where a record is neither a line nor a reject', async () => {
    const lost = faulty(({ account }) => void (account.converted -= 1));
    await expect(check(lost)).rejects.toThrow(Imbalance);
    await expect(check(lost)).rejects.toThrow(
      /records 1 to 3 do not balance: 3 records were read, but 2 were converted, 0 rejected and 0 skipped/,
    );
  });

  it('is found where a line is missing that was counted', async () => {
    const cut = faulty((result) => (result.text = result.text.subarray(0, result.text.indexOf(10) + 1)));
    await expect(check(cut)).rejects.toThrow(/3 users were counted as converted, and 1 were written/);
  });

  it('ends before the batch is given out, and after those before it', async () => {
    let batches = 0;
    const second = faulty(({ account }) => void (account.converted -= ++batches === 2 ? 1 : 0));
    const records = recordsOf(`${users}\n`.repeat(10_000), second);
    const first = Number((await records.next()).value);
    expect(first).toBeGreaterThan(0);
    await expect(records.next()).rejects.toThrow(`The totals of the records ${first + 1} to`);
  });

  it('is no other: what the threads make of it as it is balances', async () => {
    expect(await check(faulty(() => undefined))).toEqual({ done: false, value: 3 });
  });
});

it('counts lines, not the empty ones of rejects, and one that has no end', () => {
  const account = {
    ...{ records: 3, converted: 2, rejected: 1, skipped: 0, restricted: 0, isCut: false },
    ...{ passwords: { verifiable: 0, unknown: 1, absent: 1 }, lostPasswords: {}, tables: {} },
  };
  const of = (text: string) => () => {
    requireBalance({ text: Buffer.from(text), account, firstRecord: 1, records: 3 });
  };
  expect(of('a\n\nb\n')).not.toThrow();
  expect(of('a\n\nb')).not.toThrow();
  expect(of('a\n\n\n')).toThrow('2 users were counted as converted, and 1 were written');
});
