import type { Related, SourceRow } from '../fields/source-row.ts';

/** The contract of a provider whose database can be read directly: its tables as data. */

export type EngineName = 'postgres' | 'mysql';

/** Columns of another table, for each row that has one there. */
export interface Join {
  readonly table: string;
  /** Its column that is compared. */
  readonly column: string;
  /** With this column of the table itself; with `of`, of the join at that index. */
  readonly with: string;
  readonly of?: number;
  /** The columns are texts of two types, which PostgreSQL would compare without an index. */
  readonly asText?: true;
  /** A column that both have, and that is first in their indexes. */
  readonly both?: string;
  /** The columns to read: the name in the row, and its own. */
  readonly takes: Readonly<Record<string, string>>;
}

export interface DatabaseTable {
  /** The name that the export provider, or `assemble`, uses: `users` first. */
  readonly name: string;
  /** The names in versions and adapters, the usual one first. */
  readonly tables: readonly string[];
  /** The user's id: in `users` their own, which is unique and has an index. */
  readonly id: string;
  /**
   * Without them it is another system's table. `emailVerified` finds `email_verified`, too. All others that the provider declares
   * are read if they exist.
   */
  readonly columns: readonly string[];
  /** The provider's table whose fields these rows have, if it has another name. */
  readonly as?: string;
  /** Optional rows: a plug-in's, or those of later versions. */
  readonly isOptional?: boolean;
  readonly joins?: readonly Join[];
  /** The column with a row's realm. */
  readonly realm?: string;
  /** Only rows whose column has one of these values; `{prefix}` is the prefix of table names. */
  readonly only?: { readonly column: string; readonly values: readonly string[] };
  /** Only rows in which these two are equal. */
  readonly same?: readonly [string, string];
}

/** Unrelated sets of users in one database. */
export interface Realms {
  /** For people: `realm`, `tenant`, `app`. */
  readonly word: string;
  readonly table: string;
  readonly id: string;
  readonly name: string;
  /** The default. */
  readonly usual?: string;
  /** Only read when it is named: the administrators' own. */
  readonly own?: string;
}

/** One user in the form of the export provider. */
export interface DatabaseUser {
  readonly row: SourceRow;
  readonly related: Related;
}

/** An account at a provider such as Google. */
export interface WrittenLogin {
  readonly provider: string;
  readonly userId: string;
  readonly email?: string | undefined;
}

export interface WrittenAddress {
  readonly email: string;
  readonly isVerified: boolean;
}

/** A user as an old system has it: a row with one email and one password, and rows of other tables that belong to it. */
export interface WrittenUser extends WrittenAddress {
  readonly passwordHash: string | undefined;
  readonly logins?: readonly WrittenLogin[];
  /** Not those of logins at providers. */
  readonly otherAddresses?: readonly WrittenAddress[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** ms since the epoch */
  readonly timeJoined: number;
}

/** A column, or its names in different apps, the usual one first. */
export type ColumnName = string | readonly string[];

/** The value of a column; undefined: null. `json`: an object; what a row has already keeps its other keys. */
export type Cell = string | boolean | Date | { readonly json: Readonly<Record<string, unknown>> } | undefined;

/** The spellings of hashes there and here. */
export interface WrittenHashes {
  /**
   * @param made the kind of hash that the system makes, as the core knows it from imported ones; null: it does not
   * @returns the hash as the system stores it; undefined: it cannot verify it, or that is not known
   */
  readonly there: (hash: string, made: string | null) => string | undefined;
  /** @returns the forms in which the core may have a hash that is there */
  readonly here: (hash: string) => readonly string[];
  /**
   * A hash of which no password is known, for users who must reset theirs, or have none; empty: the column is null, or such a
   * user has no row of `passwords`.
   * @param seed of the user: the row is recognised by it
   */
  readonly unusable: (seed: string) => string;
  /** Whether it is such a hash. */
  readonly isUnusable: (there: string) => boolean;
}

/** A table with the addresses of users, one a row. */
export interface WrittenAddresses {
  /** Its name in `tables`; its `id` is the user's key. */
  readonly name: string;
  /** Which of its rows. */
  readonly only?: { readonly column: string; readonly value: string };
  readonly email: string;
  readonly isVerified: string;
  /** Left out: a user has the one address that is in the row. */
  readonly isPrimary?: string;
  /** The column that `keys` fills. */
  readonly rowKey?: string;
  /** Further columns of a new row. */
  readonly newRow?: (now: Date) => Readonly<Record<string, Cell>>;
  /** Columns that follow from `isVerified`. */
  readonly state?: (isVerified: boolean, now: Date) => Readonly<Record<string, Cell>>;
}

/** A table with rows that have the email of a user, too. A changed email is changed in them. */
export interface WrittenEmailRows {
  /** Its `id` is the user's key, or with `through` that of a row of the user. */
  readonly table: DatabaseTable;
  readonly through?: WrittenThrough;
  readonly email: string;
  /** A row of `passwords` that has none gets one. Left out: a new user gets one. */
  readonly isOfPassword?: true;
  /** The column that `keys` fills. */
  readonly rowKey: string;
  /** Further columns of a new row. @param key of the user */
  readonly newRow: (key: string, now: Date) => Readonly<Record<string, Cell>>;
}

/** The key of a new row, the same for a seed each time. @param form of the column */
export type MakeKey = (seed: string, form: 'text' | 'uuid') => string;

/** A hash that is in several columns, or in a document. Both functions have it as `hashes.there` returns it. */
export interface WrittenHashParts {
  /** Those to read. */
  readonly columns: readonly string[];
  /** @param row the columns @returns any other text for what is not such a hash */
  readonly hashOf: (row: SourceRow) => string;
  readonly cellsOf: (hash: string, now: Date) => Readonly<Record<string, NonNullable<Cell>>>;
}

/** Which rows of a table. */
export interface WrittenSort {
  readonly column: string;
  readonly value: string;
  /** `value` is a name, and the column has the key of the row of this table with that name. */
  readonly of?: { readonly table: DatabaseTable; readonly name: string };
}

/** A table whose rows of one sort have the passwords of users, one a row. */
export interface WrittenPasswords {
  /** Its name in `tables`; its `id` is the user's key. */
  readonly name: string;
  readonly only: WrittenSort;
  /** The column that `keys` fills. */
  readonly rowKey: string;
  /** Left out: the column `password` has the hash as a text. */
  readonly parts?: WrittenHashParts;
  /** A time, set at each change. */
  readonly updatedAt?: string;
  /** Further columns of a new row. @param key of the user */
  readonly newRow: (key: string, now: Date) => Readonly<Record<string, Cell>>;
}

/** A table with further rows of a user, which a removal deletes. */
export interface WrittenRows {
  /** Its `id` is the user's key, or with `through` that of a row of the user. */
  readonly table: DatabaseTable;
  /** A table with rows of users. */
  readonly through?: WrittenThrough;
  /** A new user gets a row for each row of the user's realm in these tables, such as its default roles. */
  readonly defaults?: readonly WrittenDefaults[];
  /** Those of a new user. @param prefix of table names */
  readonly newRows?: (user: WrittenUser, prefix: string) => readonly Readonly<Record<string, Cell>>[];
}

export interface WrittenThrough {
  /** Its `id` is the user's key. */
  readonly table: DatabaseTable;
  /** The key of its rows. */
  readonly rowKey: string;
}

export interface WrittenDefaults {
  /** Its `id` is the realm's. */
  readonly table: DatabaseTable;
  /** The columns to copy, if they are not null: the name in the user's row, and its own. */
  readonly takes: Readonly<Record<string, string>>;
  /** Further columns of each such row. */
  readonly cells?: Readonly<Record<string, Cell>>;
}

/** A table with the accounts of users at providers such as Google, one a row. */
export interface WrittenLogins {
  /** Its name in `tables`; its `id` is the user's key. */
  readonly name: string;
  /** The names of a column in different apps, the usual one first. */
  readonly provider: readonly string[];
  readonly userId: readonly string[];
  readonly email?: readonly string[];
  /** The column that `keys` fills. */
  readonly rowKey?: string;
  /** Further columns of a new row. */
  readonly newRow: (now: Date, login: WrittenLogin) => Readonly<Record<string, Cell>>;
}

/** Columns of the table of users for one account at a provider. */
export interface WrittenPair {
  readonly provider: string;
  readonly userId: string;
  /** The provider in rows of users who sign in with a password, whose user id is the email then; if any row has it. */
  readonly own?: string;
}

/** A row for the email itself in a table of accounts at providers, as if the system were one of them. */
export interface WrittenEmailAccount {
  /** Its name in `tables`; its `id` is the user's key. */
  readonly name: string;
  /** Which of its rows. */
  readonly only: { readonly column: string; readonly value: string };
  /** It has the user's key, too, as the id of the account. */
  readonly userId: ColumnName;
  /** Whether a new user gets one. */
  readonly isFor: (user: WrittenUser) => boolean;
  /** What changes with the email. */
  readonly cells: (address: WrittenAddress, now: Date) => Readonly<Record<string, NonNullable<Cell>>>;
  /** Further columns of a new row. @param key of the user */
  readonly newRow: (key: string, address: WrittenAddress, now: Date) => Readonly<Record<string, Cell>>;
}

/** A table whose rows of one sort have a document that lists the accounts of a user at providers, instead of a row for each. */
export interface WrittenLoginDocuments {
  /** Its name in `tables`; its `id` is the user's key. */
  readonly name: string;
  readonly only: WrittenSort;
  /** The column that `keys` fills. */
  readonly rowKey: string;
  readonly document: string;
  /** The key of the document with the list, and of an item with the names of provider and user. */
  readonly list: string;
  readonly provider: string;
  readonly userId: string;
  /** Further keys of a new item. */
  readonly newItem: Readonly<Record<string, string>>;
  /** Further columns of a new row. */
  readonly newRow: (now: Date) => Readonly<Record<string, Cell>>;
  /** A table with a row for each account, which has both names with a colon between them. */
  readonly identifiers: {
    /** Its `id` is the key of the row with the document. */
    readonly table: DatabaseTable;
    readonly column: string;
    /** The column that `keys` fills. */
    readonly rowKey: string;
    /** Further columns of a new row. @param key of the user */
    readonly newRow: (key: string, now: Date) => Readonly<Record<string, Cell>>;
  };
}

/** How a write-back fills the table of users; columns that a database lacks are left alone. */
export interface WrittenUsers {
  readonly email: string;
  /** The column `email` is a JSON document with the email under this key. */
  readonly emailKey?: string;
  /** Columns of the table of users that have it, too. */
  readonly emailCopies?: readonly string[];
  /** Of the table of users, or of `passwords`. A table without it has no passwords. */
  readonly password: ColumnName;
  /** Left out: passwords are in the table of users. */
  readonly passwords?: WrittenPasswords;
  /** `time`: null while the email is not verified. */
  readonly verified?: { readonly column: string; readonly mark: 'time' | 'flag' };
  /** Left out: tables give the keys of new rows, as tables with whole numbers always do. */
  readonly keys?: MakeKey;
  /** Where the table exists, it has the emails, and which of them are verified. */
  readonly addresses?: WrittenAddresses;
  /** Where the tables exist. */
  readonly emailRows?: readonly WrittenEmailRows[];
  /** Where the table exists. */
  readonly logins?: WrittenLogins;
  /** Where the tables exist. */
  readonly loginDocuments?: WrittenLoginDocuments;
  /** The column of the table of users with the user's id at a provider, where it exists. */
  readonly loginColumn?: (provider: string) => string;
  /** Names of providers that no row has yet, by ours; default: ours. */
  readonly providerNames?: Readonly<Record<string, string>>;
  /** Where the columns exist, and the table of `logins` does not. */
  readonly loginPair?: WrittenPair;
  /** Where the table exists. */
  readonly emailAccount?: WrittenEmailAccount;
  /** A unique name to sign in by, in a database that does not require emails to be unique. */
  readonly username?: { readonly column: string; readonly characters: number };
  /** A time, set at each change. */
  readonly updatedAt?: string;
  /** Where the tables exist. */
  readonly further?: readonly WrittenRows[];
  /**
   * A removal sets it and keeps the row; left out, or where the table lacks it, the row is deleted. `time`: of the removal; `inactive`:
   * false, as for users who are banned. `deletes`: the system removes more of a row that it marks, so a removal here deletes the row.
   */
  readonly removal?: {
    readonly column: ColumnName;
    readonly mark: 'time' | 'inactive';
    readonly deletes?: true;
  };
  /** Columns of a new row that get the value which most rows have, such as the version of a document. */
  readonly likeMost?: readonly string[];
  /** Further columns of a new row. */
  readonly newRow: (user: WrittenUser) => Readonly<Record<string, Cell>>;
  readonly hashes: WrittenHashes;
}

/** How the users of a system are read from its database. */
export interface ProviderDatabase {
  readonly engines: readonly EngineName[];
  /** Versions with these tables, for people. */
  readonly versions: string;
  /** In PostgreSQL. Default `public`. */
  readonly schema?: string;
  /** The prefix of table names, unless another is given. */
  readonly prefix?: string;
  readonly tables: readonly DatabaseTable[];
  readonly realms?: Realms;
  /** For a system to which changes can be written back. */
  readonly writes?: WrittenUsers;
  /** Converts rows by table to the provider's record; left out: the rows unchanged. */
  readonly assemble?: (user: DatabaseUser) => DatabaseUser;
  /** Data in the tables that is not imported, for people. */
  readonly leavesOut?: string;
}
