/**
 * Messages of PostgreSQL's plugin pgoutput, version 1 of its protocol (PostgreSQL 18 manual, "Logical Replication Message Formats").
 * Only the columns that are asked for are read: all other cells are passed over.
 */

import { SourceFault } from '../fault.ts';

/** A column of a table, by its name. */
export interface NamedColumn {
  readonly column: string;
}

/** A position in the log: bytes since its beginning. */
export type Lsn = bigint;

/** A cell of a column that was asked for. */
export interface Cell<Column> {
  readonly of: Column;
  readonly value: string;
}

export type LogMessage<Column> =
  | { readonly kind: 'begin'; readonly xid: number }
  /** @property end where the log continues after the transaction */
  | { readonly kind: 'commit'; readonly end: Lsn }
  /** @property cells of the row before and after, as far as the log has them; without those that are null */
  | { readonly kind: 'change'; readonly isDelete: boolean; readonly cells: readonly Cell<Column>[] }
  /** @property tables without those that were not asked for */
  | { readonly kind: 'truncate'; readonly tables: readonly string[] }
  | { readonly kind: 'other' };

/** The columns of a relation that were asked for, by their places in its rows. */
interface Relation<Column> {
  readonly table: string;
  readonly wanted: ReadonlyMap<number, readonly Column[]>;
}

/** Reads the messages of one look: each relation is described before its first change. */
export class PgOutput<Column extends NamedColumn> {
  readonly #columns: ReadonlyMap<number, readonly Column[]>;
  readonly #relations = new Map<number, Relation<Column>>();

  /** @param columns by the number (OID) of their table: its name may have been another one */
  constructor(columns: ReadonlyMap<number, readonly Column[]>) {
    this.#columns = columns;
  }

  /** @throws SourceFault for bytes that are not a message */
  read(message: Buffer): LogMessage<Column> {
    try {
      return this.#read(new Bytes(message));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new SourceFault('The log of the old database has a message that is cut off', { cause: error });
    }
  }

  #read(bytes: Bytes): LogMessage<Column> {
    switch (bytes.letter()) {
      case 'B':
        // The position of the commit, and its time.
        bytes.skip(16);
        return { kind: 'begin', xid: bytes.int32() };
      case 'C':
        return { kind: 'commit', end: endOf(bytes) };
      case 'R':
        this.#learn(bytes);
        return { kind: 'other' };
      case 'I':
      case 'U':
        return { kind: 'change', isDelete: false, cells: this.#rows(bytes) };
      case 'D':
        return { kind: 'change', isDelete: true, cells: this.#rows(bytes) };
      case 'T':
        return { kind: 'truncate', tables: this.#truncated(bytes) };
      default:
        // Types, origins, and messages of other programs.
        return { kind: 'other' };
    }
  }

  #learn(bytes: Bytes): void {
    const id = bytes.int32();
    // Its schema.
    bytes.text();
    const table = bytes.text();
    // Its replica identity.
    bytes.skip(1);
    const count = bytes.int16();
    const own = this.#columns.get(id) ?? [];
    const wanted = new Map<number, readonly Column[]>();
    for (let place = 0; place < count; place++) {
      bytes.skip(1);
      const name = bytes.text();
      // Its type, and the type's modifier.
      bytes.skip(8);
      const here = own.filter(({ column }) => column === name);
      if (here.length > 0) wanted.set(place, here);
    }
    this.#relations.set(id, { table, wanted });
  }

  /** The rows of a change: the one before, where the log has it, and the one after. */
  #rows(bytes: Bytes): readonly Cell<Column>[] {
    const relation = this.#relation(bytes.int32());
    const cells: Cell<Column>[] = [];
    if (relation.wanted.size === 0) return cells;
    while (!bytes.isAtEnd) {
      // K: the key before, O: the row before, N: the row after.
      bytes.skip(1);
      const count = bytes.int16();
      for (let place = 0; place < count; place++) {
        const value = cellOf(bytes, relation.wanted.has(place));
        if (value === undefined) continue;
        for (const of of relation.wanted.get(place) ?? []) cells.push({ of, value });
      }
    }
    return cells;
  }

  #truncated(bytes: Bytes): readonly string[] {
    const count = bytes.int32();
    // Options, such as CASCADE.
    bytes.skip(1);
    const ids = Array.from({ length: count }, () => bytes.int32());
    return ids.flatMap((id) => {
      const { table, wanted } = this.#relation(id);
      return wanted.size === 0 ? [] : [table];
    });
  }

  /**
   * A server's process takes relations for described after a reading that was cancelled in it (seen with PostgreSQL 12). Only a pooler gives that
   * process to a second reading.
   */
  #relation(id: number): Relation<Column> {
    const relation = this.#relations.get(id);
    if (relation === undefined)
      throw new SourceFault(
        'The log of the old database has changes of a table that it does not describe, because a pooler gave a connection on which an earlier reading was stopped: close its connections to this database, or give the address of PostgreSQL itself',
      );
    return relation;
  }
}

function endOf(bytes: Bytes): Lsn {
  // Flags, and the position of the commit; its time follows.
  bytes.skip(9);
  const end = bytes.int64();
  bytes.skip(8);
  return end;
}

/** @returns undefined for a cell that is null, was not changed or is not wanted */
function cellOf(bytes: Bytes, isWanted: boolean): string | undefined {
  const kind = bytes.letter();
  if (kind === 'n' || kind === 'u') return undefined;
  const length = bytes.int32();
  if (isWanted) return bytes.textOf(length);
  bytes.skip(length);
  return undefined;
}

/** Bytes in the order of the network, from the beginning on. */
class Bytes {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(buffer: Buffer) {
    this.#buffer = buffer;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#buffer.length;
  }

  skip(count: number): void {
    this.#take(count);
  }

  letter(): string {
    return String.fromCharCode(this.#buffer.readUInt8(this.#take(1)));
  }

  int16(): number {
    return this.#buffer.readInt16BE(this.#take(2));
  }

  int32(): number {
    return this.#buffer.readUInt32BE(this.#take(4));
  }

  int64(): bigint {
    return this.#buffer.readBigUInt64BE(this.#take(8));
  }

  textOf(length: number): string {
    const from = this.#take(length);
    return this.#buffer.toString('utf8', from, from + length);
  }

  /** Up to a zero byte. */
  text(): string {
    const end = this.#buffer.indexOf(0, this.#at);
    if (end < 0) throw new RangeError('a text has no end');
    const text = this.textOf(end - this.#at);
    this.skip(1);
    return text;
  }

  /** @returns where these bytes begin @throws RangeError */
  #take(count: number): number {
    const from = this.#at;
    this.#at += count;
    if (count < 0 || this.#at > this.#buffer.length) throw new RangeError('the message ends before');
    return from;
  }
}

/** @param text as PostgreSQL writes it: `16/B374D848` */
export function parseLsn(text: string): Lsn {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function lsnText(lsn: Lsn): string {
  const hex = (part: bigint): string => part.toString(16).toUpperCase();
  return `${hex(lsn >> 32n)}/${hex(lsn & 0xffff_ffffn)}`;
}
