import { describe, expect, it } from 'vitest';
import { ConnectionPool } from '../../src/database/connection/pool.ts';

/** Borrows until the test returns it. */
function borrow(pool: ConnectionPool<string>, waitMs: number) {
  const done = Promise.withResolvers<undefined>();
  const lent = Promise.withResolvers<string>();
  const outcome = pool.lend(waitMs, async (connection) => {
    lent.resolve(connection);
    await done.promise;
    return connection;
  });
  outcome.catch(lent.reject);
  lent.promise.catch(() => undefined);
  return {
    lent: lent.promise,
    giveBack: () => {
      done.resolve(undefined);
      return outcome;
    },
  };
}

const long = 60_000;

describe('a pool of connections', () => {
  it('lends each to one borrower, in the order of asking', async () => {
    const pool = new ConnectionPool(['one']);
    const [a, b, c] = [borrow(pool, long), borrow(pool, long), borrow(pool, long)];
    expect(await a.lent).toBe('one');
    await a.giveBack();
    expect(await b.lent).toBe('one');
    await b.giveBack();
    expect(await c.lent).toBe('one');
    await c.giveBack();
  });

  it('refuses who has waited for too long, and at once who comes behind while nothing comes back', async () => {
    const pool = new ConnectionPool(['one']);
    const a = borrow(pool, long);
    await a.lent;
    const late = borrow(pool, 1);
    await expect(late.lent).rejects.toMatchObject({ code: 'OVERLOADED' });
    const patient = borrow(pool, long);
    // Otherwise it would wait for a minute.
    await expect(borrow(pool, 0).lent).rejects.toMatchObject({ code: 'OVERLOADED' });
    await a.giveBack();
    expect(await patient.lent).toBe('one');
    await patient.giveBack();
    const next = borrow(pool, 1);
    expect(await next.lent).toBe('one');
    await next.giveBack();
  });

  it('lets a crowd wait that comes after a long quiet time', async () => {
    let nowMs = 0;
    const pool = new ConnectionPool(['one'], () => nowMs);
    await borrow(pool, 1000).giveBack();
    nowMs = 60_000;
    const crowd = [1, 2, 3].map(() => borrow(pool, 1000));
    for (const { lent, giveBack } of crowd) {
      expect(await lent).toBe('one');
      await giveBack();
    }
  });
});
