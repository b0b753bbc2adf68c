import { bytes, count, plural } from '../../output/format.ts';
import { Rate } from '../../output/progress.ts';
import type { Surroundings } from '../../surroundings.ts';

/** The result of an export. */
export interface Exported {
  readonly users: number;
  readonly bytes: number;
}

/** ms between lines; a terminal has one line, which is rewritten every second. */
const lineIntervalMs = 5000;
const terminalIntervalMs = 1000;
const newline = 10;

/** Counts records, one a line, and shows the progress on the standard error: the total is unknown. */
export class ExportProgress {
  readonly #surroundings: Pick<Surroundings, 'stderr' | 'now'>;
  readonly #rate = new Rate();
  #lastMs: number;
  #users = 0;
  #bytes = 0;

  constructor(surroundings: Pick<Surroundings, 'stderr' | 'now'>) {
    this.#surroundings = surroundings;
    this.#lastMs = surroundings.now();
  }

  async *counted(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) this.#users++;
      this.#bytes += chunk.length;
      this.#show();
      yield chunk;
    }
  }

  /** Reports the total. @param where the destination; undefined: the standard output */
  end(where: string | undefined): Exported {
    const { stderr } = this.#surroundings;
    const exported = { users: this.#users, bytes: this.#bytes };
    const to = where === undefined ? '' : ` to ${where}`;
    stderr.write(
      `${stderr.isTTY ? '\r\x1b[K' : ''}Exported ${plural(exported.users, 'user')}${to} (${bytes(exported.bytes)})\n`,
    );
    return exported;
  }

  #show(): void {
    const { stderr, now } = this.#surroundings;
    this.#rate.add({ at: now(), bytes: this.#bytes, records: this.#users });
    if (now() - this.#lastMs < (stderr.isTTY ? terminalIntervalMs : lineIntervalMs)) return;
    this.#lastMs = now();
    const speed = this.#rate.recordsPerSecond;
    const pace = speed === undefined ? '' : `, ${count(speed)}/s`;
    const line = `${plural(this.#users, 'user')}${pace}, ${bytes(this.#bytes)}`;
    stderr.write(stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  }
}
