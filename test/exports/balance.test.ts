/** Totals of a conversion that do not balance: found before any of its lines is used. */

import { describe, expect, it } from 'vitest';
import { Balance, Imbalance } from '../../src/exports/convert/balance.ts';
import { convert, type ConvertPool } from '../../src/exports/convert/convert.ts';
import { type Account, emptyAccount } from '../../src/exports/fields/account.ts';
import type { ConvertTask } from '../../src/exports/tasks.ts';
import { useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, pool } = useExportFiles();

const users = ['ada', 'bo', 'cy']
  .map(
    (name) =>
      `{"externalUserId":"${name}","loginMethods":[{"recipeId":"passwordless","email":"${name}@example.com"}]}`,
  )
  .join('\n');

/** Faulty threads: their result for a batch is changed before it is seen. */
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
  /** The records of the returned batches. */
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

describe('Balance', () => {
  const accountOf = (records: number, rejected: number): Account => {
    const converted = records - rejected;
    const passwords = { verifiable: 0, unknown: 0, absent: converted };
    return { ...emptyAccount(), records, rejected, converted, passwords };
  };
  const reject = { code: 'NOT_IMPORTABLE', field: '', message: '' } as const;
  const batch = (firstRecord: number, text: string, account = emptyAccount(), rejected: number[] = []) => ({
    text: Buffer.from(text),
    firstRecord,
    records: 3,
    rejects: rejected.map((record) => ({ ...reject, record })),
    skipped: 0,
    account,
  });

  it('counts lines, not the empty ones of rejects, and one that has no end', () => {
    const of = (text: string) => () => {
      new Balance().add(batch(1, text, accountOf(3, 1), [2]));
    };
    expect(of('a\n\nb\n')).not.toThrow();
    expect(of('a\n\nb')).not.toThrow();
    expect(of('a\n\n\n')).toThrow('2 users were counted as converted, and 1 were written');
  });

  it('takes one account for the batches of a join, with the last', () => {
    const balance = new Balance();
    balance.add(batch(1, 'a\nb\nc\n'));
    expect(() => {
      balance.add(batch(4, 'd\n\nf\n', accountOf(6, 2), [5]));
    }).toThrow('records 1 to 6 do not balance: 4 users were counted as converted, and 5 were written');
    const right = new Balance();
    right.add(batch(1, 'a\nb\nc\n'));
    right.add(batch(4, 'd\n\nf\n', accountOf(6, 1), [5]));
    expect(() => {
      right.end();
    }).not.toThrow();
  });

  it('refuses users that are in no account', () => {
    const balance = new Balance();
    balance.add(batch(1, 'a\nb\nc\n'));
    expect(() => {
      balance.end();
    }).toThrow('records 1 to 3 do not balance: no account has their users');
  });
});
