import { describe, expect, it } from 'vitest';
import { again, Batcher, type BatcherOptions } from '../../src/store/batch/batcher.ts';

type Outcome = string;
type Outcomes = (Outcome | typeof again | undefined)[];

/** An item is text; the part before a colon is its conflict key. */
const keyOf = (item: string) => (item.includes(':') ? item.slice(0, item.indexOf(':')) : undefined);

/** A statement whose end the test decides. */
interface Statement {
  readonly items: readonly string[];
  /** Each item's outcome is the item itself by default. */
  commit(outcomes?: Outcomes): Promise<void>;
  fail(error: unknown): Promise<void>;
}

function scene(options: Partial<BatcherOptions<string, Outcome>> = {}) {
  const statements: Statement[] = [];
  const batcher = new Batcher<string, Outcome>({
    name: 'scene',
    lanes: 1,
    maxBatch: 100,
    maxBacklog: 100,
    keyOf,
    execute: (items) => {
      const ending = Promise.withResolvers<readonly (Outcome | typeof again)[]>();
      statements.push({
        items,
        commit: (outcomes = [...items]) => {
          ending.resolve(outcomes as Outcome[]);
          return turn();
        },
        fail: (error) => {
          ending.reject(error);
          return turn();
        },
      });
      return ending.promise;
    },
    ...options,
  });
  const submit = (item: string) => {
    const outcome = batcher.submit(item);
    // A rejection that a test examines later must not count as unhandled until then.
    outcome.catch(() => undefined);
    return outcome;
  };
  const statement = (n: number): Statement => {
    const found = statements[n];
    if (!found) throw new Error(`there is no statement ${n}, only ${statements.length}`);
    return found;
  };
  return { batcher, submit, statement, sent: () => statements.map(({ items }) => items) };
}

/** A batcher over a database that accepts all items but "bad" ones: those fail their whole statement. */
function strictScene(options: Partial<BatcherOptions<string, Outcome>> = {}) {
  const written: string[] = [];
  const attempts: (readonly string[])[] = [];
  const batcher = new Batcher<string, Outcome>({
    name: 'strict',
    lanes: 1,
    maxBatch: 100,
    maxBacklog: 100,
    keyOf,
    execute: (items) => {
      attempts.push(items);
      if (items.some((item) => item.includes('bad'))) return Promise.reject(failure('22P02'));
      written.push(...items);
      return Promise.resolve(items);
    },
    ...options,
  });
  return { batcher, written, attempts };
}

function failure(code: string): Error {
  return Object.assign(new Error(`failed with ${code}`), { code });
}

/** Runs all pending continuations, and the flush scheduled for the end of this turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Whether a promise is settled by now. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  const first = await Promise.race([promise.catch(() => undefined), turn().then(() => pending)]);
  return first === pending;
}

describe('gathering', () => {
  it('writes the items of one turn with one statement, in the order of arrival', async () => {
    const { submit, statement, sent } = scene();
    const outcomes = ['a', 'b', 'c'].map(submit);
    expect(sent()).toEqual([]);
    await turn();
    expect(sent()).toEqual([['a', 'b', 'c']]);
    await statement(0).commit(['A', 'B', 'C']);
    expect(await Promise.all(outcomes)).toEqual(['A', 'B', 'C']);
  });

  it('gives no outcome before the commit', async () => {
    const { submit, statement } = scene();
    const outcome = submit('a');
    await turn();
    expect(await isPending(outcome)).toBe(true);
    await statement(0).commit();
    expect(await outcome).toBe('a');
  });

  it('gathers while the lane is busy, and flushes all of it when the commit returns', async () => {
    const { batcher, submit, statement, sent } = scene();
    void submit('a');
    await turn();
    void submit('b');
    await turn();
    void submit('c');
    await turn();
    expect(sent()).toEqual([['a']]);
    expect(batcher.backlog).toBe(2);
    await statement(0).commit();
    expect(sent()).toEqual([['a'], ['b', 'c']]);
    expect(batcher.backlog).toBe(0);
  });

  it('flushes an idle lane at the end of the turn, again after it was busy', async () => {
    const { submit, statement, sent } = scene();
    void submit('a');
    await turn();
    await statement(0).commit();
    void submit('b');
    expect(sent()).toEqual([['a']]);
    await turn();
    expect(sent()).toEqual([['a'], ['b']]);
  });

  it('waits for others while that is worth it, and then for none', async () => {
    let isWorthIt = true;
    const { submit, statement, sent } = scene({ gathering: { ms: 200, isWorthIt: () => isWorthIt } });
    const first = submit('a');
    await turn();
    void submit('b');
    await turn();
    expect(sent()).toEqual([]);
    // As soon as there is nothing else to wait for, the next one starts at once; waiting ones wait to the end.
    isWorthIt = false;
    await expect.poll(sent).toEqual([['a', 'b']]);
    await statement(0).commit();
    expect(await first).toBe('a');
    void submit('c');
    await turn();
    expect(sent()).toEqual([['a', 'b'], ['c']]);
    await statement(1).commit();
  });

  it('ends with what has gathered', async () => {
    const { batcher, submit, statement, sent } = scene({ gathering: { ms: 50, isWorthIt: () => true } });
    const outcome = submit('a');
    await turn();
    const drained = batcher.drain();
    await expect.poll(sent).toEqual([['a']]);
    await statement(0).commit();
    await drained;
    expect(await outcome).toBe('a');
  });

  it('splits what has gathered at maxBatch', async () => {
    const { submit, statement, sent } = scene({ maxBatch: 2 });
    void ['a', 'b', 'c', 'd', 'e'].map(submit);
    await turn();
    await statement(0).commit();
    await statement(1).commit();
    expect(sent()).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('observes the size of each statement that succeeded, and of no other', async () => {
    const sizes: number[] = [];
    const { batcher } = strictScene({
      observe: (size, seconds) => {
        expect(seconds).toBeGreaterThanOrEqual(0);
        sizes.push(size);
      },
    });
    await Promise.allSettled(['a', 'bad', 'c', 'd'].map((item) => batcher.submit(item)));
    expect(sizes).toEqual([1, 2]);
  });
});

describe('lanes', () => {
  it('run at once, as many as there are', async () => {
    const { submit, statement, sent } = scene({ lanes: 2, maxBatch: 1 });
    void ['a', 'b', 'c'].map(submit);
    await turn();
    expect(sent()).toEqual([['a'], ['b']]);
    await statement(1).commit();
    expect(sent()).toEqual([['a'], ['b'], ['c']]);
  });

  it('take new items while another is busy', async () => {
    const { submit, sent } = scene({ lanes: 2 });
    void submit('a');
    await turn();
    void submit('b');
    await turn();
    expect(sent()).toEqual([['a'], ['b']]);
  });

  it('open next to a busy one only for enough items, and for whatever waits when none is busy', async () => {
    const { submit, statement, sent } = scene({ lanes: 2, furtherLaneAt: 3 });
    void submit('a');
    await turn();
    void submit('b');
    void submit('c');
    await turn();
    expect(sent()).toEqual([['a']]);
    void submit('d');
    await turn();
    expect(sent()).toEqual([['a'], ['b', 'c', 'd']]);
    void submit('e');
    await turn();
    await statement(0).commit();
    expect(sent()).toHaveLength(2);
    await statement(1).commit();
    expect(sent()[2]).toEqual(['e']);
  });

  it('never hold the same key, though one of them is idle', async () => {
    const { submit, statement, sent } = scene({ lanes: 2 });
    void submit('k:1');
    await turn();
    void submit('k:2');
    void submit('other:1');
    await turn();
    expect(sent()).toEqual([['k:1'], ['other:1']]);
    await statement(0).commit();
    expect(sent()).toEqual([['k:1'], ['other:1'], ['k:2']]);
  });
});

describe('items of one key', () => {
  it('are never in one statement, and are written in the order of arrival', async () => {
    const { submit, statement, sent } = scene();
    void ['k:1', 'k:2', 'l:1', 'k:3'].map(submit);
    await turn();
    await statement(0).commit();
    await statement(1).commit();
    expect(sent()).toEqual([['k:1', 'l:1'], ['k:2'], ['k:3']]);
  });

  it('keep their order when the first one has to go again', async () => {
    const { submit, statement, sent } = scene({ lanes: 2 });
    void ['k:1', 'k:2'].map(submit);
    await turn();
    await statement(0).commit([again]);
    expect(sent()).toEqual([['k:1'], ['k:1']]);
    await statement(1).commit();
    expect(sent()).toEqual([['k:1'], ['k:1'], ['k:2']]);
  });

  it('go on after one of them failed', async () => {
    const { submit, statement, sent } = scene();
    const first = submit('k:1');
    const second = submit('k:2');
    await turn();
    await statement(0).fail(failure('22P02'));
    await expect(first).rejects.toMatchObject({ code: '22P02' });
    expect(sent()).toEqual([['k:1'], ['k:2']]);
    await statement(1).commit();
    expect(await second).toBe('k:2');
  });

  it('leave nothing behind: the key is free when the last is written', async () => {
    const { submit, statement, sent } = scene();
    void submit('k:1');
    await turn();
    await statement(0).commit();
    void submit('k:2');
    await turn();
    expect(sent()).toEqual([['k:1'], ['k:2']]);
  });
});

describe('the backlog', () => {
  it('is bounded: one item more is refused at once, and room is there again after the flush', async () => {
    const { batcher, submit, statement } = scene({ maxBacklog: 2 });
    void submit('a');
    await turn();
    void submit('b');
    void submit('c');
    await expect(submit('d')).rejects.toMatchObject({ name: 'Refusal', code: 'OVERLOADED' });
    expect(batcher.backlog).toBe(2);
    await statement(0).commit();
    expect(batcher.backlog).toBe(0);
    const e = submit('e');
    await statement(1).commit();
    await statement(2).commit();
    expect(await e).toBe('e');
  });

  it('counts items that wait behind their key', async () => {
    const { batcher, submit, statement } = scene({ maxBacklog: 2 });
    void submit('k:1');
    await turn();
    void submit('k:2');
    void submit('k:3');
    expect(batcher.backlog).toBe(2);
    await expect(submit('free')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await statement(0).commit();
    expect(batcher.backlog).toBe(1);
  });

  it('refuses no accepted item: one that goes again keeps its place though the backlog is full', async () => {
    const { submit, statement } = scene({ maxBacklog: 1 });
    const a = submit('a');
    await turn();
    const b = submit('b');
    await statement(0).commit([again]);
    await statement(1).commit();
    expect(await Promise.all([a, b])).toEqual(['a', 'b']);
  });
});

describe('the time that an item may wait', () => {
  it('bounds what is accepted: while the database is slow, an item that would wait too long is refused at once', async () => {
    const clock = { ms: 0 };
    const { submit, statement, sent } = scene({ waitLimitMs: 1000, maxBatch: 2, now: () => clock.ms });
    for (const n of [0, 1]) {
      const first = submit('a');
      await turn();
      clock.ms += 400;
      await statement(n).commit();
      expect(await first).toBe('a');
    }
    const accepted = ['b', 'c', 'd', 'e', 'f', 'g'].map((item) => submit(item));
    await turn();
    // b and c are under way; two full batches more would take 1,200 ms by the duration of the last statement.
    await expect(submit('h')).rejects.toMatchObject({ name: 'Refusal', code: 'OVERLOADED' });
    for (let n = 2; n <= 4; n++) {
      clock.ms += 100;
      await statement(n).commit();
    }
    expect(await Promise.all(accepted)).toEqual(['b', 'c', 'd', 'e', 'f', 'g']);
    expect(sent()).toEqual([['a'], ['a'], ['b', 'c'], ['d', 'e'], ['f', 'g']]);
  });

  it('is not judged by the first statement, which is planned, nor by one that lasts: those behind it need not', async () => {
    const clock = { ms: 0 };
    const { submit, statement } = scene({ waitLimitMs: 1000, maxBatch: 1, now: () => clock.ms });
    for (const [n, tookMs] of [900, 10].entries()) {
      const done = submit(`warm ${n}`);
      await turn();
      clock.ms += tookMs;
      await statement(n).commit();
      await done;
    }
    const crowd = [submit('a'), submit('b'), submit('c')];
    await turn();
    clock.ms += 900;
    crowd.push(submit('d'));
    for (let n = 2; n <= 5; n++) await statement(n).commit();
    expect(await Promise.all(crowd)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('ends for those who wait behind a statement without an answer, unwritten, whatever their key', async () => {
    const clock = { ms: 0 };
    const { batcher, submit, statement, sent } = scene({ waitLimitMs: 10, now: () => clock.ms });
    const first = submit('k:1');
    await turn();
    const waiting = [submit('k:2'), submit('x:1'), submit('x:2'), submit('free')];
    clock.ms = 10;
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes).toMatchObject(Array(4).fill({ reason: { code: 'OVERLOADED' } }));
    expect(batcher.backlog).toBe(0);
    clock.ms = 11;
    await expect(submit('new')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await statement(0).commit();
    expect(await first).toBe('k:1');
    const later = [submit('k:3'), submit('x:3')];
    await turn();
    await statement(1).commit();
    expect(await Promise.all(later)).toEqual(['k:3', 'x:3']);
    expect(sent()).toEqual([['k:1'], ['k:3', 'x:3']]);
    await batcher.drain();
  });
});

describe('bad items', () => {
  const good = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const cases: Record<string, readonly string[]> = {
    'one in the middle': ['a', 'b', 'c', 'bad', 'd', 'e', 'f', 'g'],
    'the first': ['bad', ...good],
    'the last': [...good, 'bad'],
    'two neighbours': ['a', 'bad1', 'bad2', 'b', 'c', 'd', 'e', 'f', 'g'],
    'two far apart': ['bad1', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'bad2'],
    'all of them': ['bad1', 'bad2', 'bad3', 'bad4', 'bad5'],
    'a single one': ['bad'],
  };

  it.each(Object.entries(cases))('fail alone: %s', async (_, items) => {
    const { batcher, written } = strictScene();
    const results = await Promise.allSettled(items.map((item) => batcher.submit(item)));
    const outcomes = results.map((result) =>
      result.status === 'fulfilled' ? result.value : (result.reason as { code: string }).code,
    );
    expect(outcomes).toEqual(items.map((item) => (item.startsWith('bad') ? '22P02' : item)));
    expect(written).toEqual(items.filter((item) => !item.startsWith('bad')));
  });

  it('cost a number of statements that grows with the logarithm of the batch', async () => {
    const { batcher, attempts } = strictScene({ maxBatch: 1024, maxBacklog: 1024 });
    const items = Array.from({ length: 1024 }, (_, i) => (i === 700 ? 'bad' : `good ${i}`));
    await Promise.allSettled(items.map((item) => batcher.submit(item)));
    expect(attempts).toHaveLength(1 + 2 * Math.log2(1024));
  });

  it('are not tried again, unless a race explains them', async () => {
    let attempts = 0;
    const { batcher } = strictScene({
      repeatAlone: (error) => (error as { code: string }).code === '23505',
      execute: (items) => {
        attempts++;
        return attempts < 3 ? Promise.reject(failure('23505')) : Promise.resolve(items);
      },
    });
    expect(await batcher.submit('a')).toBe('a');
    expect(attempts).toBe(3);
  });

  it('fail with their own error when the race is never won', async () => {
    let attempts = 0;
    const { batcher } = strictScene({
      repeatAlone: () => true,
      execute: () => {
        attempts++;
        return Promise.reject(failure('23505'));
      },
    });
    await expect(batcher.submit('a')).rejects.toMatchObject({ code: '23505' });
    expect(attempts).toBe(11);
  });
});

describe('a statement that the server rolled back', () => {
  it('is repeated whole after a deadlock', async () => {
    const { submit, statement, sent } = scene();
    const outcomes = ['a', 'b'].map(submit);
    await turn();
    await statement(0).fail(failure('40P01'));
    await statement(1).fail(failure('40001'));
    await statement(2).commit();
    expect(sent()).toEqual([
      ['a', 'b'],
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(await Promise.all(outcomes)).toEqual(['a', 'b']);
  });

  it('fails for good after ten repetitions, and the lane goes on', async () => {
    let attempts = 0;
    const { batcher } = strictScene({
      execute: (items) => {
        if (items.includes('later')) return Promise.resolve(items);
        attempts++;
        return Promise.reject(failure('40P01'));
      },
    });
    const results = await Promise.allSettled([batcher.submit('a'), batcher.submit('b')]);
    expect(results).toMatchObject([{ reason: { code: '40P01' } }, { reason: { code: '40P01' } }]);
    expect(attempts).toBe(11);
    expect(await batcher.submit('later')).toBe('later');
  });
});

describe('an item that lost a race', () => {
  it('goes again with the next statement, without those who won', async () => {
    const { submit, statement, sent } = scene();
    const [a, b] = ['a', 'b'].map(submit);
    await turn();
    void submit('c');
    await statement(0).commit(['A', again]);
    expect(await a).toBe('A');
    expect(sent()).toEqual([
      ['a', 'b'],
      ['c', 'b'],
    ]);
    await statement(1).commit(['C', 'B']);
    expect(await b).toBe('B');
  });

  it('fails when it loses every time', async () => {
    let attempts = 0;
    const { batcher } = strictScene({
      execute: () => {
        attempts++;
        return Promise.resolve([again]);
      },
    });
    await expect(batcher.submit('a')).rejects.toThrow('an item lost every race for its key');
    expect(attempts).toBe(11);
    expect(batcher.backlog).toBe(0);
  });
});

describe('a statement that is neither good nor bad data', () => {
  it.each(['CONNECTION_CLOSED', '57P01', '08006'])(
    'with an unknown outcome is reported to all and not repeated: %s',
    async (code) => {
      const { submit, statement, sent } = scene();
      const outcomes = ['a', 'b', 'c'].map(submit);
      await turn();
      await statement(0).fail(failure(code));
      const results = await Promise.allSettled(outcomes);
      expect(
        results.map((result) => (result.status === 'rejected' ? (result.reason as unknown) : result.value)),
      ).toEqual(Array(3).fill(expect.objectContaining({ code })));
      expect(sent()).toHaveLength(1);
    },
  );

  it('fails for all when there is no connection or a bug, and the next one runs', async () => {
    const { submit, statement } = scene();
    for (const [n, code] of ['ECONNREFUSED', '42P01', 'OUTCOME_UNKNOWN'].entries()) {
      const outcomes = ['a', 'b'].map(submit);
      await turn();
      await statement(n).fail(failure(code));
      for (const outcome of outcomes) await expect(outcome).rejects.toMatchObject({ code });
    }
    const last = submit('c');
    await turn();
    await statement(3).commit();
    expect(await last).toBe('c');
  });

  it('fails for the item that it forgot, and for no other', async () => {
    const { submit, statement } = scene();
    const [a, forgotten, c, beyond] = ['a', 'forgotten', 'c', 'beyond'].map(submit);
    await turn();
    await statement(0).commit(['A', undefined, 'C']);
    expect([await a, await c]).toEqual(['A', 'C']);
    await expect(forgotten).rejects.toThrow('scene: the statement gave no outcome for an item');
    await expect(beyond).rejects.toThrow('scene: the statement gave no outcome for an item');
  });

  it('fails its items when it throws before it is sent', async () => {
    const { batcher } = strictScene({
      execute: () => {
        throw new Error('a cell that cannot be written');
      },
    });
    await expect(batcher.submit('a')).rejects.toThrow('a cell that cannot be written');
    await batcher.drain();
  });
});

describe('drain', () => {
  it('finishes what is accepted and refuses what is new', async () => {
    const { batcher, submit, statement } = scene();
    const a = submit('a');
    await turn();
    const b = submit('b');
    const drained = batcher.drain();
    await expect(submit('c')).rejects.toMatchObject({ name: 'Refusal', code: 'SHUTTING_DOWN' });
    await statement(0).commit();
    expect(await isPending(drained)).toBe(true);
    await statement(1).commit();
    expect(await Promise.all([a, b])).toEqual(['a', 'b']);
    await drained;
  });

  it('resolves at once when nothing is there, and refuses ever after', async () => {
    const { batcher, submit } = scene();
    await batcher.drain();
    await expect(submit('a')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });

  it('waits for items of this very turn', async () => {
    const { batcher, submit, statement } = scene();
    const a = submit('a');
    const drained = batcher.drain();
    await turn();
    await statement(0).commit();
    await drained;
    expect(await a).toBe('a');
  });

  it('may be called twice, also after it is done: all callers wait for the same end', async () => {
    const { batcher, submit, statement } = scene();
    void submit('a');
    const first = batcher.drain();
    const second = batcher.drain();
    await turn();
    expect(await isPending(first)).toBe(true);
    expect(await isPending(second)).toBe(true);
    await statement(0).commit();
    await Promise.all([first, second]);
    await batcher.drain();
  });

  it('waits for items behind a key, and for those that go again', async () => {
    const { batcher, submit, statement } = scene({ lanes: 2 });
    const outcomes = ['k:1', 'k:2', 'k:3'].map(submit);
    const drained = batcher.drain();
    await turn();
    await statement(0).commit();
    await statement(1).commit([again]);
    await statement(2).commit();
    expect(await isPending(drained)).toBe(true);
    await statement(3).fail(failure('22P02'));
    await drained;
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { value: 'k:1' },
      { value: 'k:2' },
      { reason: { code: '22P02' } },
    ]);
  });
});

/** Mulberry32: small, seeded, and good enough to choose with. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Change {
  readonly key: string;
  readonly bad: boolean;
}

/** All or nothing, slow by a random number of turns, and unlucky. Records the written items of each key. */
class RandomDatabase {
  readonly written = new Map<string, Change[]>();
  readonly lost = new Set<Change>();
  /** Written, although the connection was lost before the answer. */
  readonly unsaid = new Set<Change>();
  /** The number of each event: a property that was never exercised proves nothing. */
  readonly happened = { deadlock: 0, 'lost connection': 0, again: 0, split: 0 };
  readonly #underWay = new Set<string>();
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  async execute(items: readonly Change[]): Promise<(number | typeof again)[]> {
    for (const { key } of items) {
      if (this.#underWay.has(key)) throw new Error(`${key} is under way twice`);
      this.#underWay.add(key);
    }
    for (let turns = Math.floor(this.#next() * 4); turns > 0; turns--) await turn();
    for (const { key } of items) this.#underWay.delete(key);
    return this.#finish(items);
  }

  #finish(items: readonly Change[]): (number | typeof again)[] {
    if (this.#next() < 0.1) throw this.#count('deadlock', '40P01');
    if (items.some(({ bad }) => bad)) throw this.#count('split', '23514');
    if (this.#next() < 0.03) {
      const committed = this.#next() < 0.5;
      for (const item of items) {
        if (committed) this.#write(item);
        (committed ? this.unsaid : this.lost).add(item);
      }
      throw this.#count('lost connection', 'CONNECTION_CLOSED');
    }
    return items.map((item) => (this.#next() < 0.1 ? this.#loses() : this.#write(item)));
  }

  #count(what: keyof RandomDatabase['happened'], code: string): Error {
    this.happened[what]++;
    return failure(code);
  }

  #loses(): typeof again {
    this.happened.again++;
    return again;
  }

  /** @returns the item's position among those of its key */
  #write(item: Change): number {
    const list = this.written.get(item.key) ?? [];
    this.written.set(item.key, list);
    return list.push(item);
  }
}

describe('whatever happens', () => {
  it.each(Array.from({ length: 30 }, (_, i) => i + 1))(
    'each item has the outcome that it would have alone (seed %i)',
    async (seed) => {
      const next = random(seed);
      const database = new RandomDatabase(next);
      const keys = 1 + Math.floor(next() * 30);
      const batcher = new Batcher<Change, number>({
        name: 'random',
        lanes: 1 + Math.floor(next() * 4),
        maxBatch: 1 + Math.floor(next() * 20),
        maxBacklog: 1000,
        keyOf: ({ key }) => key,
        execute: (items) => database.execute(items),
      });
      const submitted: { item: Change; outcome: Promise<number> }[] = [];
      for (let i = 0; i < 400; i++) {
        const item = { key: `key ${Math.floor(next() * keys)}`, bad: next() < 0.03 };
        const outcome = batcher.submit(item);
        outcome.catch(() => undefined);
        submitted.push({ item, outcome });
        if (next() < 0.1) await turn();
      }
      await batcher.drain();
      expect(batcher.backlog).toBe(0);

      const sequential = new Map<string, Change[]>();
      for (const { item, outcome } of submitted) {
        const result = await outcome.catch((error: unknown) => (error as { code: string }).code);
        const list = sequential.get(item.key) ?? [];
        if (!item.bad && !database.lost.has(item)) {
          sequential.set(item.key, list);
          list.push(item);
        }
        if (item.bad) expect(result).toBe('23514');
        else if (database.lost.has(item) || database.unsaid.has(item))
          expect(result).toBe('CONNECTION_CLOSED');
        else expect(result).toBe(list.length);
      }
      expect(database.written).toEqual(sequential);
      expect(Object.values(database.happened).filter((count) => count > 0).length).toBeGreaterThanOrEqual(3);
    },
  );
});
