import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { Provider } from '../../../exports/providers/provider.ts';
import { fileError } from '../../command-error.ts';

/**
 * The rejected records in a form that the same import accepts, to be corrected there: one JSON object a line, or for a source
 * without lines its own form of a document. It has all of a record, including hashes, so only its owner may read it. Control
 * characters are written as JSON's escapes, which mean the same in a string and have no effect on a terminal.
 */
export class MendFile {
  readonly file: string;
  readonly #form: Form;
  #stream: WriteStream | undefined;
  #error: unknown;
  #count = 0;

  constructor(folder: string, provider: Provider) {
    this.#form = formFor(provider);
    this.file = `${folder}/mend.${this.#form.extension}`;
  }

  get count(): number {
    return this.#count;
  }

  /** @throws CommandError when the disk is full or fails */
  async add(text: string): Promise<void> {
    const stream = (this.#stream ??= this.#open());
    stream.write(`${this.#count === 0 ? this.#form.head : this.#form.between}${escaped(text)}`);
    this.#count += 1;
    if (this.#error === undefined && stream.writableNeedDrain)
      await once(stream, 'drain').catch(() => undefined);
    this.#refuse();
  }

  /** @throws CommandError when the disk is full or fails */
  async close(): Promise<void> {
    const stream = this.#stream;
    if (stream && this.#error === undefined)
      await new Promise<void>((resolve) => {
        stream.once('close', resolve).end(this.#form.tail);
      });
    this.#refuse();
  }

  #refuse(): void {
    if (this.#error !== undefined) throw fileError(this.file, this.#error, true);
  }

  #open(): WriteStream {
    const stream = createWriteStream(this.file, { mode: 0o600 });
    stream.on('error', (error) => {
      this.#error = error;
    });
    return stream;
  }
}

/** A tab is harmless, and may occur between values. So may a carriage return, but it would hide what is before it. */
function escaped(text: string): string {
  return text.replaceAll('\r', ' ').replace(hidden, escapeOf);
}

// eslint-disable-next-line no-control-regex
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\p{Bidi_Control}]/gu;

function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

interface Form {
  readonly extension: string;
  readonly head: string;
  readonly between: string;
  readonly tail: string;
}

const lines: Form = { extension: 'ndjson', head: '', between: '\n', tail: '\n' };

function formFor({ tables }: Provider): Form {
  const places = tables[0]?.places ?? [];
  const document = places.find((place) => place.format === 'json');
  if (document === undefined || places.some(({ format }) => format === 'ndjson')) return lines;
  const [key] = document.path;
  const [head, tail] = key === undefined ? ['[\n', '\n]\n'] : [`{${JSON.stringify(key)}:[\n`, '\n]}\n'];
  return { extension: 'json', head, between: ',\n', tail };
}
