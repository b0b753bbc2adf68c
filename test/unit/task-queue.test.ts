import { describe, expect, it } from 'vitest';
import {
  type Behalf,
  type TaskCost,
  TaskQueue,
  type TaskQueueOptions,
} from '../../src/threads/queue/task-queue.ts';
import type { Outcome } from '../../src/hashes/tasks.ts';

/** Batches that end when the test decides; `started` lists the tasks of each, in order. */
function scene(options: Partial<TaskQueueOptions<string, string>> = {}) {
  const started: string[] = [];
  const clock = { ms: 0 };
  const ends: { readonly end: () => void; readonly die: () => void }[] = [];
  const queue = new TaskQueue<string, string>({
    slots: 1,
    budgetBytes: 100,
    queueLimit: 100,
    now: () => clock.ms,
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
  const submit = (task: string, cost: Partial<TaskCost> = {}, behalf: Behalf = {}) => {
    const outcome = queue.submit(task, { bytes: 1, ms: 10, ...cost }, behalf);
    // A refusal that a test examines later must not count as unhandled until then.
    outcome.catch(() => undefined);
    return outcome;
  };
  const add = (task: string, cost: Partial<TaskCost> = {}, behalf: Behalf = {}) => {
    void submit(task, cost, behalf);
  };
  /** Ends the nth batch that started, from 0, and runs the continuations. */
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
  return { queue, clock, started, submit, add, end, die, endAll };
}

/** Runs all pending continuations. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const resultOf = async (outcome: Promise<Outcome<string>>): Promise<unknown> => {
  const got = await outcome;
  return 'result' in got ? got.result : got.error;
};

describe('what is handed over together', () => {
  it('is a share of what waits, the rest is for the other slots; every task has its own outcome', async () => {
    const { started, submit, endAll, queue } = scene({ slots: 2 });
    const outcomes = ['a', 'b', 'c', 'd', 'e', 'f'].map((task) => submit(task));
    await turn();
    expect(started).toEqual(['a', 'b']);
    expect([queue.running, queue.waiting, queue.bytesInFlight]).toEqual([2, 4, 2]);
    await endAll();
    expect(started).toEqual(['a', 'b', 'c d', 'e', 'f']);
    expect(await Promise.all(outcomes.map(resultOf))).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
    expect([queue.running, queue.waiting, queue.bytesInFlight]).toEqual([0, 0, 0]);
  });

  it('is brief: 50 ms by the estimates, 16 tasks at most', async () => {
    const { started, add, endAll } = scene();
    add('a');
    for (const task of ['b', 'c', 'd']) add(task, { ms: 23 });
    add('e', { ms: 57 });
    add('f', { ms: 1 });
    add('g', { ms: 1, isAlone: true });
    for (let n = 0; n < 17; n += 1) add(String(n), { ms: 0 });
    await turn();
    await endAll();
    expect(started).toEqual(['a', 'b c', 'd', 'e', 'f', 'g', '0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15', '16']);
  });

  it('takes no more memory than its first task does', async () => {
    const { started, add, end, endAll, queue } = scene();
    add('a');
    add('b', { bytes: 40 });
    add('c', { bytes: 40 });
    add('d', { bytes: 41 });
    add('e', { bytes: 2 });
    await end(0);
    expect([queue.waiting, queue.bytesInFlight]).toEqual([2, 40]);
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
    const { started, submit, end, die, queue } = scene();
    const outcomes = ['a', 'b', 'c', 'd'].map((task) => submit(task));
    await end(0);
    await die(1);
    expect([started, queue.running]).toEqual([['a', 'b c d', 'b'], 1]);
    await end(2);
    await die(3);
    await end(4);
    expect(started).toEqual(['a', 'b c d', 'b', 'c', 'd']);
    const results = await Promise.all(outcomes.map(resultOf));
    expect(results).toEqual(['A', 'B', new Error('thread died'), 'D']);
    expect([queue.running, queue.waiting, queue.bytesInFlight]).toEqual([0, 0, 0]);
  });

  it('that answers for fewer tasks than it was given fails those', async () => {
    const { submit } = scene({ run: () => Promise.resolve([]) });
    expect(String(await resultOf(submit('a')))).toContain('fewer outcomes');
  });
});

describe('a caller who has left', () => {
  it('is not computed for, and what waits behind moves up', async () => {
    const { queue, started, submit, endAll } = scene();
    const caller = new AbortController();
    const left = [submit('b', {}, caller), submit('c', {}, caller)];
    const others = [submit('d'), submit('e')];
    expect(started).toEqual(['b']);
    caller.abort(new Error('left'));
    await expect(left[1]).rejects.toThrow('left');
    await expect(submit('f', {}, caller)).rejects.toThrow('left');
    expect(queue.waiting).toBe(2);
    await endAll();
    expect(started).toEqual(['b', 'd e']);
    // A task that has begun is completed: no caller waits for its outcome, but the slot was taken.
    expect(await Promise.all(others.map(resultOf))).toEqual(['D', 'E']);
    expect(await left[0]).toMatchObject({ result: 'B' });
  });

  it('frees the memory that its task was waiting for', async () => {
    const { started, add, submit } = scene({ slots: 2 });
    const caller = new AbortController();
    add('a', { bytes: 60 });
    const large = submit('large', { bytes: 60 }, caller);
    add('small');
    await turn();
    expect(started).toEqual(['a']);
    caller.abort(new Error('left'));
    await expect(large).rejects.toThrow('left');
    expect(started).toEqual(['a', 'small']);
  });

  it('no longer makes the wait of others longer', async () => {
    const { submit, add } = scene({ waitLimitMs: 1000 });
    const caller = new AbortController();
    add('a', { ms: 100 });
    for (let n = 0; n < 5; n += 1) add(String(n), { ms: 100 }, caller);
    await expect(submit('refused')).rejects.toMatchObject({ code: 'OVERLOADED' });
    caller.abort(new Error('left'));
    const outcome = await Promise.race([submit('accepted'), turn().then(() => 'waits')]);
    expect(outcome).toBe('waits');
  });
});

describe('the time that a request may wait', () => {
  const hash = { ms: 100 };

  it('bounds what is let in, by what waits and what runs; one for each slot may always wait', async () => {
    const { queue, submit, add } = scene({ slots: 2, waitLimitMs: 1000 });
    for (let n = 0; n < 10; n += 1) add(String(n), hash);
    expect([queue.running, queue.waiting]).toEqual([2, 8]);
    add('the last', hash);
    await expect(submit('one more')).rejects.toMatchObject({ code: 'OVERLOADED', http: 503 });
    expect(() => {
      queue.requireRoom();
    }).toThrow('busy');

    const dear = scene({ slots: 2, waitLimitMs: 1000 });
    for (let n = 0; n < 4; n += 1) dear.add(String(n), { ms: 5000 });
    expect([dear.queue.running, dear.queue.waiting]).toEqual([2, 2]);
    await expect(dear.submit('one more')).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryAfterSeconds: 10,
    });
  });

  it('is reckoned with the memory that is there: four slots are one, if only one hash fits', async () => {
    const { submit, add } = scene({ slots: 4, waitLimitMs: 1000 });
    for (let n = 0; n < 7; n += 1) add(String(n), { ...hash, bytes: 100 });
    await expect(submit('one more')).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('is reckoned with what such tasks have taken lately, not with what was estimated', async () => {
    const { clock, queue, add, end, submit } = scene({ waitLimitMs: 1000 });
    for (let n = 0; n < 30; n += 1) {
      add(String(n), hash);
      clock.ms += 400;
      await end(n);
    }
    expect([queue.running, queue.waiting]).toEqual([0, 0]);
    add('runs', hash);
    add('waits', hash);
    await expect(submit('one more', hash)).rejects.toMatchObject({ code: 'OVERLOADED' });
  });

  it('ends with a refusal for tasks whose time is over, while others are still waited for', async () => {
    const { queue, clock, add, submit, endAll, started } = scene({ slots: 1, waitLimitMs: 10 });
    add('runs');
    const late = submit('late');
    clock.ms = 10;
    await expect(late).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(queue.waiting).toBe(0);
    const next = submit('next');
    await endAll();
    expect(started).toEqual(['runs', 'next']);
    expect(await resultOf(next)).toBe('NEXT');
  });
});

describe('the order', () => {
  const hash = { ms: 100 };

  it('is that of arrival while the queue is short', async () => {
    const { clock, started, add, endAll } = scene({ waitLimitMs: 10_000 });
    for (const task of ['a', 'b', 'c', 'd']) {
      add(task, hash);
      clock.ms += 100;
    }
    await endAll();
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('is that of recent tasks, once one has waited for long, and then the newest of the others', async () => {
    const { clock, started, add, submit, end, endAll } = scene({ waitLimitMs: 10_000 });
    add('a', { ms: 2600 });
    for (const task of ['b', 'c', 'd']) add(task, hash);
    clock.ms = 2600;
    await end(0);
    expect(started).toEqual(['a', 'd']);
    // Few tasks are accepted now, and soon served: none of them is overtaken.
    for (let n = 0; n < 8; n += 1) add(String(n), hash);
    await expect(submit('one more', hash)).rejects.toMatchObject({ code: 'OVERLOADED' });
    await endAll();
    expect(started).toEqual(['a', 'd', '0', '1', '2', '3', '4', '5', '6', '7', 'c', 'b']);
  });

  it('is as before, and as much is let in, after it was calm for as long as one may wait', async () => {
    const { clock, started, add, submit, end, endAll } = scene({ waitLimitMs: 10_000 });
    add('a', { ms: 2600 });
    for (const task of ['b', 'c']) add(task, hash);
    clock.ms = 2600;
    await end(0);
    await endAll();
    add('d', { ms: 2000 });
    add('e', hash);
    await expect(submit('too long', hash)).rejects.toMatchObject({ code: 'OVERLOADED' });
    await endAll();
    clock.ms = 20_000;
    add('x', { ms: 2000 });
    for (const task of ['y', 'z']) add(task, hash);
    await endAll();
    expect(started).toEqual(['a', 'c', 'b', 'd', 'e', 'x', 'y', 'z']);
  });

  it('lets no task overtake the one whose turn it is, though it waits for memory', async () => {
    const { clock, started, add, end } = scene({ slots: 2, waitLimitMs: 1000 });
    add('a', { bytes: 60 });
    add('large', { bytes: 60 });
    clock.ms = 300;
    add('small');
    await end(0);
    expect(started).toEqual(['a', 'large', 'small']);
  });

  it('puts the background after all others, and first once a second', async () => {
    const background = { isBackground: true };
    const { clock, started, add, end } = scene({ waitLimitMs: 100_000 });
    add('a', hash);
    for (const task of ['x', 'y', 'z']) add(task, hash, background);
    for (let n = 1; n < 9; n += 1) add(String(n), hash);
    for (let n = 0; n < 6; n += 1) {
      clock.ms += 400;
      await end(n);
    }
    expect(started).toEqual(['a', 'x', '1', '2', 'y', '3', '4']);
  });
});

describe('closing', () => {
  it('refuses what is new, also what would have joined, and finishes what was accepted', async () => {
    const { queue, started, submit, endAll } = scene({ queueLimit: 2 });
    const accepted = ['a', 'b', 'c'].map((task) => submit(task));
    queue.close();
    await expect(submit('d')).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    await turn();
    await endAll();
    await queue.drained();
    expect(started).toEqual(['a', 'b c']);
    expect(await Promise.all(accepted.map(resultOf))).toEqual(['A', 'B', 'C']);
  });
});
