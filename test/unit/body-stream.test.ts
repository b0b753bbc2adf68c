import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { BodyStream } from '../../src/http/request/body-stream.ts';
import type { NativeResponse } from '../../src/http/front-ends/native.ts';
import type { BodySink } from '../../src/http/response/outcome.ts';
import { StreamMemory } from '../../src/http/request/memory.ts';

const boundMib = 4;
/** uWebSockets.js drops a connection whose clock has run for this time without bytes, also one of which it awaits none. */
const libraryMs = 10_000;

afterEach(() => {
  vi.useRealTimers();
});

type Taker = Parameters<NativeResponse['onData']>[0];

/** A response of uWebSockets.js that delivers bytes as the test decides, however fast, and reads on when paused as its loop does. */
function start(memory = new StreamMemory(boundMib << 20)) {
  let take: Taker = () => undefined;
  let isPaused = false;
  let clockSince: number | undefined;
  const response = {
    onData: (taker: Taker) => (take = taker),
    pause: () => {
      isPaused = true;
      clockSince = undefined;
    },
    resume: () => {
      isPaused = false;
      clockSince = performance.now();
    },
  };
  const shutdown = new AbortController();
  const stream = new BodyStream(response as unknown as NativeResponse, {
    bodyBytes: undefined,
    memory,
    pace: { silenceMs: 60_000, leastBytes: 0, windowMs: 60_000 },
    shutdown: shutdown.signal,
  });
  return {
    stream,
    shutdown,
    memory,
    isPaused: () => isPaused,
    isDropped: () => clockSince !== undefined && performance.now() - clockSince >= libraryMs,
    bring: (bytes: Uint8Array, isLast = false) => {
      if (isLast) clockSince = undefined;
      take(bytes.slice().buffer, isLast);
    },
  };
}

function sinkWithoutRoom() {
  const given: Uint8Array[] = [];
  const room = Promise.withResolvers<undefined>();
  let aborts = 0;
  const sink: BodySink = {
    write: (bytes) => {
      given.push(bytes.slice());
      return false;
    },
    ready: () => room.promise,
    end: () => Promise.resolve({ status: 'OK' }),
    abort: () => {
      aborts++;
      return Promise.resolve();
    },
  };
  return { sink, given, room, aborts: () => aborts };
}

const megabyte = new Uint8Array(1 << 20);

test('what comes after a pause is kept up to its bound; then the upload is given up', async () => {
  const { stream, bring, memory } = start();
  const { sink, given, aborts } = sinkWithoutRoom();
  const outcome = stream.into(sink);
  await memory.warmUp();
  for (let n = 0; n < boundMib + 1; n++) bring(megabyte);
  expect(aborts()).toBe(0);
  bring(Uint8Array.of(1));
  await expect(outcome).rejects.toMatchObject({ code: 'OVERLOADED' });
  bring(megabyte, true);
  expect([given.length, aborts()]).toEqual([1, 1]);
  stream.close();
});

test('what comes before there is a sink is bounded alike', async () => {
  const { stream, bring } = start();
  const { sink, given, aborts } = sinkWithoutRoom();
  for (let n = 0; n <= boundMib; n++) bring(megabyte);
  await expect(stream.into(sink)).rejects.toMatchObject({ code: 'OVERLOADED' });
  expect([given.length, aborts()]).toEqual([0, 1]);
  stream.close();
});

test('what was kept is given in order, a block for each time that there is room, and then the end', async () => {
  const { stream, bring, memory } = start();
  const { sink, given, room } = sinkWithoutRoom();
  const pieces = Array.from({ length: 5 }, (_, n) => new Uint8Array(1 << 19).fill(n));
  const [first, second, ...others] = pieces;
  bring(first ?? megabyte);
  bring(second ?? megabyte);
  const outcome = stream.into(sink);
  await memory.warmUp();
  for (const [n, piece] of others.entries()) bring(piece, n === 2);
  expect(given).toEqual([first?.subarray(0, 1 << 17)]);
  room.resolve(undefined);
  expect(await outcome).toEqual({ status: 'OK' });
  expect(new Set(given.map(({ length }) => length))).toEqual(new Set([1 << 17]));
  expect(Buffer.concat(given).equals(Buffer.concat(pieces))).toBe(true);
  stream.close();
});

test('small pieces share a block, and a large one takes several', async () => {
  const { stream, bring, memory } = start();
  const { sink, given, room } = sinkWithoutRoom();
  for (const length of [1, 2, 1 << 20, 3]) bring(new Uint8Array(length).fill(length));
  const outcome = stream.into(sink);
  await memory.warmUp();
  bring(new Uint8Array(), true);
  room.resolve(undefined);
  expect(await outcome).toEqual({ status: 'OK' });
  expect(given.map(({ length }) => length)).toEqual([...Array<number>(8).fill(1 << 17), 6]);
  expect(Buffer.concat(given).subarray(-5)).toEqual(Buffer.of(0, 0, 3, 3, 3));
  stream.close();
});

test('a body that has arrived whole is not dropped by the library while it waits for room', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const { stream, bring, memory, isDropped } = start();
  const { sink, room } = sinkWithoutRoom();
  const outcome = stream.into(sink);
  await memory.warmUp();
  bring(megabyte);
  bring(megabyte, true);
  for (let second = 0; second < 60; second++) {
    vi.advanceTimersByTime(1000);
    expect(isDropped()).toBe(false);
  }
  room.resolve(undefined);
  expect(await outcome).toEqual({ status: 'OK' });
  stream.close();
});

test('a body that has arrived whole is not given up while it waits for room', async () => {
  const { stream, bring, shutdown, memory } = start();
  const { sink, room, aborts } = sinkWithoutRoom();
  const outcome = stream.into(sink);
  await memory.warmUp();
  bring(Uint8Array.of(1));
  bring(Uint8Array.of(2), true);
  shutdown.abort();
  stream.hangUp();
  room.resolve(undefined);
  expect(await outcome).toEqual({ status: 'OK' });
  expect(aborts()).toBe(0);
});

test('of senders that fill the receive buffer one is read from at a time, so a stall is met by one of them', async () => {
  const memory = new StreamMemory(8 << 20);
  await memory.warmUp();
  const buffer = new Uint8Array(1 << 19);
  const room = Promise.withResolvers<undefined>();
  let hasRoom = true;
  let aborts = 0;
  const sinkOf = (bytes: { taken: number }): BodySink => ({
    write: ({ length }) => {
      bytes.taken += length;
      return hasRoom;
    },
    ready: () => room.promise,
    end: () => Promise.resolve({ status: 'OK' }),
    abort: () => {
      aborts++;
      return Promise.resolve();
    },
  });
  const senders = Array.from({ length: 6 }, () => {
    const bytes = { taken: 0 };
    const started = start(memory);
    return { ...started, bytes, outcome: started.stream.into(sinkOf(bytes)) };
  });
  for (let round = 0; round < 30; round++) {
    await turn();
    for (const { bring, isPaused } of senders) if (!isPaused()) bring(buffer);
  }
  expect(senders.filter(({ isPaused }) => !isPaused()).length).toBeLessThanOrEqual(1);
  const taken = senders.map(({ bytes }) => bytes.taken / buffer.length);
  expect(Math.min(...taken)).toBeGreaterThan(2);
  hasRoom = false;
  // Bytes that the library reads after a pause: 4 MiB of each sender.
  for (const { bring, isPaused } of senders) if (!isPaused()) for (let n = 0; n < 8; n++) bring(buffer);
  expect(aborts).toBe(0);
  hasRoom = true;
  room.resolve(undefined);
  for (const { bring } of senders) {
    await turn();
    bring(Uint8Array.of(1), true);
  }
  for (const { outcome, stream } of senders) {
    expect(await outcome).toEqual({ status: 'OK' });
    stream.close();
  }
});
