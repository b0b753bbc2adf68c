/** Proposes a mapping of an unknown system's table to the native record, for a person to confirm. */

import { hashLimitsBy } from '../../config/tenant-settings.ts';
import { parseHash } from '../../hashes/recognise.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import { commonCountries } from '../fields/national-phones.ts';
import { unparsable } from '../fields/parsed.ts';
import { holdsHash, isTokenName, looksLikeHash, suspicionOf } from '../fields/suspect.ts';
import { parseEvidence } from '../fields/times.ts';
import { phoneOf, textOf, timeOf } from '../providers/parts/fields.ts';
import type { SourceRow } from '../providers/provider.ts';
import { shellWord } from '../readers/bytes/shell-word.ts';
import { type Column, columnsOf, hasForm, isFilledBy, named } from './propose-column.ts';
import { constructionsFor } from './propose-constructions.ts';
import { type GuardField, isGuard, proposeGuards, type Undecided } from './propose-guards.ts';

/** What the name or the values of a column look like. */
export type ColumnLooks = 'hash' | 'salt' | 'guard' | 'factor' | 'date' | 'phone';

export interface Mapped {
  readonly field: string;
  /** In the form of `--map`: the column, `!column` for the negation of a flag, `!column:word` for words. */
  readonly own: string;
  readonly reason: string;
}

export interface Unused {
  readonly column: string;
  readonly looks: ColumnLooks;
  /** For a guard: its different values, if they are few. */
  readonly values?: readonly string[];
  /** For a guard: the field that is available for it, if there is one. */
  readonly field?: GuardField | undefined;
  /** For phone numbers without their country: countries in which all tried ones are valid. */
  readonly countries?: readonly string[] | undefined;
}

export interface Proposal {
  readonly mapped: readonly Mapped[];
  /**
   * The kind of hashes that do not show theirs: by their length alone, so known passwords have to prove it. undefined if they
   * show it, if another column may be their salt, and if the values fit no kind.
   */
  readonly hashAs: HashKindName | undefined;
  /**
   * Possible constructions from password and salt, in the form of `--hash-as`: those that fit all values, for known passwords to
   * decide.
   */
  readonly constructions: readonly string[];
  /** Unmapped columns that look important, in the order of the file. Guards have to be decided. */
  readonly unused: readonly Unused[];
  /** The number of records it was tried on. */
  readonly records: number;
  /** All other columns with values, in the order of the file. */
  readonly others: readonly string[];
}

/**
 * A mapping of the columns with the names, and values, of fields of the native record. undefined without an email.
 * @param columns the names of the file's columns
 * @param rows some of its records; without any the names alone decide
 */
export function proposeMapping(columns: readonly string[], rows: readonly SourceRow[]): Proposal | undefined {
  const table = columnsOf(columns, rows);
  const email = emailOf(table);
  if (email === undefined) return undefined;
  const others = table.filter((each) => each !== email);
  const hash = named(others, hashNames, isHashLike) ?? others.find((each) => isFilledBy(each, showsKind));
  const { salt, constructions } = saltOf(others, hash, rows);
  const phones = phonesOf(others);
  const fields = [
    ['externalUserId', idOf(others), 'it is in every record, and different in each'],
    ['email', email, 'are email addresses'],
    ['passwordHash', hash, hash === undefined ? '' : kindsIn(hash)],
    ['passwordSalt', salt, 'are salts of hashes that do not show theirs'],
    ['isVerified', named(others, verifiedNames, isEvidence), 'are flags or times'],
    ['phoneNumber', phones.column, phones.are],
    ['timeJoinedInMSSinceEpoch', named(others, joinedNames, isTime), 'are times'],
  ] as const;
  const taken = new Set<Column | undefined>(fields.map(([, column]) => column));
  const { proposed, undecided } = proposeGuards(others.filter((each) => !taken.has(each)));
  for (const { column } of proposed) taken.add(column);
  const mapped = fields.flatMap(([field, column, are]) =>
    column === undefined ? [] : [{ field, own: column.name, reason: reasonOf(column, are) }],
  );
  const guards = proposed.map(({ field, own, reason }) => ({ field, own, reason }));
  const unused = table
    .filter((each) => !taken.has(each))
    .flatMap((each) => (each === phones.open?.column ? [phones.open.unused] : unusedOf(each, undecided)));
  const listed = new Set(unused.map(({ column }) => column));
  return {
    mapped: [...mapped, ...guards],
    hashAs: hash === undefined || salt !== undefined || hasSalt(others) ? undefined : kindOf(hash.values),
    constructions,
    unused,
    records: rows.length,
    others: table
      .filter((each) => !taken.has(each) && !listed.has(each.name) && each.values.length > 0)
      .map(({ name }) => name),
  };
}

/** The map, in the form of `--map`. */
export function mapOf({ mapped }: Proposal): Readonly<Record<string, string>> {
  return Object.fromEntries(mapped.map(({ field, own }) => [field, own]));
}

/** The proposal as flags of the command, for a POSIX shell. */
export function flagsOf(proposal: Proposal): string {
  const { hashAs } = proposal;
  const pairs = proposal.mapped.map(({ field, own }) => `${field}=${own}`);
  const kind = hashAs === undefined ? '' : ` --hash-as ${hashAs}`;
  return `--from native --map ${shellWord(pairs.join(','))}${kind}`;
}

interface Phones {
  readonly column?: Column | undefined;
  readonly are: string;
  /** Numbers without their country: a person has to name it, because most are valid in several. */
  readonly open?: { readonly column: Column; readonly unused: Unused };
}

/** Phone numbers that are tried in every country. */
const phonesTried = 20;

function phonesOf(columns: readonly Column[]): Phones {
  const column = named(columns, phoneNames, isPhone);
  if (column !== undefined) return { column, are: 'are phone numbers with their country' };
  const national = named(columns, phoneNames, (value) => /^[+\d\s()./-]{5,25}$/.test(value));
  const countries = national === undefined ? [] : commonCountries(national.values.slice(0, phonesTried));
  if (national === undefined || countries.length === 0) return { are: '' };
  return {
    are: '',
    open: { column: national, unused: { column: national.name, looks: 'phone', countries } },
  };
}

function reasonOf({ values, records }: Column, are: string): string {
  if (values.length === 0) return `by its name alone: it is empty in all ${records} records`;
  return are.startsWith('it ') ? `by its name, and ${are}` : `all ${values.length} values ${are}`;
}

function hasSalt(columns: readonly Column[]): boolean {
  return columns.some((each) => hasForm(each, saltName));
}

const saltName = /salt/;

/** A column of salts is useful only if hashes do not show their kind. */
function saltOf(
  columns: readonly Column[],
  hash: Column | undefined,
  rows: readonly SourceRow[],
): { readonly salt: Column | undefined; readonly constructions: readonly string[] } {
  const salt = columns.find((each) => each !== hash && hasForm(each, saltName));
  const pairs = rows.flatMap((row) => {
    const [text, own] = [textOf(row[hash?.name ?? '']), textOf(row[salt?.name ?? ''])];
    return text === undefined || own === undefined || showsKind(text) ? [] : [[text, own] as const];
  });
  const constructions = constructionsFor(pairs);
  return { salt: pairs.length > 0 ? salt : undefined, constructions };
}

/** The column with the most addresses: a second address of some users is not the email of all. */
function emailOf(table: readonly Column[]): Column | undefined {
  const filled = table.filter((each) => isFilledBy(each, isEmail));
  const most = Math.max(0, ...filled.map(({ values }) => values.length));
  const fullest = filled.filter(({ values }) => values.length === most);
  return named(fullest, emailNames, isEmail) ?? fullest[0] ?? named(table, emailNames, isEmail);
}

/** An id is present in each row, and unique. */
function idOf(columns: readonly Column[]): Column | undefined {
  const isId = (value: string): boolean => value.length <= 128;
  const different = columns.filter(({ values, records }) => new Set(values).size === records);
  return (
    named(different, idNames, isId) ??
    different.find((each) => hasForm(each, furtherId) && each.values.every(isId))
  );
}

/** PrestaShop's id_customer, Magento's entity_id, and numbers such as member_no. */
const furtherId =
  /^id(?:customer|user|member|account|client)$|^(?:entity|client|person|profile|login|record|object)id$|^(?:customer|user|member|account|client|person|contact)(?:no|nr|number)$/;

const emailNames =
  'email emailaddress emailadresse mail mailaddress mailadresse useremail primaryemail emailaddr usermail'.split(
    ' ',
  );
const idNames =
  'externaluserid externalid userid uid uuid guid id userguid customerid memberid accountid benutzerid benutzernr kundenid kundennr kundennummer mitgliedsnummer sub pk key'.split(
    ' ',
  );
const hashNames =
  'passwordhash passworthash kennworthash hashedpassword encryptedpassword passworddigest cryptedpassword passwordencrypted userpass password passwort kennwort passwd pass pwdhash pwd hash pwhash'.split(
    ' ',
  );
const verifiedNames =
  'isverified emailverified emailverification emailauthenticated isemailverified emailconfirmed isemailconfirmed emailverifiedat emailconfirmedat emailbestätigt verified confirmed isconfirmed verifiedat confirmedat bestätigt verifiziert'.split(
    ' ',
  );
const phoneNames =
  'phonenumber phone mobile mobilephone mobilenumber telephone tel cell telefon telefonnummer mobil mobilnummer handy handynummer'.split(
    ' ',
  );
const joinedNames =
  'timejoinedinmssinceepoch createdat created createdon createddate datecreated creationdate timecreated joindate datejoined joinedat joined registeredat registerdate registration dateadd createdunix registrationdate registered regdate signupdate erstelltam erstellt angelegtam angelegt registriertam registriert kundeseit mitgliedseit'.split(
    ' ',
  );

/** No special characters of RFC 5322 on the left, and a name at the end of the domain: `npm:a@1.0.8` has neither. */
const emailForm =
  /^[^\s@:;,<>()[\]\\/]+@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]+|xn--[a-z\d-]+)$/iu;
const isEmail = (value: string): boolean => emailForm.test(value);
const isEvidence = (value: string): boolean => parseEvidence(value) !== unparsable;
const isPhone = (value: string): boolean => phoneOf(value) !== undefined;
const isTime = (value: string): boolean => timeOf(value) !== undefined;

const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

function showsKind(value: string): boolean {
  const result = parseHash(value, undefined, noCeilings);
  return result.ok || result.code === 'out-of-range' || result.code === 'unsupported';
}

/** A plain password is usually shorter than any hash, and a longer one has other characters. */
function isHashLike(value: string): boolean {
  return showsKind(value) || /^[\w$./+=:|*{}-]{32,}$/.test(value) || /^\*|^!/.test(value);
}

/** The kinds of the values, for people. */
function kindsIn({ values }: Column): string {
  const kinds = values.map((value) => {
    const result = parseHash(value, undefined, noCeilings);
    return result.ok ? result.parsed.kind : 'not shown';
  });
  const shown = [...new Set(kinds)];
  if (shown.length === 1 && shown[0] === 'not shown') return 'look like hashes that do not show their kind';
  return `look like hashes; their kind is ${shown.join(', ')}`;
}

const digests = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

/** Tried on every value: a kind that does not fit one of them is not proposed. */
function kindOf(values: readonly string[]): HashKindName | undefined {
  const unmarked = values.filter((value) => !showsKind(value));
  if (unmarked.length === 0) return undefined;
  return digests.find((kind) => unmarked.every((value) => parseHash(value, kind, noCeilings).ok));
}

function unusedOf(column: Column, undecided: readonly Undecided[]): readonly Unused[] {
  const looks = looksOf(column);
  if (looks === undefined) return [];
  return [
    {
      column: column.name,
      looks,
      ...(looks === 'guard' && {
        values: fewOf(column),
        field: undecided.find((each) => each.column === column)?.field,
      }),
    },
  ];
}

/** Values of a state are few and short; otherwise no value is shown. */
function fewOf({ values }: Column): readonly string[] {
  const different = [...new Set(values)];
  return different.length <= 10 && different.every((value) => value.length <= 30) ? different : [];
}

/** A plain text without any marks is unremarkable. */
function looksOf(column: Column): ColumnLooks | undefined {
  const { name, values } = column;
  const byName = suspicionOf(name, values[0]);
  if (byName === 'salt' || byName === 'factor') return byName;
  if (values.some((each) => looksLikeHash(each, isTokenName(name)) || holdsHash(each))) return 'hash';
  if (byName === 'hash') return isOfDate(column) ? 'date' : 'hash';
  if (isGuard(column)) return 'guard';
  return isOfDate(column) || name.endsWith('date') ? 'date' : undefined;
}

function isOfDate({ name, forms }: Column): boolean {
  return /(_at|At|_on|_date|Date|_time|date)$/.test(name) || forms.some((each) => joinedNames.includes(each));
}
