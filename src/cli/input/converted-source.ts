import type { ConvertedBatch } from '../../exports/convert/convert.ts';
import { SharedEmailCounter, type SharedEmails } from '../../exports/emails/shared-emails.ts';
import { type Account, addAccount, emptyAccount } from '../../exports/fields/account.ts';
import type { Incomplete } from '../../exports/readers/ending.ts';
import type { Reject } from '../../imports/model.ts';
import { lineOfReject } from '../../imports/parse/stated-reject.ts';
import { InputChanged } from '../command-error.ts';
import type { UploadSource } from './source.ts';

/** What is known once all records were converted. */
export interface Converted {
  /** The outcome of each column and record. */
  readonly account: Account;
  /** Emails that two users of the file have; without any, unless they are counted. */
  readonly shared: SharedEmails;
  /** Why the input is not complete. */
  readonly incomplete: readonly Incomplete[];
  /** Notes of the format on some users, with their number. */
  readonly notes: Readonly<Record<string, number>>;
  /** Rows of further tables that belong to no user, by table. */
  readonly unmatched: Readonly<Record<string, number>>;
}

interface ConvertedSourceOptions {
  readonly fileBytes: number;
  readonly statesRejects?: boolean | undefined;
  /** Converts from the first record on. The same file and options must give the same bytes. */
  readonly convert: (signal: AbortSignal) => AsyncIterable<ConvertedBatch>;
  /** Called with the rejects of the conversion, each once, however often the file is converted. */
  readonly onRejects: (rejects: readonly Reject[]) => Promise<void>;
  /** Called where each of several files begins, before any reject in it. */
  readonly onFiles?: (beginnings: ConvertedBatch['starts']) => void;
  /** Emails that two users have are counted, which takes memory. */
  readonly countsShared?: boolean | undefined;
  /** Called once, when the end is reached for the first time. */
  readonly onEnd?: (converted: Converted) => void;
}

/**
 * An export, converted while it is uploaded.
 *
 * To continue at an offset it is converted again from its start, and committed bytes are skipped: sent bytes need not be stored,
 * and a new process continues in the same way. Converting is several times as fast as importing.
 *
 * Invariants: `#seen` is the last record whose rejects were reported; `#marks` has one entry for each batch that was returned and
 * is not known to be committed, ascending.
 */
export class ConvertedSource implements UploadSource {
  readonly unit = 'record';
  readonly fileBytes: number;
  readonly #options: ConvertedSourceOptions;
  #length: number | undefined;
  #seen = 0;
  readonly #notes: Record<string, number> = {};
  readonly #shared = new SharedEmailCounter();
  readonly #account = emptyAccount();
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
    let incomplete: readonly Incomplete[] = [];
    for await (const batch of this.#options.convert(signal)) {
      const text = this.#options.statesRejects === true ? withStatedRejects(batch) : batch.text;
      const start = end;
      end += text.length;
      if (batch.incomplete !== undefined) {
        incomplete = batch.incomplete;
        continue;
      }
      unmatched = batch.unmatched;
      this.#options.onFiles?.(batch.starts);
      this.#addNotes(batch);
      await this.#tellRejects(batch);
      this.#marks.push({ offset: end, fileBytes: batch.bytesRead });
      if (end > offset) yield restOf(text, offset - start);
    }
    if (end < offset) throw changed();
    const isFirstTime = this.#length === undefined;
    this.#length = end;
    if (!isFirstTime) return;
    const shared = this.#shared.found;
    this.#options.onEnd?.({ account: this.#account, shared, incomplete, notes: this.#notes, unmatched });
  }

  fileBytesAt(offset: number): number {
    while (this.#marks[0] && this.#marks[0].offset <= offset)
      this.#reached = Math.max(this.#reached, this.#marks.shift()?.fileBytes ?? 0);
    return this.#reached;
  }

  /** For each record once, however often the file is converted. */
  #addNotes({ notes, addresses, account, firstRecord }: ConvertedBatch): void {
    if (firstRecord <= this.#seen) return;
    addAccount(this.#account, account, 0);
    if (this.#options.countsShared === true) for (const each of addresses) this.#shared.add(each);
    for (const [note, people] of Object.entries(notes)) this.#notes[note] = (this.#notes[note] ?? 0) + people;
  }

  async #tellRejects({ rejects, firstRecord, records }: ConvertedBatch): Promise<void> {
    const fresh = rejects.filter(({ record }) => record > this.#seen);
    this.#seen = Math.max(this.#seen, firstRecord + records - 1);
    if (fresh.length > 0)
      await this.#options.onRejects(fresh.map(({ record, ...reason }) => ({ line: record, ...reason })));
  }
}

/** A committed offset is at the end of a line. Any other belongs to different bytes. */
function restOf(text: Uint8Array, skipped: number): Uint8Array {
  if (skipped <= 0) return text;
  if (text[skipped - 1] !== 10) throw changed();
  return text.subarray(skipped);
}

function changed(): InputChanged {
  return new InputChanged(
    'The file or the options are not those that this import began with: begin again with import',
  );
}

const newline = 10;

/**
 * The text of a batch with a line for each rejected record instead of its empty one, so that the core counts and lists it too.
 * The same batch gives the same bytes.
 */
function withStatedRejects({ text, rejects, firstRecord }: ConvertedBatch): Uint8Array {
  if (rejects.length === 0) return text;
  const parts: Uint8Array[] = [];
  let kept = 0;
  let [record, start] = [firstRecord, 0];
  for (const reject of rejects.toSorted((a, b) => a.record - b.record)) {
    for (; record < reject.record; record++) start = text.indexOf(newline, start) + 1;
    parts.push(text.subarray(kept, start), Buffer.from(lineOfReject(reject)));
    kept = start;
  }
  return Buffer.concat([...parts, text.subarray(kept)]);
}
