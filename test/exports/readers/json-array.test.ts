import { describe, expect, it } from 'vitest';
import { listUnder } from '../../../src/exports/readers/list-path.ts';
import { readJsonArray } from '../../../src/exports/readers/table.ts';
import { recordBytesLimit } from '../../../src/exports/readers/raw.ts';
import { randomNumbers } from '../../helpers/mutations.ts';
import { cut, recordsOf } from '../../helpers/readers.ts';

const read = (text: string, path: readonly string[] = [], sizes?: (bound: number) => number) =>
  recordsOf(readJsonArray(cut(text, sizes), listUnder(path)));

describe('the elements of a JSON array', () => {
  it('are found at the top and under keys, with whatever is around them', async () => {
    expect(await read('[{"a":1}, {"b":[2]}\n]')).toEqual(['{"a":1}', '{"b":[2]}']);
    expect(await read('{"users": [ {"a":1} ,{}\r\n]}', ['users'])).toEqual(['{"a":1}', '{}']);
    expect(
      await read('{"x":{"users":[9]},"n":null,"l":["users",[1]],"data":{"y":1,"users":[{"a":1}]},"z":"]"}', [
        'data',
        'users',
      ]),
    ).toEqual(['{"a":1}']);
  });

  it('are distinguished from text that looks like structure', async () => {
    const tricky = JSON.stringify({ a: '"}],[{\\', 'users":[': '\\"', é: '\u2028]' });
    expect(await read(`{"users_":[1],"name":"users","users":[${tricky},${tricky}]}`, ['users'])).toEqual([
      tricky,
      tricky,
    ]);
  });

  it('may be of any kind, and none at all', async () => {
    expect(await read('[1,"a, b]",null , true,[[]],-1.5e3]')).toEqual([
      '1',
      '"a, b]"',
      'null',
      'true',
      '[[]]',
      '-1.5e3',
    ]);
    expect(await read(' [ ] ')).toEqual([]);
    expect(await read('{"users":[]}', ['users'])).toEqual([]);
  });

  it('are every array of that name, and not a value that is no array', async () => {
    expect(await read('{"a":[1],"b":{"a":[5]},"a":[2]}', ['a'])).toEqual(['1', '2']);
    await expect(read('{"a":{"a":[1]}}', ['a'])).rejects.toThrow('no array "a"');
  });

  it('of a table that may be missing are empty', async () => {
    expect(await recordsOf(readJsonArray(cut('{"b":[1]}'), listUnder(['a']), { isRequired: false }))).toEqual(
      [],
    );
  });

  it('are the objects themselves where they are indented one after the other', async () => {
    expect(await read('{\n "a": 1\n}\n{"b": 2}\n')).toEqual(['{\n "a": 1\n}', '{"b": 2}']);
  });

  it('are the same however the file is cut', async () => {
    const random = randomNumbers(7);
    const elements = Array.from({ length: 300 }, (_, place) =>
      JSON.stringify({ place, text: '"[{\\é,'.repeat(random(20)), list: [place, { a: null }] }),
    );
    const text = `{"head":{"users":[0]},"users":[${elements.join(' ,\n ')}],"tail":"]}"}`;
    for (let round = 0; round < 20; round += 1) {
      const size = 1 + random(64);
      expect(await read(text, ['users'], () => 1 + random(size))).toEqual(elements);
    }
  });

  it('over the limit keep their place and nothing else', async () => {
    const large = `"${'x'.repeat(recordBytesLimit)}"`;
    const batches = [];
    for await (const batch of readJsonArray(
      cut(`[1,${large},2]`, () => 65_536),
      listUnder([]),
    ))
      batches.push(batch);
    expect(batches.map(({ oversized }) => oversized)).toEqual([[1]]);
    expect(Buffer.from(batches[0]?.bytes ?? []).toString()).toBe('12');
    expect([...(batches[0]?.ends ?? [])]).toEqual([1, 1, 2]);
  });

  it('nested without end are refused', async () => {
    await expect(read('['.repeat(600))).rejects.toThrow('nested deeper than 512');
  });

  it.each([
    ['[{"a":1}', 'ends early'],
    ['[{"a":1},', 'ends early'],
    ['{"users":[{"a":"', 'ends early'],
    ['{"users":[1]', 'ends early'],
    ['', 'empty'],
    ['  \n ', 'empty'],
    ['nonsense', 'at byte 0: this is no JSON document'],
    ['[1 2]', 'at byte 3: a comma is missing'],
    ['[1,]', 'at byte 3: there is a comma without an element after it'],
    ['[,1]', 'at byte 1: there is a comma without an element before it'],
    ['[{"a":1}}', 'at byte 8: a comma is missing'],
    ['[{"a":]}]', 'at byte 6: a bracket closes'],
    ['[1] [2]', 'at byte 4: something follows'],
    ['[1]{"a":1}', 'at byte 3: something follows'],
    ['[@]', 'at byte 1: here begins nothing'],
  ])('of %j are refused with the place: %s', async (text, message) => {
    await expect(read(text, text.startsWith('{') ? ['users'] : [])).rejects.toThrow(message);
    await expect(read(text, text.startsWith('{') ? ['users'] : [], () => 1)).rejects.toThrow(message);
  });
});
