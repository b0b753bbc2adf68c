import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { StreamMemory } from '../../src/http/request/memory.ts';

const mib = 2 ** 20;

const block = mib / 8;

test('bodies enter while there is a share for each, a short one with its length', () => {
  const memory = new StreamMemory(2 * block);
  const [first, second] = [memory.enter(), memory.enter(100 * mib)];
  expect([typeof first, typeof second, memory.enter(1)]).toEqual(['function', 'function', undefined]);
  first?.();
  expect(memory.enter(block - 1)).toBeTypeOf('function');
  expect(memory.enter(1)).toBeTypeOf('function');
  expect(memory.enter(1)).toBeUndefined();
});

test('one body may always enter, and has a block, however small the memory is', () => {
  const memory = new StreamMemory(1);
  expect(memory.enter()).toBeTypeOf('function');
  expect(memory.enter(1)).toBeUndefined();
  expect([memory.take()?.length, memory.take()]).toEqual([block, undefined]);
});

test('blocks are given out up to the limit, and again', () => {
  const memory = new StreamMemory(2 * block);
  const [one, other] = [memory.take(), memory.take()];
  expect([memory.take(), memory.usedBytes]).toEqual([undefined, 2 * block]);
  if (one !== undefined) memory.giveBack(one);
  expect(other).not.toBe(one);
  expect(memory.take()).toBe(one);
});

test('what one sender may bring after a pause is there above a lower limit, and begins no other', () => {
  const memory = new StreamMemory(2 * block, 8 * block);
  const blocks = Array.from({ length: 8 }, () => memory.take());
  expect([blocks.includes(undefined), memory.take(), memory.hasRoom]).toEqual([false, undefined, false]);
  for (const each of blocks.slice(1)) if (each !== undefined) memory.giveBack(each);
  expect([memory.usedBytes, memory.hasRoom]).toEqual([block, false]);
});

test('blocks made ready ahead count, and are the ones that are given out', async () => {
  const memory = new StreamMemory(16 * block);
  await Promise.all([memory.warmUp(), memory.warmUp()]);
  expect(memory.usedBytes).toBe(0);
  for (let n = 0; n < 16; n++) expect(memory.take()).toBeDefined();
  expect(memory.take()).toBeUndefined();
});

const settled = async () => {
  for (let n = 0; n < 3; n++) await turn();
};

test('senders are read from one after the other, and only while three quarters of it are free', async () => {
  const memory = new StreamMemory(4 * block);
  const blocks = [memory.take(), memory.take(), memory.take()];
  const read: string[] = [];
  const ask = (name: string) => () => void read.push(name);
  const gone = ask('gone');
  for (const each of [ask('a'), gone, ask('b')]) memory.whenRoom(each);
  memory.forget(gone);
  expect(read).toEqual([]);
  const [one, other] = blocks;
  if (one !== undefined) memory.giveBack(one);
  expect([memory.usedBytes, read]).toEqual([2 * block, []]);
  if (other !== undefined) memory.giveBack(other);
  expect(read).toEqual(['a']);
  await settled();
  expect(read).toEqual(['a', 'b']);
});

test('one of the senders that fill the receive buffer reads on; with others waiting each has one turn', async () => {
  const memory = new StreamMemory(mib);
  const read: string[] = [];
  const [a, b] = ['a', 'b'].map((name) => () => void read.push(name)) as [() => void, () => void];
  expect([memory.mayReadOn(a), memory.mayReadOn(a), memory.mayReadOn(b)]).toEqual([true, true, false]);
  memory.whenRoom(b);
  expect([read, memory.mayReadOn(a)]).toEqual([['b'], false]);
  memory.whenRoom(a);
  expect([read, memory.mayReadOn(b)]).toEqual([['b'], false]);
  await settled();
  expect(read).toEqual(['b', 'a']);
  memory.forget(a);
  expect(memory.mayReadOn(b)).toBe(true);
});
