import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

const beatMs = 5000;
/** A core that missed three beats no longer counts, and after a minute its row goes. */
const countsMs = 15_000;
const removedMs = 60_000;

const nowMs = '(extract(epoch from statement_timestamp()) * 1000)::bigint';

const beat = `
  with own as (
    insert into cores (core_id, version, seen_at) values ($1::uuid, $2::text, ${nowMs})
    on conflict (core_id) do update set seen_at = excluded.seen_at
  ),
  gone as (delete from cores where seen_at < ${nowMs} - ${removedMs})
  select count(*)::int as others from cores where core_id <> $1::uuid and seen_at > ${nowMs} - ${countsMs}`;

/** How many cores use the database, from a row of each that it renews every five seconds. */
export class CoreRegister {
  readonly #database: Pick<Database, 'write'>;
  readonly #version: string;
  readonly #id = randomUUID();
  #count = 1;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(database: Pick<Database, 'write'>, version: string) {
    this.#database = database;
    this.#version = version;
  }

  /** With this one. The last count stays if the database is away. */
  get count(): number {
    return this.#count;
  }

  /** Resolves when the cores were counted once, or that failed. */
  start(): Promise<void> {
    this.#beating = this.#beat();
    return this.#beating;
  }

  /** The others stop counting this core. */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#beating;
    await this.#database
      .write('delete from cores where core_id = $1::uuid', [this.#id])
      .catch(() => undefined); // its row expires
  }

  async #beat(): Promise<void> {
    try {
      const [row] = await this.#database.write<{ others: number }>(beat, [this.#id, this.#version]);
      this.#count = 1 + (row?.others ?? 0);
    } catch {
      // An unreachable database is reported by what needs it.
    }
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#beating = this.#beat();
    }, beatMs);
    this.#timer.unref();
  }
}
