/** Parts of the command in isolation. */
import { describe, expect, it } from 'vitest';
import type { ConvertedBatch } from '../../src/exports/convert/convert.ts';
import { ConvertedSource } from '../../src/cli/input/converted-source.ts';
import type { JobView } from '../../src/cli/client/views.ts';
import { bytes, duration, table } from '../../src/cli/output/format.ts';
import { SeenKeys } from '../../src/exports/emails/seen-keys.ts';
import { linesOf } from '../../src/cli/input/lines.ts';
import { lineBytesLimit } from '../../src/domain/line-limit.ts';
import { Patience } from '../../src/cli/client/retry.ts';
import { emptyAccount } from '../../src/exports/fields/account.ts';
import { Rate } from '../../src/cli/output/progress.ts';
import { countsOf } from '../../src/cli/job/summary.ts';

const never = new AbortController().signal;

// eslint-disable-next-line @typescript-eslint/require-await
async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Each item as it is on arrival: it may be valid only until the next one. */
async function gather<Item, Kept>(items: AsyncIterable<Item>, keep: (item: Item) => Kept): Promise<Kept[]> {
  const kept: Kept[] = [];
  for await (const item of items) kept.push(keep(item));
  return kept;
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return (await gather(chunks, (chunk) => Buffer.from(chunk).toString('utf8'))).join('');
}

describe('Patience', () => {
  it('doubles its delay up to 15 s, and does not wait less than it was asked to', () => {
    const patience = new Patience(1_000_000, () => 0);
    const delays = Array.from({ length: 9 }, () => patience.next());
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
    expect(new Patience(1, () => 0).next(3000)).toBe(3000);
  });

  it('ends when nothing was committed for its time, and begins again when something was', () => {
    let now = 0;
    const patience = new Patience(1000, () => now);
    patience.advance(0);
    expect(patience.next()).toBe(250);
    now = 1001;
    patience.advance(0);
    expect(patience.next()).toBeUndefined();
    patience.advance(10);
    expect(patience.next()).toBe(250);
  });
});

describe('linesOf', () => {
  it('joins lines over chunks and drops either line end', async () => {
    const chunks = ['a\r\nb', 'b\n\n', 'c', 'c'].map((text) => Buffer.from(text));
    const lines = await gather(linesOf(streamOf(chunks)), (line) => Buffer.from(line).toString());
    expect(lines).toEqual(['a', 'bb', '', 'cc']);
  });

  it('keeps no more of a line than shows that it is too long', async () => {
    const chunk = Buffer.alloc(700_000, 'x');
    const lines = linesOf(streamOf([chunk, chunk, chunk, Buffer.from('x\ny\n')]));
    const lengths = await gather(lines, (line) => line.length);
    expect(lengths.map((length) => length > lineBytesLimit)).toEqual([true, false]);
    expect(lengths[0]).toBeLessThan(lineBytesLimit + 10);
  });
});

describe('SeenKeys', () => {
  it('distinguishes new keys, known ones and those that are spelt otherwise, also after it has grown', () => {
    const keys = new SeenKeys(1024, 4);
    for (let key = 1; key <= 500; key++) expect(keys.claim(key * 7_919_000_017, key)).toBe('new');
    expect(keys.claim(7_919_000_017, 1)).toBe('same');
    expect(keys.claim(7_919_000_017, 2)).toBe('otherwise spelt');
    expect(keys.isFull).toBe(false);
  });

  it('remembers no more than its bound', () => {
    const keys = new SeenKeys(8, 8);
    const claims = Array.from({ length: 8 }, (_, n) => keys.claim(n + 1, 0));
    expect(claims).toEqual([...Array.from({ length: 6 }, () => 'new'), 'unknown', 'unknown']);
    expect(keys.claim(3, 0)).toBe('same');
    expect(keys.isFull).toBe(true);
  });
});

describe('Rate', () => {
  it('is that of the last half minute', () => {
    const rate = new Rate();
    expect(rate.secondsLeft(1)).toBeUndefined();
    for (let second = 0; second <= 60; second++) {
      const records = second <= 30 ? 0 : (second - 30) * 100;
      rate.add({ at: second * 1000, bytes: records * 10, records });
    }
    expect(rate.recordsPerSecond).toBe(100);
    expect(rate.secondsLeft(5000)).toBe(5);
  });
});

describe('ConvertedSource', () => {
  const batch = (firstRecord: number, text: string, rejected: number[] = []): ConvertedBatch => ({
    text: Buffer.from(text),
    firstRecord,
    records: text.split('\n').length - 1,
    skipped: 0,
    rejects: rejected.map((record) => ({ code: 'NOT_IMPORTABLE', field: '', message: '', record })),
    bytesRead: firstRecord * 100,
    starts: [],
    notes: {},
    addresses: [],
    unmatched: {},
    account: emptyAccount(),
  });
  const batches = [batch(1, 'one\n\n', [2]), batch(3, 'three\nfour\n'), batch(5, '\nsix\n', [5])];
  const sourceOf = (): { source: ConvertedSource; reported: number[] } => {
    const reported: number[] = [];
    const source = new ConvertedSource({
      fileBytes: 700,
      convert: () => streamOf(batches),
      onRejects: (rejects) => {
        reported.push(...rejects.map(({ line }) => line));
        return Promise.resolve();
      },
    });
    return { source, reported };
  };

  it('gives the same bytes from any line on, and reports each reject once', async () => {
    const { source, reported } = sourceOf();
    const whole = 'one\n\nthree\nfour\n\nsix\n';
    expect(source.length).toBeUndefined();
    for (const offset of [0, 4, 5, 11, 16, 17, whole.length])
      expect(await textOf(source.open(offset, never))).toBe(whole.slice(offset));
    expect(source.length).toBe(whole.length);
    expect(reported).toEqual([2, 5]);
  });

  it('counts what the format says of users once, however often they are converted', async () => {
    const notes: object[] = [];
    const source = new ConvertedSource({
      fileBytes: 700,
      convert: () => streamOf(batches.map((each) => ({ ...each, notes: { lost: 2 } }))),
      onEnd: (found) => notes.push({ ...found.notes }),
      onRejects: () => Promise.resolve(),
    });
    await source.open(0, never).next();
    for (const offset of [0, 4]) await textOf(source.open(offset, never));
    expect(notes).toEqual([{ lost: 6 }]);
  });

  it('reports rejects in their places if requested, from any line on', async () => {
    const convert = (): AsyncGenerator<ConvertedBatch> => streamOf(batches);
    const onRejects = (): Promise<void> => Promise.resolve();
    const source = new ConvertedSource({ fileBytes: 700, statesRejects: true, convert, onRejects });
    const line = '{"rejected":{"code":"NOT_IMPORTABLE","field":"","message":""}}';
    const whole = `one\n${line}\nthree\nfour\n${line}\nsix\n`;
    for (const offset of [0, 4, 5 + line.length, whole.indexOf('four'), whole.length])
      expect(await textOf(source.open(offset, never))).toBe(whole.slice(offset));
    expect(source.length).toBe(whole.length);
  });

  it.each([2, 13, 99])(
    'refuses offset %d, at which no line ends: it was made of something else',
    async (offset) => {
      const { source } = sourceOf();
      await expect(textOf(source.open(offset, never))).rejects.toThrow(
        'not those that this import began with',
      );
    },
  );

  it('finds the place of an offset in the file', async () => {
    const { source } = sourceOf();
    await textOf(source.open(0, never));
    expect([0, 4, 5, 15, 16, 22].map((offset) => source.fileBytesAt(offset))).toEqual([
      0, 0, 100, 100, 300, 500,
    ]);
  });
});

describe('numbers for people', () => {
  it('writes durations, bytes and tables', () => {
    expect([0.4, 59, 61, 7260, Infinity].map((seconds) => duration(seconds))).toEqual([
      '0 s',
      '59 s',
      '1 min 1 s',
      '2 h 1 min',
      '?',
    ]);
    expect([0, 1023, 1024, 5_767_168].map((value) => bytes(value))).toEqual([
      '0 B',
      '1023 B',
      '1.0 KiB',
      '5.5 MiB',
    ]);
    expect(
      table([
        ['a', 1],
        ['long', 1234],
      ]),
    ).toEqual(['a         1', 'long  1,234']);
  });
});

describe('the counts of a job', () => {
  const job: JobView = {
    id: 'job-1',
    name: 'users',
    state: 'done',
    dryRun: false,
    secondFactor: 'flag',
    onConflict: 'update',
    bytes: 100,
    lines: 5,
    created: 5,
    updated: 0,
    unchanged: 0,
    skipped: 0,
    rejected: 0,
    byKind: {},
    byFactor: {},
    byState: {},
    startedAt: 1000,
    usersPerSecond: 5,
  };

  it('tell a rate only of what took long enough to have one', () => {
    expect(countsOf({ ...job, finishedAt: 1999 }).at(-1)).toBe('  less than 1 s');
    expect(countsOf({ ...job, finishedAt: 2000 }).at(-1)).toBe('  1 s, 5 users/s');
  });

  it('report the time of work for a job that waited to be resumed', () => {
    expect(countsOf({ ...job, finishedAt: 3_601_000 }).at(-1)).toBe(
      '  1 s of work, 1 h 0 min from beginning to end, 5 users/s',
    );
  });

  it('tell no time of a job that still runs', () => {
    expect(countsOf(job).at(-1)).toBe('  0 not imported');
  });
});
