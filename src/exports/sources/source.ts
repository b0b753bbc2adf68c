import type { Related, SourceRow } from '../providers/provider.ts';

/** What is read of an old system's own database: its tables as data. Types, and the one error. */

export type EngineName = 'postgres' | 'mysql';

/** The database, its tables or its address are not what they should be. One line with the cure, and no secret. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault';
}

/** Columns of another table, for each row that has one there. */
export interface Join {
  readonly table: string;
  /** Its column that is compared. */
  readonly column: string;
  /** With this column of the table itself; with `of`, of the join at that place. */
  readonly with: string;
  readonly of?: number;
  /** The columns are texts of two types, which PostgreSQL would compare without an index. */
  readonly asText?: true;
  /** A column that both have, and that stands first in their indexes. */
  readonly both?: string;
  /** What is taken: the name in the row, and its own. */
  readonly takes: Readonly<Record<string, string>>;
}

export interface SourceTable {
  /** What the provider of the exports, or `assemble`, calls it: `users` first. */
  readonly name: string;
  /** What versions and adapters call it, the usual one first. */
  readonly tables: readonly string[];
  /** The user's id: of `users` their own, which is unique and has an index. */
  readonly id: string;
  /**
   * Without them it is another system's table. `emailVerified` finds `email_verified`, too. All others that the provider
   * declares are read where they exist.
   */
  readonly columns: readonly string[];
  /** The provider's table whose fields these rows have, if it has another name. */
  readonly as?: string;
  /** Rows without it are whole as well: a plug-in's, or of later versions. */
  readonly isOptional?: boolean;
  readonly joins?: readonly Join[];
  /** The column that says of which realm a row is. */
  readonly realm?: string;
  /** Only rows whose column has one of these values; `{prefix}` is what names of tables begin with. */
  readonly only?: { readonly column: string; readonly values: readonly string[] };
  /** Only rows in which these two are the same. */
  readonly same?: readonly [string, string];
}

/** Sets of users in one database that have nothing to do with one another. */
export interface Realms {
  /** For people: `realm`, `tenant`, `app`. */
  readonly word: string;
  readonly table: string;
  readonly id: string;
  readonly name: string;
  /** The one that is meant unless another is named. */
  readonly usual?: string;
  /** Only taken when it is named: the administrators' own. */
  readonly own?: string;
}

/** One user as the provider of the exports takes it. */
export interface SourceUser {
  readonly row: SourceRow;
  readonly related: Related;
}

/** One system whose database can be read. */
export interface Source {
  /** The name of its provider of exports. */
  readonly provider: string;
  readonly engines: readonly EngineName[];
  /** Versions whose tables these are, for people. */
  readonly versions: string;
  /** Of PostgreSQL. Default `public`. */
  readonly schema?: string;
  /** What stands before the names of tables, unless another is given. */
  readonly prefix?: string;
  readonly tables: readonly SourceTable[];
  readonly realms?: Realms;
  /** Makes the provider's record of rows by table; left out: the rows as they are. */
  readonly assemble?: (user: SourceUser) => SourceUser;
  /** What the tables hold and is not carried over, for people. */
  readonly leavesOut?: string;
}
