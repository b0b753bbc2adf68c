import { createReadStream } from 'node:fs';
import { sourceRecords } from '../../../exports/convert/source-records.ts';
import { convertSourceOf, type Input } from '../../input/input.ts';
import { linesOf } from '../../input/lines.ts';

/** A rejected record, as its file has it. */
export interface RejectedRecord {
  readonly value: unknown;
  /** One line from which it can be imported again. */
  readonly text: string;
}

interface Numbered {
  readonly number: number;
  readonly read: () => RejectedRecord | undefined;
}

/**
 * Looks records up by their numbers, which must ascend: the file is read once, in parallel with the list of rejects, so that
 * memory does not grow with either.
 */
export class RejectedRecords {
  readonly #records: AsyncGenerator<Numbered>;
  #at: Numbered | undefined;

  constructor(input: Input, signal: AbortSignal) {
    this.#records = input.isPlain ? ofLines(input, signal) : ofExport(input, signal);
  }

  /** @returns undefined if the file has no readable record there */
  async find(number: number): Promise<RejectedRecord | undefined> {
    while ((this.#at?.number ?? 0) < number) {
      const next = await this.#records.next();
      if (next.done === true) return undefined;
      this.#at = next.value;
    }
    return this.#at?.number === number ? this.#at.read() : undefined;
  }

  async close(): Promise<void> {
    await this.#records.return(undefined);
  }
}

async function* ofExport(input: Input, signal: AbortSignal): AsyncGenerator<Numbered> {
  for await (const { number, read } of sourceRecords(convertSourceOf(input), signal))
    yield {
      number,
      read: () => {
        const value = read();
        return value && { value, text: JSON.stringify(value) };
      },
    };
}

async function* ofLines({ file }: Input, signal: AbortSignal): AsyncGenerator<Numbered> {
  let number = 0;
  for await (const line of linesOf(createReadStream(file.path, { signal }))) {
    number += 1;
    yield {
      number,
      read: () =>
        recordOf(
          Buffer.from(line)
            .toString('utf8')
            .replace(/^\ufeff/, ''),
        ),
    };
  }
}

function recordOf(text: string): RejectedRecord {
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    // It may contain anything, so it is not listed.
    return { value: undefined, text };
  }
}
