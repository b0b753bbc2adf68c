/** Converts one record, with the rows that belong to it, to a native line. */

import { lineBytesLimit } from '../../domain/line-limit.ts';
import { checkAtSource } from '../../domain/required-actions.ts';
import type { NativeUser } from '../../imports/record/native-record.ts';
import { prefixedId } from '../../imports/record/prefixed-id.ts';
import { type Account, emptyAccount, noteLostPassword } from '../fields/account.ts';
import { type Reading, RowReader, type Unreadable } from '../fields/read.ts';
import type { Fields } from '../fields/declare.ts';
import { adviceOfCountries } from '../fields/national-phones.ts';
import { orderOf } from '../fields/times.ts';
import { textOf } from '../providers/parts/fields.ts';
import { countryIn, saltOption } from '../providers/parts/person.ts';
import type {
  Conversion,
  ConversionReject,
  ConvertOptions,
  Provider,
  Related,
  SourceRow,
  Table,
} from '../providers/provider.ts';
import type { ConvertRules } from '../tasks.ts';
import { described, withSalt } from './columns-of-hash.ts';
import type { ReadRecord } from './records.ts';
import { rolesOption, withRolesFrom } from './roles/roles.ts';
import { passwordAsOption, withTransforms } from './transforms.ts';

/** The native line of a record without its newline; neither for a record that is not a user. */
export interface ConvertedRecord {
  readonly line?: string;
  readonly user?: NativeUser;
  readonly note?: string;
  readonly reject?: ConversionReject;
}

/**
 * Converts the records of a batch individually, and counts them in their account: one instance for each batch.
 *
 * Invariant: each given record is counted once, as converted, rejected or skipped.
 */
export class RecordConverter {
  readonly #provider: Provider;
  readonly #rules: ConvertRules;
  /** By table. Tables that declare no fields have none. */
  readonly #readers: ReadonlyMap<string, RowReader<Fields>>;
  readonly #account: Account = emptyAccount();

  /** @param rules how the records are converted; they name the provider */
  constructor(provider: Provider, rules: ConvertRules) {
    this.#provider = provider;
    this.#rules = rules;
    const { options } = rules;
    const reading = {
      order: orderOf(options),
      country: countryIn(options),
      usedElsewhere: usedElsewhere(rules),
    };
    const readers = new Map<string, RowReader<Fields>>();
    for (const { name, fields } of provider.tables) {
      const orders = rules.dates && (rules.dates[name] ?? {});
      readers.set(name, new RowReader(fields, { ...reading, orders }));
    }
    this.#readers = readers;
  }

  /** Whether there was a date with the day or the month first, for whose column the rules have no order. */
  get isUndecided(): boolean {
    return this.#rules.dates === undefined && [...this.#readers.values()].some((each) => each.isUndecided);
  }

  /** The outcome of the records so far. Examples have the positions of their records in the batch. */
  account(): Account {
    for (const [table, reader] of this.#readers) {
      const { columns, isCut } = reader.account();
      if (Object.keys(columns).length > 0) this.#account.tables[table] = columns;
      this.#account.isCut ||= isCut;
    }
    return this.#account;
  }

  /** @param place the record's index in the batch @throws ExportFault as the provider does */
  convert(record: ReadRecord, related: Related, place: number): ConvertedRecord {
    const converted = this.#convert(record, related, place);
    const account = this.#account;
    account.records += 1;
    if (converted.reject !== undefined) account.rejected += 1;
    else if (converted.user === undefined) account.skipped += 1;
    else account.converted += 1;
    return converted;
  }

  #convert(record: ReadRecord, related: Related, place: number): ConvertedRecord {
    if (record.is === 'blank') return {};
    if (record.is === 'reject') return { reject: record.reason };
    return this.#isLeftOut(record.row) ? {} : this.#convertRow(record.row, related, place);
  }

  #isLeftOut(row: SourceRow): boolean {
    const { tables, isLeftOut } = this.#provider;
    return tables[0]?.holds?.(row) === false || isLeftOut?.(row, this.#rules.options) === true;
  }

  #convertRow(row: SourceRow, related: Related, place: number): ConvertedRecord {
    const { conversion, isGuardMissed } = this.conversionOf(row, related, place);
    return this.#finish(conversion, { row, place, isGuardMissed });
  }

  /** The provider's conversion of a row, before the rules of the run are applied. */
  conversionOf(
    row: SourceRow,
    related: Related,
    place = 0,
  ): { readonly conversion: Conversion; readonly isGuardMissed: boolean } {
    const { tables, whole } = this.#provider;
    const [users] = tables;
    if (whole?.is(row) === true)
      return { conversion: whole.convert(row, related, optionsFor(row, this.#rules)), isGuardMissed: false };
    const reading = this.#read(users, row, place);
    const missed = reading?.unreadable.find(({ purpose }) => purpose === 'identifies');
    if (missed !== undefined)
      return {
        conversion: { ok: false, reason: unreadable(missed, users?.idOf(row)) },
        isGuardMissed: false,
      };
    const joined = related === nothingRelated ? noValues : this.#valuesOf(related, place);
    const conversion = this.#provider.convert(
      reading?.values ?? row,
      joined.values,
      optionsFor(row, this.#rules),
    );
    return withUnread(conversion, reading?.unreadable ?? [], joined.unreadable);
  }

  /** undefined where the provider has no such table. */
  #read(table: Table | undefined, row: SourceRow, place: number): Reading | undefined {
    return this.#readers.get(table?.name ?? '')?.read(table?.columnsOf?.(row) ?? row, place);
  }

  #finish(conversion: Conversion, { row, place, isGuardMissed }: Read): ConvertedRecord {
    if (!conversion.ok) return { reject: withSalt(conversion.reason, row) };
    const { options, tenant, idPrefix } = this.#rules;
    const { lostPassword } = conversion;
    const { externalUserId } = conversion.user;
    const id = prefixedId(externalUserId, idPrefix);
    if (typeof id === 'object') return { reject: { ...id, externalUserId } };
    const found = described(conversion.user, row, options);
    const guarded = isGuardMissed ? withCheck(found.user) : found.user;
    const roles = options[rolesOption];
    const stated = withTransforms(guarded, options[passwordAsOption]);
    const own = roles === undefined ? stated : withRolesFrom(stated, row, roles);
    const user = inTenant(withId(own, id), tenant);
    const line = JSON.stringify(user);
    if (Buffer.byteLength(line) > lineBytesLimit) return { reject: tooLong(externalUserId) };
    if (isGuardMissed) this.#account.restricted += 1;
    this.#account.passwords[passwordOf(user, conversion)] += 1;
    if (lostPassword !== undefined)
      noteLostPassword(this.#account, withSalt(lostPassword, row).message, place);
    return { line, user, ...noteOf(found.note ?? conversion.note) };
  }

  #valuesOf(
    related: Related,
    place: number,
  ): { readonly values: Related; readonly unreadable: readonly Unreadable[] } {
    const unreadable: Unreadable[] = [];
    const tables = this.#provider.tables.flatMap((table) => {
      const { name } = table;
      const rows = related[name];
      if (rows === undefined) return [];
      const read = rows.map((row) => this.#read(table, row, place));
      for (const each of read) unreadable.push(...(each?.unreadable ?? []));
      return [[name, rows.map((row, at) => read[at]?.values ?? row)] as const];
    });
    return { values: Object.fromEntries(tables), unreadable };
  }
}

/** For records without joined rows. */
export const nothingRelated: Related = {};
const noValues = { values: nothingRelated, unreadable: [] } as const;

/** Columns that are read by other means than the fields of a table. */
export function usedElsewhere({ options, mappedColumns = [] }: ConvertRules): readonly string[] {
  const { [rolesOption]: roles } = options;
  return roles === undefined ? mappedColumns : [...mappedColumns, roles.split('.')[0] ?? ''];
}

/** A record that is being converted. */
interface Read {
  readonly row: SourceRow;
  readonly place: number;
  /** Whether a field that may guard the account could not be read. */
  readonly isGuardMissed: boolean;
}

/** @param ofUser unreadable columns of the user's record @param joined the same of further tables */
function withUnread(
  conversion: Conversion,
  ofUser: readonly Unreadable[],
  joined: readonly Unreadable[],
): { readonly conversion: Conversion; readonly isGuardMissed: boolean } {
  if (ofUser.length === 0 && joined.length === 0) return { conversion, isGuardMissed: false };
  const unread = [...ofUser, ...joined];
  const hash = unread.find(({ purpose }) => purpose === 'hash');
  return {
    conversion: hash === undefined ? conversion : withLostHash(conversion, hash),
    // A row of a further table without its id was joined to no user.
    isGuardMissed: unread.some(({ purpose }) => purpose === 'guards'),
  };
}

/** A user without any other password: the unreadable hash is the lost one. */
function withLostHash(conversion: Conversion, { column }: Unreadable): Conversion {
  if (!conversion.ok || conversion.lostPassword !== undefined || hasPassword(conversion.user))
    return conversion;
  const { externalUserId } = conversion.user;
  const message = `${column} cannot be read as a password hash`;
  return {
    ...conversion,
    lostPassword: { code: 'INVALID_PASSWORD_HASH', field: column, message, externalUserId },
  };
}

function hasPassword({ loginMethods }: NativeUser): boolean {
  return loginMethods.some((method) => 'passwordHash' in method || 'plainTextPassword' in method);
}

function passwordOf(
  user: NativeUser,
  { lostPassword, isHashElsewhere }: Extract<Conversion, { ok: true }>,
): keyof Account['passwords'] {
  if (isHashElsewhere === true) return 'absent';
  if (lostPassword !== undefined) return 'unknown';
  return hasPassword(user) ? 'verifiable' : 'absent';
}

/**
 * In case the column guards the account: the user is disabled, whatever other fields state, until the record is readable or the
 * user is enabled here. The action is added only for users that no other field disables permanently, so that lifting it for
 * all of them enables no others.
 */
function withCheck(user: NativeUser): NativeUser {
  const { disabledUntil, ...rest } = user;
  const checked = { ...rest, isDisabled: true };
  // A lock with an end would enable the user at its end: only the action states the reason.
  return user.isDisabled === true && disabledUntil === undefined
    ? checked
    : { ...checked, requiredActions: [...(user.requiredActions ?? []), checkAtSource] };
}

function unreadable(
  { column, type, countries }: Unreadable,
  externalUserId: string | undefined,
): ConversionReject {
  return {
    code: 'INVALID_FIELD',
    field: column,
    message: `it cannot be read as ${typeNames[type]}: ${countries === undefined ? 'correct it, or map another column (--map)' : adviceOfCountries(countries)}`,
    externalUserId,
  };
}

const typeNames: Readonly<Record<Unreadable['type'], string>> = {
  state: 'a word',
  id: 'an id: a text, or a whole number below 2^53 that no spreadsheet has rounded (1.02E+17)',
  text: 'a text',
  flag: 'a flag, such as true or 0',
  time: 'a time',
  evidence: 'a time or a flag',
  until: 'a time or a flag',
  number: 'a whole number',
  phone: 'a phone number with its country, such as +4915112345678',
  hash: 'a hash',
  salt: 'a salt',
  list: 'a list',
  object: 'an object',
  objects: 'a list of objects',
  any: 'a value',
  word: 'a word of this source',
  others: 'a value',
};

function tooLong(externalUserId: string | undefined): ConversionReject {
  return {
    code: 'LINE_TOO_LONG',
    field: '',
    message: 'the converted user is larger than 1 MiB',
    externalUserId,
  };
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

/** With the salt of this record, in case a construction needs it. */
function optionsFor(row: SourceRow, { options }: ConvertRules): ConvertOptions {
  const salt = options['hash-as'] === undefined ? undefined : saltOf(row.passwordSalt);
  return salt === undefined ? options : { ...options, [saltOption]: salt };
}

/** Unchanged, including blanks at its ends: vBulletin's salts are any three characters. */
function saltOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return textOf(value);
  return value.trim() !== '' && textOf(value) === undefined ? undefined : value;
}

function withId(user: NativeUser, externalUserId: string | undefined): NativeUser {
  return externalUserId === user.externalUserId
    ? user
    : { ...user, ...(externalUserId && { externalUserId }) };
}

function inTenant(user: NativeUser, tenant: string | undefined): NativeUser {
  if (tenant === undefined) return user;
  const tenantIds = [tenant];
  return {
    ...user,
    ...(user.userRoles && { userRoles: user.userRoles.map((role) => ({ tenantIds, ...role })) }),
    loginMethods: user.loginMethods.map((method) => ({ tenantIds, ...method })),
  };
}
