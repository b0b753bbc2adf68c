import type { NativeUser } from '../../imports/record/native-record.ts';
import type { RejectCode } from '../../imports/model.ts';
import { type Fields, type Values, valueOf } from '../fields/declare.ts';
import type { SourceRow } from '../fields/source-row.ts';

/** The contract of one export format: pure functions from its records to ours. */

export type { SourceRow } from '../fields/source-row.ts';

/** Where the records of one table stand in a file. */
export type Place =
  /** One JSON object a line. */
  | { readonly format: 'ndjson' }
  /** Elements of the array under these keys; of the top-level array with none. */
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

/** A table of an export: users, or something that is joined to them by the user's id. */
export interface Table {
  /** `users`, or a name for what is joined: `hashes`, `identities`, `accounts`. */
  readonly name: string;
  /** The forms that it comes in; none for what only a dump has. */
  readonly places: readonly Place[];
  /**
   * How the table is called in a database, the likelier name first: with its schema where it is always in one, `*` in
   * front where a prefix stands there.
   */
  readonly sqlNames?: readonly string[];
  /** CSV without a header row: columns in the orders that the system itself gives its table. */
  readonly orders?: readonly (readonly string[])[];
  /** Names of texts in the object that holds the list which its records get too, where that list was found in a document. */
  readonly beside?: readonly string[];
  /** Of a file that is the provider's and has none of the table: what it is, and which file to take. */
  readonly advise?: (sample: Sample) => string | undefined;
  /** Whether a row belongs to this table: for files that mix several in one array. */
  readonly holds?: (row: SourceRow) => boolean;
  /** What a row holds: `convert` gets its values. */
  readonly fields: Fields;
  /** Of a further table: whether a file is one of it, so that it need not be named by its flag. */
  readonly isIn?: (sample: Sample) => boolean;
  /** The columns of a row, where they do not stand in the row itself. */
  readonly columnsOf?: (row: SourceRow) => SourceRow;
  /** The user's id that a row belongs to, as text; of a user its own. undefined: it belongs to no user. */
  readonly idOf: (row: SourceRow) => string | undefined;
  /** Of users: another id of the same user, by which rows of some further tables are joined. */
  readonly otherIdOf?: (row: SourceRow) => string | undefined;
  /** Of a further table: its rows may name the user by that other id. */
  readonly namesOtherId?: true;
  /** One-line flag of the command for a file of its own: `--auth0-hashes FILE`. Not for `users`. */
  readonly flag?: string;
  /** Of the table that has the password hashes, if that is not the users': what its file is. */
  readonly hashes?: string;
  /** What is not seen without it, and would be missed in silence: for people. */
  readonly unseen?: string;
  /** It has columns of bytes, which come as `0x` and digits where they are not a text. */
  readonly hasBytes?: boolean;
}

/** A small table of a dump that names what other rows have the id of. It is read whole, before the users. */
export interface Lookup {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Where `prepare` finds the rows of a lookup, as JSON. */
export function lookupOption(table: string): string {
  return `rows of ${table}`;
}

/** Where `prepare` finds the texts next to the lists of users under a name, as a JSON array. */
export function besideOption(name: string): string {
  return `${name} beside the users`;
}

/** The beginning of a file, as far as it could be read. */
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

/** Texts of the command line and of the export's own preamble; which ones a provider reads is its `options`. */
export type ConvertOptions = Readonly<Record<string, string | undefined>>;

export interface ProviderOption {
  /** The flag without its dashes, in kebab case: `firebase-signer-key`. The key in ConvertOptions. */
  readonly name: string;
  readonly about: string;
  /** A secret is not repeated in any message. */
  readonly isSecret?: boolean;
  /** Given or not, without a value: `true` in ConvertOptions. */
  readonly isSwitch?: boolean;
}

/** Rows of other tables that belong to the user, by table name. */
export type Related = Readonly<Record<string, readonly SourceRow[]>>;

export type Conversion =
  | {
      readonly ok: true;
      readonly user: NativeUser;
      /** What the user may have lost in the export, and what to do; the same words for all such users, who are counted. */
      readonly note?: string;
      /** Why the user comes without the password, which is of a kind that cannot be verified or not readable. */
      readonly lostPassword?: ConversionReject;
      /** The source has the password, and the file no hash of it: nothing in the file was unusable. */
      readonly isHashElsewhere?: true;
    }
  | { readonly ok: false; readonly reason: ConversionReject };

export interface ConversionReject {
  readonly code: RejectCode;
  /** The field in the provider's record. */
  readonly field: string;
  readonly message: string;
  readonly externalUserId?: string | undefined;
  /** What to say in place of `message`, whose advice holds only without a salt, where the record has one elsewhere. */
  readonly ifSalted?: string;
  /** The source marks the person as deleted: `--absent` takes them for absent. */
  readonly isGone?: true;
}

/** Stops the whole run: every further record would fail the same way. The message says the cure. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
}

/** Flags that decide what a file leaves open, and what they mean. */
export interface Choice {
  readonly flags: readonly string[];
  readonly reason: string;
}

/** A file allows more than one reading, and a flag has to say which. The command prints itself with each of the choices. */
export class NeedsChoice extends ExportFault {
  readonly choices: readonly Choice[];

  constructor(message: string, choices: readonly Choice[]) {
    super(message);
    this.choices = choices;
  }
}

/** What a system does with hashes that were made here, if its users go back to it. */
export interface WayBack {
  /** The hashes that it reads, for people. */
  readonly reads: string;
  /** Settings under which the core makes such hashes; undefined: it reads none that the core can make. */
  readonly settings: Readonly<Record<string, string | number>> | undefined;
}

export interface Provider {
  /** As in `--from`: lower case. */
  readonly name: string;
  readonly title: string;
  /** What the provider's export leaves out or what must be fetched elsewhere, in one or two sentences: for --help. */
  readonly about: string;
  /** Undefined for records that are not a system's. */
  readonly wayBack: WayBack | undefined;
  /** `users` first. */
  readonly tables: readonly Table[];
  readonly options?: readonly ProviderOption[];
  /** What `--map` may map to, where other names would be ignored in silence. */
  readonly fields?: readonly string[];
  readonly lookups?: readonly Lookup[];
  /** Of a file that no format reads: what it is if it looks like the provider's, and which one to take. */
  readonly adviseUnknown?: (sample: Sample) => string | undefined;
  /** 0: not this one. Higher is surer; 1 for a look-alike, 10 for marks that no other system has. */
  readonly recognises: (sample: Sample) => number;
  /** Sets of users that are not of one app, though one folder has their files. */
  readonly realm?: (sample: Sample) => string | undefined;
  /** What to say before anything is read, where options were left out that a file may need. */
  readonly hint?: (options: ConvertOptions, core?: { readonly hasSignerKey: boolean }) => string | undefined;
  /** Reads options and what the export says of itself, once for a run. @throws ExportFault */
  readonly prepare?: (options: ConvertOptions) => ConvertOptions;
  /** Whether a user is not of the set that is converted. */
  readonly isLeftOut?: (user: SourceRow, options: ConvertOptions) => boolean;
  /** Records that are taken as they are, not by the fields of the table: the core checks every field of them against its schema. */
  readonly whole?: { readonly is: (row: SourceRow) => boolean; readonly convert: Provider['convert'] };
  /**
   * One user. Must not throw for bad data, except ExportFault; must not keep anything between calls.
   * @param options what `prepare` returned
   */
  readonly convert: (user: SourceRow, related: Related, options: ConvertOptions) => Conversion;
}

const rowPlaces: readonly Place[] = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }];

/**
 * A table whose rows are what `fields` declares: the first of them that is an id is the user's. It comes in files of rows, unless
 * other places are given. @throws Error where no field is an id
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
