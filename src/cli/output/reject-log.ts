import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Reject } from '../../imports/model.ts';
import { fileError } from '../command-error.ts';

/** A reject whose line is that of one of several files. */
export interface LoggedReject extends Reject {
  readonly file?: string;
  /** The number in the job, which has no files. */
  readonly lineInJob?: number;
  /** The earlier record that has the same key. */
  readonly otherLine?: number;
  readonly otherFile?: string;
  /** As in the file, without secrets. */
  readonly record?: unknown;
}

/** Finds the file of a line of the upload. */
interface Places {
  of(line: number): { readonly file: string; readonly line: number } | undefined;
}

/** Rejects with the same fault. */
export interface RejectGroup {
  readonly code: string;
  readonly message: string;
  count: number;
  /** The first few. */
  readonly examples: LoggedReject[];
}

const examplesOfAGroup = 3;
/** There are few distinct messages. If a core includes numbers in them, the others are one group of their code. */
const maxGroups = 200;

/**
 * Every reject is written to a file, as NDJSON in the core's own form; the first few of each message are held for display. The
 * file is created at the first reject. Memory: the rejects of one call and what the disk has not accepted yet.
 */
export class RejectLog {
  readonly file: string | undefined;
  readonly #places: Places | undefined;
  readonly #groups = new Map<string, RejectGroup>();
  #stream: WriteStream | undefined;
  #error: unknown;
  #count = 0;

  /** @param file undefined: only the first few are held @param places of several files */
  constructor(file: string | undefined, places?: Places) {
    this.file = file;
    this.#places = places;
  }

  get count(): number {
    return this.#count;
  }

  /** Most frequent first. */
  get groups(): readonly RejectGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }

  /** The number of each code. */
  get byCode(): Readonly<Record<string, number>> {
    const sums: Record<string, number> = {};
    for (const { code, count } of this.groups) sums[code] = (sums[code] ?? 0) + count;
    return sums;
  }

  /** Resolves when the disk has accepted most of it. @throws CommandError when it fails */
  async add(rejects: readonly LoggedReject[]): Promise<void> {
    for (const reject of rejects) this.#addOne(this.#inItsFile(reject));
    if (this.#error === undefined && this.#stream?.writableNeedDrain)
      await once(this.#stream, 'drain').catch(() => undefined);
    if (this.#error !== undefined) throw fileError(this.file ?? '', this.#error, true);
  }

  #inItsFile(reject: LoggedReject): LoggedReject {
    const place = this.#places?.of(reject.line);
    if (place === undefined) return reject;
    const other = reject.otherLine === undefined ? undefined : this.#places?.of(reject.otherLine);
    const otherSide = other && { otherFile: other.file, otherLine: other.line };
    return { file: place.file, ...reject, line: place.line, lineInJob: reject.line, ...otherSide };
  }

  #addOne(reject: LoggedReject): void {
    this.#count += 1;
    const group = this.#groupOf(reject);
    group.count += 1;
    if (group.examples.length < examplesOfAGroup) group.examples.push(reject);
    if (this.file !== undefined) this.#open(this.file).write(`${JSON.stringify(reject)}\n`);
  }

  #groupOf({ code, message }: Reject): RejectGroup {
    const isFull = this.#groups.size >= maxGroups;
    const own = `${code} ${message}`;
    const key = isFull && !this.#groups.has(own) ? code : own;
    const found = this.#groups.get(key);
    if (found) return found;
    const group = { code, message: key === code ? 'for other reasons' : message, count: 0, examples: [] };
    this.#groups.set(key, group);
    return group;
  }

  /** @throws CommandError when the file could not be written */
  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream && this.#error === undefined)
      await new Promise<void>((resolve) => {
        stream.once('close', resolve).end();
      });
    if (this.#error !== undefined) throw fileError(this.file ?? '', this.#error, true);
  }

  #open(file: string): WriteStream {
    if (this.#stream) return this.#stream;
    this.#stream = createWriteStream(file, { mode: 0o600 });
    this.#stream.on('error', (error) => {
      this.#error = error;
    });
    return this.#stream;
  }
}
