/** One of many similar files: small ones, which take longer to open than to read. */

import type { Table } from '../providers/provider.ts';
import { fits } from './choose-list.ts';
import { Ending } from './ending.ts';
import { openInput, type InputOptions } from './input.ts';
import { isSamePath } from './list-path.ts';
import type { FileSample } from './sample-of.ts';
import { briefBytes, samplesOf } from './sample.ts';
import {
  findTable,
  observed,
  openTable,
  placeIn,
  readJsonArray,
  type FoundTable,
  type OpenTable,
} from './table.ts';

export interface OpenAlike {
  readonly found: FoundTable;
  readonly opened: OpenTable;
}

/**
 * Opens `table` in a file that is like `former`: in the same place if its first bytes show it there, and then the file is opened
 * once; otherwise as findTable does.
 * @throws ExportFault
 */
export async function openAlike(
  former: FoundTable,
  file: string,
  table: Table,
  options: InputOptions & { readonly isRequired?: boolean },
): Promise<OpenAlike> {
  const { place, reading, beside } = former;
  if (place.format === 'json') {
    const ending = new Ending(file);
    const input = await openInput(file, { ...options, encoding: reading.encoding, ending });
    const { first, chunks, close } = await peek(input.chunks);
    const sample =
      (await sampleLike(former, first.subarray(0, headBytes))) ??
      (await sampleLike(former, first.subarray(0, briefBytes)));
    if (sample !== undefined) {
      const at = placeIn(sample, place, beside);
      const rules = { isRequired: options.isRequired, ending };
      const batches = observed(readJsonArray({ ...input, chunks }, at, rules), ending);
      const found = { ...former, file, sample };
      return { found, opened: { columns: undefined, preamble: {}, batches, ending } };
    }
    await close();
  }
  const found = await findTable(file, table, reading);
  return { found, opened: await openTable(found, options) };
}

/** Usually enough to see under which key the records are. */
const headBytes = 512;

async function sampleLike(
  { place, reading, sample: former }: FoundTable,
  start: Buffer,
): Promise<FileSample | undefined> {
  const samples = await samplesOf(start, reading, true);
  const { list } = former;
  if (list === undefined) return samples.find((sample) => sample.list === undefined && fits(place, sample));
  return samples.find(
    (sample) =>
      sample.list !== undefined &&
      sample.list.within === list.within &&
      isSamePath(sample.list.steps, list.steps) &&
      (sample.list.key === undefined) === (list.key === undefined),
  );
}

interface Peeked {
  /** Empty for an empty file. */
  readonly first: Buffer;
  /** All of them, including the first. */
  readonly chunks: AsyncIterable<Buffer>;
  /** Called instead of reading them. */
  readonly close: () => Promise<unknown>;
}

async function peek(chunks: AsyncIterable<Buffer>): Promise<Peeked> {
  const iterator = chunks[Symbol.asyncIterator]();
  const next = await iterator.next();
  const first = next.done === true ? Buffer.alloc(0) : next.value;
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      yield first;
      for (let more = await iterator.next(); more.done !== true; more = await iterator.next())
        yield more.value;
    } finally {
      await iterator.return?.();
    }
  };
  return { first, chunks: all(), close: async () => iterator.return?.() };
}
