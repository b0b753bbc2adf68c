import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openCsv } from '../../../src/exports/readers/csv.ts';
import { openInput } from '../../../src/exports/readers/input.ts';
import { readLines, findTable, openTable } from '../../../src/exports/readers/table.ts';
import { readSamples } from '../../../src/exports/readers/sample.ts';
import type { Place } from '../../../src/exports/providers/provider.ts';
import { randomNumbers } from '../../helpers/mutations.ts';
import { cut, recordsOf } from '../../helpers/readers.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

let made = 0;
function fileOf(content: string | Uint8Array): string {
  made += 1;
  const file = path.join(folder, `file-${made}`);
  writeFileSync(file, content);
  return file;
}

async function textOf(file: string, chunkBytes?: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const chunk of (await openInput(file, { chunkBytes })).chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

describe('a file', () => {
  it('is read without its byte order mark, plain or as gzip whatever its name', async () => {
    const text = '\ufeffé'.repeat(3);
    for (const content of [Buffer.from(text), gzipSync(text)])
      for (const size of [1, 2, 5, undefined])
        expect(await textOf(fileOf(content), size)).toBe(text.slice(1));
    expect(await textOf(fileOf('a'))).toBe('a');
    expect(await textOf(fileOf(''))).toBe('');
  });

  it('of several gzip members is read as one', async () => {
    expect(await textOf(fileOf(Buffer.concat([gzipSync('ab'), gzipSync('cd')])))).toBe('abcd');
  });

  it('is refused when it is not there, or gzip that is cut off or damaged', async () => {
    const zipped = gzipSync('x'.repeat(10_000) + Math.PI.toString());
    await expect(textOf(path.join(folder, 'none'))).rejects.toThrow('cannot be read: ENOENT');
    await expect(textOf(folder)).rejects.toThrow('cannot be read: EISDIR');
    await expect(textOf(fileOf(zipped.subarray(0, -12)))).rejects.toThrow('ends early');
    const broken = Buffer.from(zipped);
    broken.fill(0xff, 12, 20);
    await expect(textOf(fileOf(broken))).rejects.toThrow('damaged gzip');
  });
});

describe('lines', () => {
  it('end with LF or CRLF, keep their numbers when blank, and may lack the last newline', async () => {
    expect(await recordsOf(readLines(cut('{"a":1}\r\n\n{"b":"\\r"}\n{"c":1}')))).toEqual([
      '{"a":1}',
      '',
      '{"b":"\\r"}',
      '{"c":1}',
    ]);
    expect(await recordsOf(readLines(cut('')))).toEqual([]);
    expect(await recordsOf(readLines(cut('a\n')))).toEqual(['a']);
  });

  it('are the same however the file is cut, and so are their batches', async () => {
    const random = randomNumbers(3);
    const lines = Array.from({ length: 9000 }, (_, place) => `{"n":${place}}`);
    const text = lines.map((line) => line + (random(2) === 0 ? '\n' : '\r\n')).join('');
    const shapes = [];
    for (const size of [1, 3, 100, 100_000]) {
      const batches = [];
      for await (const batch of readLines(cut(text, () => size))) batches.push(batch);
      const [...shape] = batches.map(({ ends }) => ends.length);
      shapes.push(shape);
      expect(await recordsOf(readLines(cut(text, () => size)))).toEqual(lines);
    }
    expect(shapes).toEqual([
      [4096, 4096, 808],
      [4096, 4096, 808],
      [4096, 4096, 808],
      [4096, 4096, 808],
    ]);
  });
});

describe('CSV', () => {
  const open = async (text: string | Uint8Array, place: Partial<Place> = {}, size?: number) => {
    const input = cut(text, size === undefined ? undefined : () => size);
    const { columns, preamble, batches } = await openCsv(input, { ...place, format: 'csv' });
    return { columns, preamble, rows: (await recordsOf(batches)).map((row) => JSON.parse(row) as unknown) };
  };

  it('has quotes, commas and newlines in its cells, whatever the end of its lines', async () => {
    const text = 'id,name\n1,"Love, ""Ada""\nL."\n\n2,\n';
    const expected = {
      columns: ['id', 'name'],
      preamble: [],
      rows: [
        ['1', 'Love, "Ada"\nL.'],
        ['2', ''],
      ],
    };
    for (const size of [1, 2, 7, undefined]) expect(await open(text, {}, size)).toEqual(expected);
    expect(await open('id,name\r\n1,é\r\n')).toEqual({
      columns: ['id', 'name'],
      preamble: [],
      rows: [['1', 'é']],
    });
  });

  it('may have no header, or rows before it', async () => {
    expect(await open('1,a\n2,b\n', { columns: ['id', 'x'] })).toMatchObject({
      rows: [
        ['1', 'a'],
        ['2', 'b'],
      ],
    });
    expect(await open('t,,\nn,1 << 15,\n,,\nid,x\n1,a\n', { skipTo: 'id' })).toEqual({
      columns: ['id', 'x'],
      preamble: [
        ['t', '', ''],
        ['n', '1 << 15', ''],
        ['', '', ''],
      ],
      rows: [['1', 'a']],
    });
  });

  it.each([
    ['id,name\n1,"never closed\n2,b\n', 'a quote is opened and not closed'],
    ['', 'empty'],
    ['id,id\n1,2\n', 'names a column twice'],
    [Buffer.from('id,name\n1,\xe9\n', 'latin1'), 'not UTF-8'],
  ])('is refused with a reason: %j', async (text, message) => {
    await expect(open(text)).rejects.toThrow(message);
  });

  it('is refused without the row that it should begin with', async () => {
    await expect(open('a,b\n', { skipTo: 'id' })).rejects.toThrow('no row begins with the column id');
  });
});

describe('a sample', () => {
  it('is of lines, a document, an array or rows', async () => {
    const formats = async (text: string) => (await readSamples(fileOf(text))).map(({ format }) => format);
    expect(await formats('{"a":1}\n{"a":2}\n')).toEqual(['ndjson']);
    expect(await formats('{"a":1}')).toEqual(['json', 'ndjson']);
    expect(await formats('\n {\n "a":1}\n')).toEqual(['json', 'ndjson']);
    expect(await formats('[{"a":1}]')).toEqual(['json']);
    expect(await formats('a,b\n')).toEqual(['csv']);
    expect(await formats(' \n')).toEqual([]);
  });

  it('has the keys of the document and its first record, though the rest is missing', async () => {
    const text = '{"n":{"deep":[{"x":1}]},"list":["a"],"users":[{"id":7},{"id"';
    expect(await readSamples(fileOf(text))).toMatchObject([
      { format: 'json', root: ['n', 'list', 'users'], first: { id: 7 } },
    ]);
  });

  it('has the header of a CSV file and its first row', async () => {
    expect(await readSamples(fileOf('\ufeffid,name\n7,"a\nb"\n'))).toMatchObject([
      { columns: ['id', 'name'], first: { id: '7', name: 'a\nb' } },
    ]);
  });
});

describe('a table', () => {
  const places: readonly Place[] = [{ format: 'ndjson' }, { format: 'json', path: ['users'] }];
  const table = { name: 'users', places, fields: {}, idOf: () => undefined };
  const readTable = async (text: string) => {
    const { batches } = await openTable(await findTable(fileOf(text), table));
    return recordsOf(batches);
  };

  it('is found in each of its forms', async () => {
    expect(await readTable('{"id":1}\n{"id":2}\n')).toEqual(['{"id":1}', '{"id":2}']);
    expect(await readTable('{"id":1}')).toEqual(['{"id":1}']);
    expect(await readTable('{"users":[{"id":1}]}')).toEqual(['{"id":1}']);
    expect(await readTable('{\n "id": 1\n}\n')).toEqual(['{\n "id": 1\n}']);
  });

  it('is refused with what was expected and what was found, and the file where reading fails', async () => {
    await expect(readTable('id,name\n')).rejects.toThrow(
      'expected one JSON object a line, or a JSON object with the array "users"; found CSV',
    );
    await expect(readTable('')).rejects.toThrow('is empty');
    await expect(readTable('{"users":[{"id":1},]}')).rejects.toThrow(
      /file-\d+: not readable as JSON at byte 19/,
    );
  });
});
