/** Whether a dump has the line that its program writes last. */

interface Trailer {
  /** At the beginning of a dump: its program writes the trailer. */
  readonly head: RegExp;
  readonly tail: RegExp;
  /** For people. */
  readonly name: string;
}

const trailers: readonly Trailer[] = [
  {
    head: /^-- (?:MySQL|MariaDB) dump \d/m,
    tail: /^-- Dump completed/m,
    name: 'the line "-- Dump completed" with which mysqldump ends',
  },
  {
    head: /^--\s+-- PostgreSQL database cluster dump\s+--/m,
    tail: /^-- PostgreSQL database cluster dump complete\s*$/m,
    name: 'the line "-- PostgreSQL database cluster dump complete" with which pg_dumpall ends',
  },
  {
    head: /^--\s+-- PostgreSQL database dump\s+--/m,
    tail: /^-- PostgreSQL database (?:cluster )?dump complete\s*$/m,
    name: 'the line "-- PostgreSQL database dump complete" with which pg_dump ends',
  },
  {
    head: /^-- phpMyAdmin SQL Dump[^]*SET @OLD_CHARACTER_SET_CLIENT=/m,
    tail: /SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT/,
    name: 'the line with which phpMyAdmin ends, which sets CHARACTER_SET_CLIENT as it was',
  },
  {
    head: /^PRAGMA foreign_keys=OFF;\s*BEGIN TRANSACTION;/m,
    tail: /^COMMIT;\s*$/m,
    name: 'the line COMMIT with which .dump of SQLite ends',
  },
];

/** Comments at the beginning, up to the first relevant statement. */
const headBytes = 4096;
/** mysqldump's trailer comes after eight statements that restore settings. */
const tailBytes = 4096;

/** Examines both ends of a dump that arrives in pieces. Memory: 8 KiB and a piece. */
export class DumpTrailer {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  push(chunk: Buffer): void {
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)]);
    // A copy: a view would retain the whole chunk.
    this.#tail = Buffer.concat([this.#tail.subarray(-tailBytes), chunk.subarray(-tailBytes)]);
  }

  /** The missing end of the dump, for people; undefined if it ends as its program ends it, or its program is unknown. */
  get missing(): string | undefined {
    const [head, tail] = [this.#head, this.#tail.subarray(-tailBytes)].map((part) => part.toString('latin1'));
    const trailer = trailers.find((each) => each.head.test(head ?? ''));
    if (trailer === undefined || trailer.tail.test(tail ?? '')) return undefined;
    return `the dump lacks ${trailer.name}: it was interrupted, or is a part. Make it again, or copy it again`;
  }
}
