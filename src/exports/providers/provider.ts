import type { NativeUser } from '../../imports/record/native-record.ts';
import type { RejectCode } from '../../imports/model.ts';
import { type Fields, type Values, valueOf } from '../fields/declare.ts';
import type { Related, SourceRow } from '../fields/source-row.ts';
import type { ProviderDatabase } from './database.ts';

/** The contract of one export format: pure functions from its records to ours. */

export type { Related, SourceRow } from '../fields/source-row.ts';

/** The place of the records of one table in a file. */
export type Place =
  /** One JSON object a line. */
  | { readonly format: 'ndjson' }
  /** Elements of the array under these keys; of the top-level array without keys. */
  | { readonly format: 'json'; readonly path: readonly string[] }
  /**
   * With `columns` the file has no header row; its rows have as many cells as its first, one of `widths`. `skipTo` skips preamble
   * rows until one begins with this cell.
   */
  | {
      readonly format: 'csv';
      readonly columns?: readonly string[];
      readonly widths?: readonly number[];
      readonly skipTo?: string;
    };

/** A table of an export: users, or rows that are joined to them by the user's id. */
export interface Table {
  /** `users`, or a name for joined rows: `hashes`, `identities`, `accounts`. */
  readonly name: string;
  /** Its possible forms; empty for a table that only a dump has. */
  readonly places: readonly Place[];
  /**
   * The table's name in a database, the likelier name first: with its schema if it is always in one, beginning with `*` if there
   * is a prefix.
   */
  readonly sqlNames?: readonly string[];
  /** CSV without a header row: columns in the orders of the system's own table. */
  readonly orders?: readonly (readonly string[])[];
  /** Names of texts, in the object around the list, that its records get too, if that list was found in a document. */
  readonly beside?: readonly string[];
  /** For a file of the provider without the table: what it is, and which file to use. */
  readonly advise?: (sample: Sample) => string | undefined;
  /** Whether a row belongs to this table: for files that mix several in one array. */
  readonly holds?: (row: SourceRow) => boolean;
  /** The content of a row: `convert` gets its values. */
  readonly fields: Fields;
  /** For a further table: whether a file contains it, so that it need not be named by its flag. */
  readonly isIn?: (sample: Sample) => boolean;
  /** The columns of a row, if they are not in the row itself. */
  readonly columnsOf?: (row: SourceRow) => SourceRow;
  /** The id of a row's user, as text; of a user its own. undefined: it belongs to no user. */
  readonly idOf: (row: SourceRow) => string | undefined;
  /** For users: another id of the same user, by which rows of some further tables are joined. */
  readonly otherIdOf?: (row: SourceRow) => string | undefined;
  /** For a further table: its rows may refer to the user by that other id. */
  readonly namesOtherId?: true;
  /** One-line flag of the command for a separate file: `--auth0-hashes FILE`. Not for `users`. */
  readonly flag?: string;
  /** For the table with the password hashes, if it is not the users': what its file is. */
  readonly hashes?: string;
  /** What would be lost without notice without this table: for people. */
  readonly unseen?: string;
  /** It has columns of bytes, which are `0x` and digits if they are not a text. */
  readonly hasBytes?: boolean;
}

/** A small table of a dump with the names of ids in other rows. It is read whole, before the users. */
export interface Lookup {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The key under which `prepare` finds the rows of a lookup, as JSON. */
export function lookupOption(table: string): string {
  return `rows of ${table}`;
}

/** The key under which `prepare` finds the texts next to the lists of users under a name, as a JSON array. */
export function besideOption(name: string): string {
  return `${name} beside the users`;
}

/** The readable beginning of a file. */
export interface Sample {
  readonly format: 'ndjson' | 'json' | 'csv';
  /** csv: the cells of its first row. */
  readonly columns: readonly string[];
  /** json: `array`, or the keys of the top-level object that were seen. */
  readonly root: 'array' | readonly string[];
  /** json: texts among the values of the top-level object, by their keys. */
  readonly said?: Readonly<Record<string, string>>;
  /** The first record of the array, of the first array in the object, or of the lines. */
  readonly first: SourceRow;
}

/** Texts of the command line and of the export's own preamble; a provider's `options` lists those it reads. */
export type ConvertOptions = Readonly<Record<string, string | undefined>>;

export interface ProviderOption {
  /** The flag without its dashes, in kebab case: `firebase-signer-key`. The key in ConvertOptions. */
  readonly name: string;
  readonly about: string;
  /** A secret is not repeated in any message. */
  readonly isSecret?: boolean;
  /** Without a value: `true` in ConvertOptions if given. */
  readonly isSwitch?: boolean;
}

export type Conversion =
  | {
      readonly ok: true;
      readonly user: NativeUser;
      /** What the user may have lost in the export, and the cure; the same words for all such users, who are counted. */
      readonly note?: string;
      /** Why the user is imported without the password, which is of a kind that cannot be verified, or unreadable. */
      readonly lostPassword?: ConversionReject;
      /** The source has the password, but the file has no hash of it: nothing in the file was unusable. */
      readonly isHashElsewhere?: true;
    }
  | { readonly ok: false; readonly reason: ConversionReject };

export interface ConversionReject {
  readonly code: RejectCode;
  /** The field in the provider's record. */
  readonly field: string;
  readonly message: string;
  readonly externalUserId?: string | undefined;
  /** Used instead of `message`, whose advice holds only without a salt, if the record has one elsewhere. */
  readonly ifSalted?: string;
  /** The source marks the person as deleted: `--absent` treats them as absent. */
  readonly isGone?: true;
}

/** Stops the whole run: every further record would fail the same way. The message states the cure. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
}

/** Flags that decide an open choice about a file, and what they mean. */
export interface Choice {
  readonly flags: readonly string[];
  readonly reason: string;
}

/** A file allows more than one reading, and a flag has to decide. The command prints itself with each of the choices. */
export class NeedsChoice extends ExportFault {
  readonly choices: readonly Choice[];

  constructor(message: string, choices: readonly Choice[]) {
    super(message);
    this.choices = choices;
  }
}

/** How a system treats hashes that were made here, if its users go back to it. */
export interface WayBack {
  /** The hashes that it can verify, for people. */
  readonly reads: string;
  /** Settings under which the core makes such hashes; undefined: it can verify none that the core makes. */
  readonly settings: Readonly<Record<string, string | number>> | undefined;
}

export interface Provider {
  /** As in `--from`: lower case. */
  readonly name: string;
  readonly title: string;
  /** What the provider's export leaves out or has to be fetched elsewhere, in one or two sentences: for --help. */
  readonly about: string;
  /** Undefined for records that belong to no system. */
  readonly wayBack: WayBack | undefined;
  /** `users` first. */
  readonly tables: readonly Table[];
  readonly options?: readonly ProviderOption[];
  /** The allowed targets of `--map`, if others would be ignored without notice. */
  readonly fields?: readonly string[];
  readonly lookups?: readonly Lookup[];
  /** For a system whose users can be read from its database, without an export. */
  readonly database?: ProviderDatabase;
  /** For a file that no format reads: what it is if it looks like the provider's, and which one to use. */
  readonly adviseUnknown?: (sample: Sample) => string | undefined;
  /** 0: not this one. Higher is more certain; 1 for a similar one, 10 for marks that no other system has. */
  readonly recognises: (sample: Sample) => number;
  /** Sets of users that do not belong to one app, although one folder has their files. */
  readonly realm?: (sample: Sample) => string | undefined;
  /** The note before anything is read, if options that a file may need were left out. */
  readonly hint?: (options: ConvertOptions, core?: { readonly hasSignerKey: boolean }) => string | undefined;
  /** Reads options and the export's own statements, once for a run. @throws ExportFault */
  readonly prepare?: (options: ConvertOptions) => ConvertOptions;
  /** Whether a user does not belong to the converted set. */
  readonly isLeftOut?: (user: SourceRow, options: ConvertOptions) => boolean;
  /**
   * Records that are passed on unchanged, not read by the fields of the table: the core checks every field of them against its
   * schema.
   */
  readonly whole?: { readonly is: (row: SourceRow) => boolean; readonly convert: Provider['convert'] };
  /**
   * Converts one user. Must not throw for bad data, except ExportFault; must not store anything between calls.
   * @param options the result of `prepare`
   */
  readonly convert: (user: SourceRow, related: Related, options: ConvertOptions) => Conversion;
}

/** A provider with a database. */
export type DatabaseProvider = Provider & Required<Pick<Provider, 'database'>>;

const rowPlaces: readonly Place[] = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }];

/**
 * A table whose rows have `fields`: the first of them that is an id is the user's. Its places are files of rows, unless others
 * are given.
 * @throws Error if no field is an id
 */
export function table(name: string, fields: Fields, given: Partial<Table> = {}): Table {
  const id = Object.values(fields).find(({ type, purpose }) => type === 'id' && purpose === 'identifies');
  if (id === undefined) throw new Error(`no field of the table ${name} is the user's id`);
  return {
    name,
    fields,
    places: rowPlaces,
    idOf: (row) => valueOf(row, id) as string | undefined,
    ...given,
  };
}

/**
 * `convert` of a provider whose users' table declares its fields.
 * @param convert gets a user as its fields' values
 */
export function convertValues<F extends Fields>(
  _fields: F,
  convert: (user: Values<F>, related: Related, options: ConvertOptions) => Conversion,
): Provider['convert'] {
  // convert-record.ts reads the rows, which the types of all providers together cannot say.
  return (row, related, options) => convert(row as Values<F>, related, options);
}

/** The rows of a further table that declares its fields, as their values. */
export function relatedValues<F extends Fields>(
  _fields: F,
  rows: readonly SourceRow[] | undefined,
): readonly Values<F>[] {
  return (rows ?? []) as readonly Values<F>[];
}
