import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamMemory } from '../../src/http/request/memory.ts';

const mib = 2 ** 20;

test('bodies enter while there is a share for each, a short one with its length', () => {
  const memory = new StreamMemory(8 * mib);
  const [first, second] = [memory.enter(), memory.enter(100 * mib)];
  expect([typeof first, typeof second, memory.enter(1)]).toEqual(['function', 'function', undefined]);
  first?.();
  expect(memory.enter(3 * mib)).toBeTypeOf('function');
  expect(memory.enter(mib)).toBeTypeOf('function');
  expect(memory.enter(1)).toBeUndefined();
});

test('one body may always enter, and has a block, however small the memory is', () => {
  const memory = new StreamMemory(1);
  expect(memory.enter()).toBeTypeOf('function');
  expect(memory.enter(1)).toBeUndefined();
  expect([memory.take()?.length, memory.take()]).toEqual([mib / 2, undefined]);
});

test('blocks are given out up to the limit, and again', () => {
  const memory = new StreamMemory(mib);
  const [one, other] = [memory.take(), memory.take()];
  expect([memory.take(), memory.usedBytes]).toEqual([undefined, mib]);
  if (one !== undefined) memory.giveBack(one);
  expect(other).not.toBe(one);
  expect(memory.take()).toBe(one);
});

test('blocks made ready ahead count, and are the ones that are given out', async () => {
  const memory = new StreamMemory(2 * mib);
  await Promise.all([memory.warmUp(), memory.warmUp()]);
  expect(memory.usedBytes).toBe(0);
  for (let n = 0; n < 4; n++) expect(memory.take()).toBeDefined();
  expect(memory.take()).toBeUndefined();
});

test('senders are read from one after the other, and only while three quarters of it are free', async () => {
  const memory = new StreamMemory(2 * mib);
  const blocks = [memory.take(), memory.take(), memory.take()];
  const read: string[] = [];
  const ask = (name: string) => () => void read.push(name);
  const gone = ask('gone');
  for (const each of [ask('a'), gone, ask('b')]) memory.whenRoom(each);
  memory.forget(gone);
  expect(read).toEqual([]);
  const [one, other] = blocks;
  if (one !== undefined) memory.giveBack(one);
  expect([memory.usedBytes, read]).toEqual([mib, []]);
  if (other !== undefined) memory.giveBack(other);
  expect(read).toEqual(['a']);
  await turn();
  await turn();
  await turn();
  expect(read).toEqual(['a', 'b']);
});
