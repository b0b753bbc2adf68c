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
