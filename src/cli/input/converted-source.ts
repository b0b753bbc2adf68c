import type { ConvertedBatch } from '../../exports/convert/convert.ts';
import type { Reject } from '../../imports/model.ts';
import { InputChanged } from '../failure.ts';
import type { UploadSource } from './source.ts';

export interface ConvertedSourceOptions {
  readonly fileBytes: number;
  /** Converts from the first record on. The same file and options must give the same bytes. */
  readonly convert: (signal: AbortSignal) => AsyncIterable<ConvertedBatch>;
  /** Told of the records that conversion rejects, of each once, however often the file is converted. */
  readonly onRejects: (rejects: readonly Reject[]) => Promise<void>;
  /** Told once, at the end: rows of further tables that belong to no user, by table. */
  readonly onUnmatched?: (rows: Readonly<Record<string, number>>) => void;
}

/**
 * An export, converted while it is uploaded.
 *
 * To go on at an offset it is converted anew from its start, and what is committed is left out: nothing that was
 * sent needs to be kept, and a new process goes on the same way. Converting is several times as fast as importing.
 *
 * Invariants: `#seen` is the last record whose rejects were told; `#marks` has one entry for each batch that was handed
 * out and is not known to be committed, ascending.
 */
export class ConvertedSource implements UploadSource {
  readonly unit = 'record';
  readonly fileBytes: number;
  readonly #options: ConvertedSourceOptions;
  #length: number | undefined;
  #seen = 0;
  #marks: { readonly offset: number; readonly fileBytes: number }[] = [];
  #reached = 0;

  constructor(options: ConvertedSourceOptions) {
    this.#options = options;
    this.fileBytes = options.fileBytes;
  }

  get length(): number | undefined {
    return this.#length;
  }

  async *open(offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    this.#marks = [];
    let end = 0;
    let unmatched: ConvertedBatch['unmatched'] = {};
    for await (const batch of this.#options.convert(signal)) {
      const start = end;
      end += batch.text.length;
      unmatched = batch.unmatched;
      await this.#tellRejects(batch);
      this.#marks.push({ offset: end, fileBytes: batch.bytesRead });
      if (end > offset) yield restOf(batch.text, offset - start);
    }
    if (end < offset) throw changed();
    if (this.#length === undefined) this.#options.onUnmatched?.(unmatched);
    this.#length = end;
  }

  fileBytesAt(offset: number): number {
    while (this.#marks[0] && this.#marks[0].offset <= offset)
      this.#reached = Math.max(this.#reached, this.#marks.shift()?.fileBytes ?? 0);
    return this.#reached;
  }

  async #tellRejects({ rejects, firstRecord, records }: ConvertedBatch): Promise<void> {
    const fresh = rejects.filter(({ record }) => record > this.#seen);
    this.#seen = Math.max(this.#seen, firstRecord + records - 1);
    if (fresh.length > 0)
      await this.#options.onRejects(fresh.map(({ record, ...reason }) => ({ line: record, ...reason })));
  }
}

/** Committed offsets stand at the end of a line. One that does not was made of other bytes than these. */
function restOf(text: Uint8Array, skipped: number): Uint8Array {
  if (skipped <= 0) return text;
  if (text[skipped - 1] !== 10) throw changed();
  return text.subarray(skipped);
}

function changed(): InputChanged {
  return new InputChanged(
    'The file or the options are not those that this import began with: begin anew with import',
  );
}
