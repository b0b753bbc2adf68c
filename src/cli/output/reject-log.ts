import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Reject } from '../../imports/model.ts';
import { fileError } from '../command-error.ts';
import { count, plural, printable } from './format.ts';

/** Rejects of one code. */
export interface RejectGroup {
  readonly code: string;
  count: number;
  /** The first few. */
  readonly examples: Reject[];
}

const examplesOfACode = 3;

/**
 * Every reject goes into a file, as NDJSON in the form of the core's own; the first few of each code are kept to be
 * shown. The file is made at the first reject. Memory: what one call adds and the disk has not taken yet.
 */
export class RejectLog {
  readonly file: string | undefined;
  readonly #groups = new Map<string, RejectGroup>();
  #stream: WriteStream | undefined;
  #error: unknown;
  #count = 0;

  /** @param file undefined: only the first few are kept */
  constructor(file: string | undefined) {
    this.file = file;
  }

  get count(): number {
    return this.#count;
  }

  /** Most frequent first. */
  get groups(): readonly RejectGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count);
  }

  /** Resolves when the disk has taken most of it. @throws CommandError when it does not */
  async add(rejects: readonly Reject[]): Promise<void> {
    for (const reject of rejects) this.#addOne(reject);
    if (this.#error === undefined && this.#stream?.writableNeedDrain)
      await once(this.#stream, 'drain').catch(() => undefined);
    if (this.#error !== undefined) throw fileError(this.file ?? '', this.#error, true);
  }

  #addOne(reject: Reject): void {
    this.#count += 1;
    const group = this.#groups.get(reject.code) ?? { code: reject.code, count: 0, examples: [] };
    this.#groups.set(reject.code, group);
    group.count += 1;
    if (group.examples.length < examplesOfACode) group.examples.push(reject);
    if (this.file !== undefined) this.#open(this.file).write(`${JSON.stringify(reject)}\n`);
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

/** The rejects as a person reads them: by reason, with the first few of each. */
export function describeRejects(groups: readonly RejectGroup[], unit: string): string[] {
  return groups.flatMap(({ code, count: all, examples }) => [
    `  ${code}: ${count(all)}`,
    ...examples.map((reject) => `    ${unit} ${reject.line}: ${fieldOf(reject)}${printable(reject.message)}`),
    ...(all > examples.length ? [`    and ${plural(all - examples.length, `more ${unit}`)}`] : []),
  ]);
}

/** Unless the message names the field itself. */
function fieldOf({ field, message }: Reject): string {
  return field === '' || message.includes(`'${field}'`) ? '' : `${printable(field)}: `;
}
