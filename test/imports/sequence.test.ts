import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Admission } from '../../src/imports/chunks/admission.ts';
import { ChunkSequence, type Step } from '../../src/imports/chunks/commit-order.ts';
import type { CommittedChunk, Moves } from '../../src/imports/chunks/recent-commits.ts';
import { intersect } from '../../src/imports/sorted-numbers.ts';
import { randomOf } from '../helpers/random-records.ts';

const keys = (...numbers: number[]): Float64Array => Float64Array.from(numbers);

/** Runs all pending continuations. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise has settled by now, and how. */
function watch(promise: Promise<unknown>): { state: string } {
  const watched = { state: 'waits' };
  promise.then(
    () => (watched.state = 'done'),
    (error: unknown) => (watched.state = String(error)),
  );
  return watched;
}

/** One that has seen no user. */
const chunk = (moves: Moves = 'nothing', claimed: number[] = []): CommittedChunk => ({
  moves,
  claimed,
  seen: { unchanged: keys(), touched: keys(), inOneRow: false },
});

/** Steps that have each reported their keys. */
async function reported(sequence: ChunkSequence, ...found: Float64Array[]): Promise<Step[]> {
  const steps = found.map(() => sequence.begin());
  await Promise.all(steps.map((step, n) => step.reportParsed(1, found[n] ?? keys())));
  return steps;
}

const at = (steps: readonly Step[], n: number): Step => {
  const step = steps[n];
  if (!step) throw new Error('no such step');
  return step;
};

describe('the lines before a chunk', () => {
  it('are known once all chunks before it are parsed, in whatever order that happens', async () => {
    const sequence = new ChunkSequence(Promise.resolve(100));
    const [first, second, third] = [sequence.begin(), sequence.begin(), sequence.begin()];
    const lines: number[] = [];
    const third_ = third.reportParsed(5, keys()).then((before) => lines.push(before));
    const second_ = second.reportParsed(20, keys()).then((before) => lines.push(before));
    await settle();
    expect(lines).toEqual([]);
    expect(await first.reportParsed(3, keys())).toBe(100);
    await Promise.all([second_, third_]);
    expect(lines).toEqual([103, 123]);
  });

  it('are known after the chunk before was committed, too', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const first = sequence.begin();
    await first.reportParsed(7, keys());
    sequence.commit(first, chunk());
    expect(await sequence.begin().reportParsed(1, keys())).toBe(7);
  });
});

describe('a step', () => {
  it('may enter when the one before has a lane', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2), keys(3));
    const entering = steps.map((step) => watch(step.mayEnter()));
    await settle();
    expect(entering.map(({ state }) => state)).toEqual(['done', 'waits', 'waits']);
    at(steps, 0).enter();
    await settle();
    expect(entering.map(({ state }) => state)).toEqual(['done', 'done', 'waits']);
  });

  it('may not enter before it has reported its keys', async () => {
    const step = new ChunkSequence(Promise.resolve(0)).begin();
    const entering = watch(step.mayEnter());
    await settle();
    expect(entering.state).toBe('waits');
    await step.reportParsed(1, keys());
    await settle();
    expect(entering.state).toBe('done');
  });

  it('waits for the commit of every earlier one with which it shares a key', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1, 5), keys(2), keys(5, 9), keys(7));
    for (const step of steps.slice(0, 2)) step.enter();
    const third = watch(at(steps, 2).mayEnter());
    sequence.commit(at(steps, 1), chunk());
    await settle();
    expect(third.state).toBe('waits');
    sequence.commit(at(steps, 0), chunk());
    await settle();
    expect(third.state).toBe('done');
  });

  it('is not held up by a key of one that was committed before it began', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const [first] = await reported(sequence, keys(1));
    if (!first) throw new Error('no step');
    first.enter();
    sequence.commit(first, chunk());
    const [second] = await reported(sequence, keys(1));
    expect(await second?.mayEnter()).toBeUndefined();
  });

  it('has its turn when the one before is committed', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2), keys(3));
    const turns = steps.map((step) => watch(step.isNext()));
    await settle();
    expect(turns.map(({ state }) => state)).toEqual(['done', 'waits', 'waits']);
    sequence.commit(at(steps, 0), chunk());
    await settle();
    expect(turns.map(({ state }) => state)).toEqual(['done', 'done', 'waits']);
  });

  it('is written again when its turn does not come in time', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2));
    expect(await at(steps, 1).isNextWithin(1)).toBe('patience');
    sequence.commit(at(steps, 0), chunk());
    expect(await at(steps, 1).isNextWithin(60_000)).toBeUndefined();
  });
});

describe('a step that fails', () => {
  it('fails the chunks that wait for it, and their turns', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const [first, second] = [sequence.begin(), sequence.begin()];
    const waiting = [second.reportParsed(1, keys(1)), second.isNext(), second.isNextWithin(60_000)].map(
      watch,
    );
    sequence.fail(first, new Error('broken'));
    await settle();
    expect(waiting.map(({ state }) => state)).toEqual(Array(3).fill('Error: broken'));
  });

  it('fails those that share a key with it, after it reported its keys', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(1));
    at(steps, 0).enter();
    const entering = watch(at(steps, 1).mayEnter());
    sequence.fail(at(steps, 0), new Error('broken'));
    await settle();
    expect(entering.state).toBe('Error: broken');
  });

  it('is no error where no chunk waits', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    sequence.fail(sequence.begin(), new Error('broken'));
    await settle();
    await expect(sequence.settled()).rejects.toThrow('broken');
  });
});

describe('a chunk that was written', () => {
  const looked = { ...chunk(), keys: keys(), comparesPrimaries: false, needsNeighbours: false };

  it('is written again when keys have moved since it looked, and then not', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2), keys(3));
    const before = sequence.commits.count;
    sequence.commit(at(steps, 0), chunk('known', [2]));
    const between = sequence.commits.count;
    const why = (commits: number, stated = keys(2)) =>
      sequence.whyAgain(at(steps, 1), { ...looked, keys: stated, commits });
    expect([await why(before), await why(before, keys(3)), await why(between)]).toEqual([
      'keys-moved',
      undefined,
      undefined,
    ]);
    sequence.commit(at(steps, 1), chunk());
    const last = (commits: number) => sequence.whyAgain(at(steps, 2), { ...looked, keys: keys(2), commits });
    expect([await last(between), await last(sequence.commits.count)]).toEqual([undefined, undefined]);
  });

  it('is written again when it depends on its neighbours, and one was committed since it looked', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2));
    const before = sequence.commits.count;
    sequence.commit(at(steps, 0), chunk());
    const why = (commits: number) =>
      sequence.whyAgain(at(steps, 1), { ...looked, needsNeighbours: true, commits });
    expect([await why(before), await why(sequence.commits.count)]).toEqual(['neighbour-moved', undefined]);
  });

  it('does not wait for a turn that would be in vain', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2), keys(3));
    const long = 60_000;
    const [second, third] = [1, 2].map((place) => watch(at(steps, place).isNextWithin(long)));
    const moving = watch(sequence.whyAgain(at(steps, 1), { ...looked, moves: 'unknown', commits: 0 }, long));
    expect(await sequence.whyAgain(at(steps, 2), { ...looked, commits: 0 }, long)).toBe('keys-moved');
    await settle();
    expect([second?.state, moving.state, third?.state]).toEqual(['waits', 'waits', 'done']);
    sequence.commit(at(steps, 0), chunk());
    sequence.commit(at(steps, 1), chunk('unknown'));
    expect(await at(steps, 2).isNextWithin(long)).toBeUndefined();
  });

  it('is written again when those before it are not committed in time', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const steps = await reported(sequence, keys(1), keys(2));
    expect(await sequence.whyAgain(at(steps, 1), { ...looked, commits: 0 }, 1)).toBe('patience');
  });
});

function exposedCollector(): () => void {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc') as () => void;
}

describe('many chunks', () => {
  it.each([1, 2, 3])('come through %i lanes in their order, whatever keys they share', async (lanes) => {
    const random = randomOf(lanes);
    const sequence = new ChunkSequence(Promise.resolve(0));
    const many = Number.MAX_SAFE_INTEGER;
    const lane = new Admission({ slots: lanes, budgetBytes: many, queueLimit: many });
    const pause = async () => {
      for (let n = random(4); n > 0; n--) await settle();
    };
    const [entered, committed] = [new Set<number>(), [] as number[]];
    const importOne = async (step: Step, n: number, found: Float64Array) => {
      await pause();
      expect(await step.reportParsed(2, found)).toBe(2 * n);
      await step.mayEnter();
      await lane.run(0, async () => {
        step.enter();
        entered.add(n);
        await pause();
        await step.isNext();
        committed.push(n);
      });
      sequence.commit(step, chunk());
    };
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        importOne(sequence.begin(), n, keys(random(20), 20 + random(20)).sort()),
      ),
    );
    expect(committed).toEqual(Array.from({ length: 200 }, (_, n) => n));
    expect(entered.size).toBe(200);
  });

  it('leave nothing behind but the last', async () => {
    const sequence = new ChunkSequence(Promise.resolve(0));
    const kept: WeakRef<Float64Array>[] = [];
    const passThrough = async () => {
      const found = new Float64Array(1000);
      kept.push(new WeakRef(found));
      const step = sequence.begin();
      await step.reportParsed(1, found);
      await step.mayEnter();
      step.enter();
      await step.isNext();
      sequence.commit(step, chunk());
    };
    for (let n = 0; n < 50; n++) await passThrough();
    const collectGarbage = exposedCollector();
    // The target of a WeakRef lives until the end of the turn in which it was used.
    for (let n = 0; n < 5; n++) {
      await settle();
      collectGarbage();
    }
    expect(kept.filter((each) => each.deref() !== undefined).length).toBeLessThanOrEqual(2);
  });
});

describe('sorted keys', () => {
  it('intersect where they have a value in common', () => {
    expect(intersect(keys(), keys())).toBe(false);
    expect(intersect(keys(1, 3, 5), keys(2, 4, 6))).toBe(false);
    expect(intersect(keys(1, 3, 5), keys(5))).toBe(true);
    expect(intersect(keys(7), keys(1, 3, 5, 7))).toBe(true);
  });
});
