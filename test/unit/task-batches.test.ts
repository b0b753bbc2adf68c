import { describe, expect, it } from 'vitest';
import { TaskBatches, type TaskBatchesOptions, type TaskCost } from '../../src/task-batches.ts';
import type { Outcome } from '../../workers/protocol.ts';

/** Batches that end when the test says so; `started` lists what was handed over together, in order. */
function scene(options: Partial<TaskBatchesOptions<string, string>> = {}) {
  const started: string[] = [];
  const ends: { readonly end: () => void; readonly die: () => void }[] = [];
  const batches = new TaskBatches<string, string>({
    slots: 1,
    budgetBytes: 100,
    queueLimit: 100,
    run: (tasks) => {
      started.push(tasks.join(' '));
      const ending = Promise.withResolvers<readonly Outcome<string>[]>();
      ends.push({
        end: () => {
          ending.resolve(tasks.map((task) => ({ result: task.toUpperCase(), ms: 1 })));
        },
        die: () => {
          ending.reject(new Error('thread died'));
        },
      });
      return ending.promise;
    },
    ...options,
  });
  const submit = (task: string, cost: Partial<TaskCost> = {}) => {
    const outcome = batches.submit(task, { bytes: 1, ms: 10, ...cost });
    // A refusal that a test looks at later must not count as unhandled until then.
    outcome.catch(() => undefined);
    return outcome;
  };
  const add = (task: string, cost: Partial<TaskCost> = {}) => {
    void submit(task, cost);
  };
  /** Ends the nth batch that started, from 0, and lets follow what follows from it. */
  const settle = async (index: number, how: 'end' | 'die') => {
    await turn();
    ends[index]?.[how]();
    await turn();
  };
  const end = (index: number) => settle(index, 'end');
  const die = (index: number) => settle(index, 'die');
  const endAll = async () => {
    await turn();
    for (let index = 0; index < ends.length; index += 1) await end(index);
  };
  return { batches, started, submit, add, end, die, endAll };
}

/** Lets every continuation that is ready run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const resultOf = async (outcome: Promise<Outcome<string>>): Promise<unknown> => {
  const got = await outcome;
  return 'result' in got ? got.result : got.error;
};

describe('what is handed over together', () => {
  it('is what came while each slot had a batch waiting; every task has its own outcome', async () => {
    const { started, submit, endAll, batches } = scene({ slots: 2 });
    const outcomes = ['a', 'b', 'c', 'd', 'e', 'f'].map((task) => submit(task));
    await turn();
    expect(started).toEqual(['a', 'b']);
    expect([batches.running, batches.waiting, batches.bytesInFlight]).toEqual([2, 4, 2]);
    await endAll();
    expect(started).toEqual(['a', 'b', 'c', 'd e f']);
    expect(await Promise.all(outcomes.map(resultOf))).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect([batches.running, batches.waiting, batches.bytesInFlight]).toEqual([0, 0, 0]);
  });

  it('is brief: 50 ms by the estimates, 16 tasks at most', async () => {
    const { started, add, endAll } = scene();
    add('a');
    for (const task of ['b', 'c', 'd']) add(task, { ms: 23 });
    add('e', { ms: 57 });
    add('f', { ms: 1 });
    add('g', { ms: Infinity });
    for (let n = 0; n < 17; n += 1) add(String(n), { ms: 0 });
    await turn();
    await endAll();
    expect(started).toEqual(['a', 'b c', 'd', 'e', 'f', 'g', '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15', '16']);
  });

  it('takes no more memory than its first task does', async () => {
    const { started, add, end, endAll, batches } = scene();
    add('a');
    add('b', { bytes: 40 });
    add('c', { bytes: 40 });
    add('d', { bytes: 41 });
    add('e', { bytes: 2 });
    await end(0);
    expect([batches.waiting, batches.bytesInFlight]).toEqual([2, 40]);
    await endAll();
    expect(started).toEqual(['a', 'b c', 'd e']);
  });

  it('is only what waits: nothing joins a batch that has started', async () => {
    const { started, add, end, endAll } = scene();
    add('a');
    add('b');
    await end(0);
    add('c');
    add('d');
    await endAll();
    expect(started).toEqual(['a', 'b', 'c d']);
  });
});

describe('a queue with a limit', () => {
  it('counts tasks, not batches', async () => {
    const { started, submit, add, end, endAll } = scene({ queueLimit: 3 });
    for (const task of ['a', 'b', 'c', 'd']) add(task);
    await expect(submit('e')).rejects.toMatchObject({ code: 'OVERLOADED', http: 503 });
    await expect(submit('f', { ms: 60 })).rejects.toMatchObject({ code: 'OVERLOADED' });
    await end(0);
    const outcome = submit('g');
    await endAll();
    expect(started).toEqual(['a', 'b c d', 'g']);
    expect(await resultOf(outcome)).toBe('G');
  });

  it('may have no room at all', async () => {
    const { submit, endAll } = scene({ slots: 2, queueLimit: 0 });
    const outcomes = [submit('a'), submit('b')];
    await expect(submit('c')).rejects.toMatchObject({ code: 'OVERLOADED' });
    await turn();
    await endAll();
    expect(await Promise.all(outcomes.map(resultOf))).toEqual(['A', 'B']);
  });
});

describe('a batch that is lost with its thread', () => {
  it('is run again task by task, in its slot: only the task that ends threads fails', async () => {
    const { started, submit, end, die, batches } = scene();
    const outcomes = ['a', 'b', 'c', 'd'].map((task) => submit(task));
    await end(0);
    await die(1);
    expect([started, batches.running]).toEqual([['a', 'b c d', 'b'], 1]);
    await end(2);
    await die(3);
    await end(4);
    expect(started).toEqual(['a', 'b c d', 'b', 'c', 'd']);
    const results = await Promise.all(outcomes.map(resultOf));
    expect(results).toEqual(['A', 'B', new Error('thread died'), 'D']);
    expect([batches.running, batches.waiting, batches.bytesInFlight]).toEqual([0, 0, 0]);
  });

  it('that answers for fewer tasks than it was given fails those', async () => {
    const { submit } = scene({ run: () => Promise.resolve([]) });
    expect(String(await resultOf(submit('a')))).toContain('fewer outcomes');
  });
});

describe('closing', () => {
  it('refuses what is new, also what would have joined, and finishes what was accepted', async () => {
    const { batches, started, submit, endAll } = scene({ queueLimit: 2 });
    const accepted = ['a', 'b', 'c'].map((task) => submit(task));
    batches.close();
    await expect(submit('d')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    await turn();
    await endAll();
    await batches.drained();
    expect(started).toEqual(['a', 'b c']);
    expect(await Promise.all(accepted.map(resultOf))).toEqual(['A', 'B', 'C']);
  });
});
