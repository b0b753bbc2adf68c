/** The mapping of a table that is not of a known system onto the native record: proposed, for a person to confirm. */

import { hashLimitsBy } from '../../config/tenant-settings.ts';
import { parseHash } from '../../hashes/recognise.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import { flagOf, phoneOf, textOf, timeOf } from '../providers/parts/fields.ts';
import type { SourceRow } from '../providers/provider.ts';
import { shellWord } from '../readers/bytes/shell-word.ts';

/** What the name or the values of a column look like. */
export type ColumnLooks = 'hash' | 'salt' | 'guard' | 'factor' | 'date';

export interface Proposal {
  /** The file's column by the native field, as `--map` takes it; `!column` for a flag of the opposite sense. */
  readonly map: Readonly<Record<string, string>>;
  /**
   * The kind of hashes that do not show theirs: by their length alone, so known passwords have to prove it. undefined
   * where they show it, where another column may be their salt, and where the values fit no kind.
   */
  readonly hashAs: HashKindName | undefined;
  /** Columns that are not in the map and look as if they mattered, in the order of the file. */
  readonly unused: readonly { readonly column: string; readonly looks: ColumnLooks }[];
}

/**
 * A mapping of the columns that are called, and filled, like fields of the native record. undefined without an email.
 * @param columns the names of the file's columns
 * @param rows some of its records; without any the names alone decide
 */
export function proposeMapping(columns: readonly string[], rows: readonly SourceRow[]): Proposal | undefined {
  const table = columns.filter(isMappable).map((name) => ({
    name,
    folded: folded(name),
    values: rows.map((row) => textOf(row[name])).filter((value) => value !== undefined),
  }));
  const email = named(table, emailNames, isEmail) ?? table.find((each) => isFilledBy(each, isEmail));
  if (email === undefined) return undefined;
  const others = table.filter((each) => each !== email);
  const hash = named(others, hashNames, isHashLike) ?? others.find((each) => isFilledBy(each, showsKind));
  const flag = (names: readonly string[]): Column | undefined => named(others, names, isFlag);
  const disabled = flag(disabledNames);
  const found: Readonly<Record<string, Column | undefined>> = {
    externalUserId: idOf(others),
    email,
    passwordHash: hash,
    isVerified: flag(verifiedNames),
    phoneNumber: named(others, phoneNames, (value) => phoneOf(value) !== undefined),
    timeJoinedInMSSinceEpoch: named(others, joinedNames, (value) => timeOf(value) !== undefined),
    isDisabled: disabled ?? flag(enabledNames),
  };
  const given = Object.entries(found).filter(([, column]) => column !== undefined);
  const isOpposite = disabled === undefined;
  const map = given.map(([field, { name } = email]) => [
    field,
    field === 'isDisabled' && isOpposite ? `!${name}` : name,
  ]);
  const used = new Set(given.map(([, column]) => column));
  const unused = table
    .filter((column) => !used.has(column))
    .map((column) => ({ column: column.name, looks: looksOf(column) }))
    .filter((each): each is Proposal['unused'][number] => each.looks !== undefined);
  const hasSalt = unused.some(({ looks }) => looks === 'salt');
  return {
    map: Object.fromEntries(map) as Readonly<Record<string, string>>,
    hashAs: hash === undefined || hasSalt ? undefined : kindOf(hash.values),
    unused,
  };
}

/** The proposal as flags of the command, for a POSIX shell. */
export function flagsOf({ map, hashAs }: Proposal): string {
  const pairs = Object.entries(map).map((pair) => pair.join('='));
  const kind = hashAs === undefined ? '' : ` --hash-as ${hashAs}`;
  return `--from native --map ${shellWord(pairs.join(','))}${kind}`;
}

interface Column {
  readonly name: string;
  readonly folded: string;
  /** Those that are present. */
  readonly values: readonly string[];
}

type Test = (value: string) => boolean;

/** `--map` separates pairs by commas and names by equals signs. */
function isMappable(name: string): boolean {
  return name !== '' && !/[,=]|^!|^\s|\s$/.test(name);
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, '');
}

/** The first of `names` that a column has whose values, if it has any, are such. */
function named(columns: readonly Column[], names: readonly string[], test: Test): Column | undefined {
  for (const name of names) {
    const found = columns.find((each) => each.folded === name && each.values.every(test));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isFilledBy({ values }: Column, test: Test): boolean {
  return values.length > 0 && values.every(test);
}

/** An id is there in each row, and once. */
function idOf(columns: readonly Column[]): Column | undefined {
  return named(
    columns.filter(({ values }) => new Set(values).size === values.length),
    idNames,
    (value) => value.length <= 128,
  );
}

const emailNames = 'email emailaddress mail mailaddress useremail primaryemail emailaddr usermail'.split(' ');
const idNames =
  'externaluserid externalid userid uid uuid guid id userguid customerid memberid accountid sub pk key'.split(
    ' ',
  );
const hashNames =
  'passwordhash hashedpassword encryptedpassword passworddigest cryptedpassword passwordencrypted userpass password passwd pass pwd hash pwhash'.split(
    ' ',
  );
const verifiedNames =
  'isverified emailverified isemailverified emailconfirmed isemailconfirmed verified confirmed isconfirmed'.split(
    ' ',
  );
const phoneNames = 'phonenumber phone mobile mobilephone mobilenumber telephone tel cell'.split(' ');
const joinedNames =
  'timejoinedinmssinceepoch createdat created createddate datecreated creationdate timecreated joindate datejoined joinedat joined registeredat registrationdate registered signupdate'.split(
    ' ',
  );
const disabledNames =
  'isdisabled disabled isblocked blocked isbanned banned issuspended suspended islocked locked accountlocked isdeactivated deactivated isinactive inactive isdeleted deleted'.split(
    ' ',
  );
const enabledNames =
  'isactive active isenabled enabled accountenabled activated isactivated approved isapproved'.split(' ');

const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

function isEmail(value: string): boolean {
  return emailForm.test(value);
}

function isFlag(value: string): boolean {
  return flagOf(value) !== undefined;
}

const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

function showsKind(value: string): boolean {
  const result = parseHash(value, undefined, noCeilings);
  return result.ok || result.code === 'out-of-range' || result.code === 'unsupported';
}

/** A plain password is mostly shorter than any hash, and one that is longer has other characters. */
function isHashLike(value: string): boolean {
  return showsKind(value) || /^[\w$./+=:|*{}-]{32,}$/.test(value) || /^\*|^!/.test(value);
}

const digests = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

/** Tried on every value: a kind that one of them does not fit is not proposed. */
function kindOf(values: readonly string[]): HashKindName | undefined {
  const unmarked = values.filter((value) => !showsKind(value));
  if (unmarked.length === 0) return undefined;
  return digests.find((kind) => unmarked.every((value) => parseHash(value, kind, noCeilings).ok));
}

const guardName =
  /^(status|state|userstatus|accountstatus|accountstate)$|disabled|blocked|banned|suspend|locked|lockout|deleted|deactivat|inactive|active|enabled|approved|activated|confirmed|verified|expire[sd]/;
const factorName = /totp|otpsecret|mfa|2fa|twofactor|authenticator|webauthn|backupcodes/;

/** A plain text without any marks looks like nothing. */
function looksOf({ name, folded: folding, values }: Column): ColumnLooks | undefined {
  if (folding.includes('salt')) return 'salt';
  if (factorName.test(folding)) return 'factor';
  if (values.length > 0 && values.some(showsKind)) return 'hash';
  if (hashNames.includes(folding) || /passw|pwd/.test(folding)) return isOfDate(name) ? 'date' : 'hash';
  if (guardName.test(folding)) return 'guard';
  return isOfDate(name) ? 'date' : undefined;
}

function isOfDate(name: string): boolean {
  return /(_at|At|_on|_date|Date|_time|date)$/.test(name) || joinedNames.includes(folded(name));
}
