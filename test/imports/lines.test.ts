import { describe, expect, it } from 'vitest';
import type { Chunk } from '../../src/imports/chunks/line-cutter.ts';
import { lineBytesLimit } from '../../src/domain/line-limit.ts';
import { LineCutter } from '../../src/imports/chunks/line-cutter.ts';
import { randomNumbers } from '../helpers/mutations.ts';

/** The cutter's result for these pieces; each piece is overwritten after the call, as a socket's buffer is. */
function cut(pieces: readonly Buffer[], chunkBytes: number, isEndOfUpload = true) {
  const cutter = new LineCutter({ chunkBytes, offset: 0 });
  const chunks: Chunk[] = [];
  for (const piece of pieces) {
    const passing = Buffer.from(piece);
    chunks.push(...cutter.write(passing));
    passing.fill(0);
  }
  chunks.push(...cutter.finish(isEndOfUpload));
  return { chunks: chunks.map(plain), rest: cutter.rest };
}

function plain({ bytes, from, to, isOverlong }: Chunk) {
  return { text: Buffer.from(bytes).toString('latin1'), from, to, isOverlong };
}

function pieces(file: Buffer, random: (bound: number) => number): Buffer[] {
  const found: Buffer[] = [];
  const most = 1 + random(3) * random(400) + random(7);
  for (let from = 0; from < file.length;) {
    const to = Math.min(from + random(most) + (random(4) === 0 ? 0 : 1), file.length);
    found.push(file.subarray(from, to));
    from = to;
  }
  return found;
}

const ends = ['\n', '\n', '\r\n', '\n\n', ' \n'];
const words = ['a', 'ü', '😀', '{"x":1}', '\r', '', 'long '.repeat(30)];

function randomFile(random: (bound: number) => number): Buffer {
  const lines = Array.from({ length: random(40) }, () => {
    const line = Array.from({ length: random(5) }, () => words[random(words.length)]).join('');
    return line + (ends[random(ends.length)] ?? '');
  });
  return Buffer.from(lines.join('') + (random(2) === 0 ? 'no newline' : ''));
}

describe('a cutter of lines', () => {
  it('gives the same chunks however the bytes arrive, inside characters and line ends too', () => {
    const random = randomNumbers(20_240_601);
    for (let round = 0; round < 1500; round++) {
      const file = randomFile(random);
      const chunkBytes = 1 + random(300);
      const isEnd = random(2) === 0;
      expect(cut(pieces(file, random), chunkBytes, isEnd)).toEqual(cut([file], chunkBytes, isEnd));
    }
  });

  it('loses and repeats no byte, and cuts behind newlines only', () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 500; round++) {
      const file = randomFile(random);
      const chunkBytes = 1 + random(300);
      const { chunks, rest } = cut(pieces(file, random), chunkBytes);
      expect(rest).toBe(0);
      expect(chunks.map(({ text }) => text).join('')).toBe(file.toString('latin1'));
      expect(chunks.map(({ from }) => from)).toEqual(
        [0, ...chunks.map(({ to }) => to)].slice(0, chunks.length),
      );
      for (const { text, from, to } of chunks) {
        expect(to - from).toBe(text.length);
        const isOneLine = text.indexOf('\n') === text.length - 1 || to === file.length;
        expect(text.length <= chunkBytes || isOneLine).toBe(true);
      }
      for (const { text } of chunks.slice(0, -1)) expect(text.endsWith('\n')).toBe(true);
    }
  });

  it('takes as many lines as fit into a chunk', () => {
    expect(cut([Buffer.from('aa\nbb\ncc\ndd\n')], 7).chunks.map(({ text }) => text)).toEqual([
      'aa\nbb\n',
      'cc\ndd\n',
    ]);
    expect(cut([Buffer.from('aa\nbb\ncc')], 6).chunks.map(({ text }) => text)).toEqual(['aa\nbb\n', 'cc']);
    expect(cut([Buffer.from('aa\nlonger\nb\n')], 4).chunks.map(({ text }) => text)).toEqual([
      'aa\n',
      'longer\n',
      'b\n',
    ]);
  });

  it('keeps an incomplete last line back unless the upload ends', () => {
    const file = [Buffer.from('one\ntw'), Buffer.from('o')];
    expect(cut(file, 1000, false)).toEqual({
      chunks: [{ text: 'one\n', from: 0, to: 4, isOverlong: false }],
      rest: 3,
    });
    expect(cut(file, 1000, true)).toEqual({
      chunks: [{ text: 'one\ntwo', from: 0, to: 7, isOverlong: false }],
      rest: 0,
    });
    expect(cut([Buffer.from('no line at all')], 4, false)).toEqual({ chunks: [], rest: 14 });
    expect(cut([], 4)).toEqual({ chunks: [], rest: 0 });
    expect(cut([Buffer.alloc(0)], 4)).toEqual({ chunks: [], rest: 0 });
  });

  it('begins at the offset that an upload goes on from', () => {
    const cutter = new LineCutter({ chunkBytes: 100, offset: 5000 });
    cutter.write(Buffer.from('a\nb'));
    expect(cutter.finish(false)).toMatchObject([{ from: 5000, to: 5002 }]);
    cutter.write(Buffer.from('c\n'));
    expect(cutter.finish(true)).toMatchObject([{ from: 5002, to: 5005 }]);
    expect(cutter.rest).toBe(0);
  });
});

describe('a line at the limit', () => {
  const line = (bytes: number, end: string): Buffer => Buffer.from('x'.repeat(bytes) + end);
  const around = (middle: Buffer): Buffer => Buffer.concat([Buffer.from('a\n'), middle, Buffer.from('b\n')]);
  const sizes = [1000, 65_536, lineBytesLimit, lineBytesLimit + 1];

  it.each(['\n', '\r\n'])('is kept, one byte more is skipped, with %j', (end) => {
    for (const chunkBytes of sizes) {
      for (const step of [1000, 65_537, lineBytesLimit - 1, 3 * lineBytesLimit]) {
        for (const [bytes, isOverlong] of [
          [lineBytesLimit, false],
          [lineBytesLimit + 1, true],
        ] as const) {
          const file = around(line(bytes, end));
          const steps = Array.from({ length: Math.ceil(file.length / step) }, (_, i) =>
            file.subarray(i * step, (i + 1) * step),
          );
          const { chunks, rest } = cut(steps, chunkBytes);
          const to = 2 + bytes + end.length;
          const [first, middle, last] = chunks;
          expect(chunks).toHaveLength(3);
          expect(rest).toBe(0);
          expect(first).toEqual({ text: 'a\n', from: 0, to: 2, isOverlong: false });
          expect(middle).toMatchObject({ from: 2, to, isOverlong });
          expect(middle?.text.length).toBe(isOverlong ? 0 : bytes + end.length);
          expect(last).toEqual({ text: 'b\n', from: to, to: to + 2, isOverlong: false });
        }
      }
    }
  });

  it('is not waited for byte by byte: cutting CR from LF changes nothing', () => {
    const file = around(line(lineBytesLimit, '\r\n'));
    const inside = 2 + lineBytesLimit + 1;
    for (const at of [inside - 1, inside, inside + 1]) {
      expect(cut([file.subarray(0, at), file.subarray(at)], 1000)).toEqual(cut([file], 1000));
    }
  });

  it('is not held when it is far over it, and is nothing consumed before its newline', () => {
    const cutter = new LineCutter({ chunkBytes: 1000, offset: 0 });
    const mib = Buffer.alloc(2 ** 20, 'x');
    cutter.write(mib);
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 100; i++) expect(cutter.write(mib)).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 2 ** 20);
    expect(cutter.rest).toBe(101 * 2 ** 20);
    expect(cutter.finish(false)).toEqual([]);
    const to = 101 * 2 ** 20;
    expect(cutter.finish(true)).toMatchObject([{ from: 0, to, isOverlong: true }]);
    expect(cutter.rest).toBe(0);
    expect(cutter.write(Buffer.from('b\n'))).toEqual([]);
    expect(cutter.finish(false)).toMatchObject([{ from: to, to: to + 2, isOverlong: false }]);
  });
});
