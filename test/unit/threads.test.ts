import { setEnvironmentData } from 'node:worker_threads';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { threadsLoaded } from '../../src/threads/loading.ts';
import { startThreads, type Threads } from '../../src/threads/piscina.ts';
import { Gate, lateGate } from '../helpers/gate.ts';

const file = new URL('../helpers/late-worker.ts', import.meta.url);
let gate: Gate;
let threads: Threads<number, number>;

beforeEach(async () => {
  gate = new Gate();
  setEnvironmentData(lateGate, gate.asSignerKey.buffer);
  threads = startThreads<number, number>({ file, count: 2, maxQueue: 10 });
  await gate.arrivals(2);
});
afterEach(async () => {
  gate.open();
  await threads.close();
  setEnvironmentData(lateGate, undefined);
});

describe('threads that load their modules', () => {
  test('are waited for before a process may end', async () => {
    const isLoaded = vi.fn();
    const loaded = threadsLoaded().then(isLoaded);
    await setImmediate();
    expect(isLoaded).not.toHaveBeenCalled();
    gate.open();
    await loaded;
    expect(await threads.run(21)).toBe(42);
  });

  test('are waited for before they are ended', async () => {
    const closed = threads.close();
    await setImmediate();
    gate.open();
    await closed;
    expect(gate.passed).toBe(2);
    await threadsLoaded();
  });
});

describe('threads that start with their first task', () => {
  let onDemand: Threads<number, number>;
  beforeEach(() => {
    onDemand = startThreads<number, number>({ file, count: 2, startsWith: 1, maxQueue: 10 });
  });

  test('are started when tasks overlap, and no more of them than there may be', async () => {
    await gate.arrivals(3); // two of the other pool, and one here
    const results = Promise.all([1, 2, 3, 4].map((number) => onDemand.run(number)));
    await gate.arrivals(4);
    gate.open();
    expect(await results).toEqual([2, 4, 6, 8]);
    await onDemand.close();
    expect(gate.passed).toBe(4);
  });

  test('are waited for before they are ended, whether they are loading or have loaded long ago', async () => {
    // Closing does not wait for tasks: they may end before it or be ended by it.
    const both = Promise.allSettled([onDemand.run(1), onDemand.run(2)]);
    await gate.arrivals(4);
    const closed = onDemand.close();
    const isClosed = vi.fn();
    void closed.then(isClosed);
    await setImmediate();
    expect(isClosed).not.toHaveBeenCalled();
    gate.open();
    await both;
    await closed;
    await threads.close();
    await threadsLoaded();
  });
});
