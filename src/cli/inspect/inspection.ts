import {
  type BulkRecord,
  hasOddDate,
  identityField,
  parseRecord,
  signInStateOf,
} from '../../imports/record/parse-record.ts';
import { statedReject } from '../../imports/parse/stated-reject.ts';
import type { SignInState } from '../../domain/jobs/sign-in-states.ts';
import type { SecondFactor } from '../../imports/model.ts';
import { digest } from '../../domain/digests.ts';
import { spellEmail } from '../../domain/email.ts';
import { identityKind } from '../../domain/identity.ts';
import type { LoggedReject } from '../output/reject-log.ts';
import { AddressList } from '../../exports/emails/addresses.ts';
import type { NativeUser } from '../../imports/record/native-record.ts';
import { SharedEmailCounter, type SharedEmails } from '../../exports/emails/shared-emails.ts';
import { SeenKeys } from '../../exports/emails/seen-keys.ts';
import { lineTooLong } from '../input/lines.ts';
import { lineBytesLimit } from '../../domain/line-limit.ts';

/** The rules for records, except the tenants. */
export type InspectionRules = Omit<Parameters<typeof parseRecord>[1], 'tenants'>;

type Tally = Record<string, number>;

/** The content of a file, by the checks that an import makes without a database. */
export interface Findings {
  records: number;
  valid: number;
  linked: number;
  verified: number;
  unverified: number;
  withoutPassword: number;
  passwordless: number;
  readonly byKind: Tally;
  /** Records with a second factor, by its kind. */
  readonly byFactor: Partial<Record<SecondFactor, number>>;
  /** Records by whether and how their users could sign in after an import. */
  readonly byState: Partial<Record<SignInState, number>>;
  readonly social: Tally;
  /** Records that state a key of an earlier one. */
  duplicates: number;
  /** Of those: emails that differ in upper and lower case or in spaces. */
  duplicatesByCase: number;
  /** Records with a join date before 2000 or in the future. */
  oddDates: number;
}

/**
 * Examines each record. Memory: the keys (see SeenKeys) and the names of tenants.
 *
 * Invariant: a valid record claims all of its keys, a duplicate too, as in an import.
 */
export class Inspection {
  readonly findings: Findings = {
    records: 0,
    valid: 0,
    linked: 0,
    verified: 0,
    unverified: 0,
    withoutPassword: 0,
    passwordless: 0,
    byKind: {},
    byFactor: {},
    byState: {},
    social: {},
    duplicates: 0,
    duplicatesByCase: 0,
    oddDates: 0,
  };
  readonly #keys: SeenKeys;
  readonly #shared: SharedEmailCounter;
  readonly #rules: InspectionRules;
  readonly #onRecord: (record: BulkRecord) => void;
  /** Any tenant that the records name: only the core knows which exist. */
  readonly #tenants = Object.create(null) as Record<string, number>;

  /** @param onRecord called for each valid record that is not a duplicate */
  constructor(
    rules: InspectionRules,
    keys = new SeenKeys(),
    onRecord: (record: BulkRecord) => void = () => undefined,
  ) {
    this.#rules = rules;
    this.#keys = keys;
    this.#shared = new SharedEmailCounter(keys);
    this.#onRecord = onRecord;
    this.#tenants.public = 0;
  }

  get tenants(): readonly string[] {
    return Object.keys(this.#tenants);
  }

  /** Whether the number of keys exceeded the memory for them. */
  get isPartial(): boolean {
    return this.#keys.isFull;
  }

  /** Emails that belong to two users, neither a duplicate of the other. */
  get shared(): SharedEmails {
    return this.#shared.found;
  }

  /** @param number of the line or record @returns why it would be rejected */
  add(line: Uint8Array, number: number): LoggedReject | undefined {
    const text = textOf(line, number === 1);
    if (text?.trim() === '') return undefined;
    const stated = statedReject(text ?? '');
    if (stated !== undefined) return { line: number, ...stated };
    this.findings.records += 1;
    if (line.length > lineBytesLimit) return lineTooLong(number);
    const result = text === undefined ? notUtf8 : this.#parse(text);
    if (!result.ok) return { line: number, ...result.reject };
    // Parsed again: the check has normalised its own copy, and spellings count.
    const written = JSON.parse(text ?? '') as NativeUser;
    const taken = this.#takenOf(result.record, written, number);
    if (taken) return duplicate(number, result.record, taken);
    this.#countEmails(written, number);
    this.#count(result.record);
    this.#onRecord(result.record);
    return undefined;
  }

  #parse(text: string): ReturnType<typeof parseRecord> {
    const result = parseRecord(text, { ...this.#rules, tenants: this.#tenants });
    if (result.ok || result.reject.code !== 'UNKNOWN_TENANT' || !this.#learnTenants(text)) return result;
    return parseRecord(text, { ...this.#rules, tenants: this.#tenants });
  }

  /** @returns whether there was a new one */
  #learnTenants(text: string): boolean {
    const before = this.tenants.length;
    const { loginMethods, userRoles = [] } = JSON.parse(text) as Naming;
    for (const tenant of [...loginMethods, ...userRoles].flatMap(({ tenantIds = [] }) => tenantIds)) {
      const id = tenant.trim().toLowerCase();
      if (this.tenants.length < maxTenants && /^[a-z0-9-]{1,64}$/.test(id))
        this.#tenants[id] ??= this.tenants.length;
    }
    return this.tenants.length > before;
  }

  /** @returns the first key that an earlier record has, and that record */
  #takenOf(record: BulkRecord, written: NativeUser, number: number): Taken | undefined {
    const keys = keysOf(record, written).map(({ key, ...rest }) => ({ ...rest, digest: digestOf(key) }));
    const claims = keys.map(({ digest, spelling }) => this.#keys.claim(digest, spelling, number));
    const first = claims.findIndex((claim) => claim === 'same' || claim === 'otherwise spelt');
    const taken = keys[first];
    if (taken === undefined) return undefined;
    this.findings.duplicates += 1;
    if (claims.includes('otherwise spelt')) this.findings.duplicatesByCase += 1;
    return { field: taken.field, otherLine: this.#keys.lineOf(taken.digest) ?? number };
  }

  #countEmails(written: NativeUser, number: number): void {
    const addresses = new AddressList();
    addresses.add(written, number);
    this.#shared.add(addresses.all);
  }

  #count(record: BulkRecord): void {
    const { methods, secondFactors = [] } = record;
    const { findings } = this;
    findings.valid += 1;
    increment(findings.byState, signInStateOf(record));
    if (hasOddDate(record)) findings.oddDates += 1;
    for (const factor of secondFactors) increment(findings.byFactor, factor);
    if (methods.length > 1 && methods.some(({ isPrimary }) => isPrimary)) findings.linked += 1;
    for (const { recipe, isVerified, hashKind, plainTextPassword, thirdPartyId = '' } of methods) {
      findings[isVerified ? 'verified' : 'unverified'] += 1;
      if (recipe === 2) increment(findings.social, thirdPartyId);
      else if (recipe === 3) findings.passwordless += 1;
      else if (hashKind !== undefined) increment(findings.byKind, hashKind);
      else if (plainTextPassword !== undefined) increment(findings.byKind, 'plain text');
      else findings.withoutPassword += 1;
    }
  }
}

/** The needed part; the record has been checked up to its tenants. */
interface Naming {
  readonly loginMethods: readonly { readonly tenantIds?: readonly string[] }[];
  readonly userRoles?: readonly { readonly tenantIds?: readonly string[] }[];
}

const maxTenants = 10_000;

function increment(tally: Partial<Tally>, name: string): void {
  tally[name] = (Object.hasOwn(tally, name) ? (tally[name] ?? 0) : 0) + 1;
}

interface FoundKey {
  readonly key: string;
  readonly spelling: number;
  readonly field: string;
}

function* keysOfMethods({ methods }: BulkRecord, { loginMethods }: NativeUser): Generator<FoundKey> {
  for (const [place, { identities, tenantNos }] of methods.entries()) {
    const written = loginMethods[place]?.email ?? '';
    for (const { kind, key } of identities) {
      const isEmail = kind === identityKind.email || kind === identityKind.passwordlessEmail;
      const spelling = isEmail ? spellingOf(written) : 0;
      const field = identityField(place, { kind });
      for (const tenantNo of tenantNos) yield { key: `${kind}:${tenantNo}:${key}`, spelling, field };
    }
  }
}

/** 0 for the usual spelling, which needs no digest then. */
function spellingOf(written: string): number {
  return written === spellEmail(written) ? 0 : digest(written).readUInt32LE(0);
}

function keysOf(record: BulkRecord, written: NativeUser): FoundKey[] {
  const { externalUserId } = record;
  const own = { key: `external:${externalUserId ?? ''}`, spelling: 0, field: 'externalUserId' };
  const external = externalUserId === undefined ? [] : [own];
  return [...external, ...keysOfMethods(record, written)];
}

/** 1 to 2^53 - 1 */
function digestOf(key: string): number {
  const bytes = digest(key);
  return bytes.readUInt32LE(0) * 2_097_152 + (bytes.readUInt32LE(4) >>> 11) || 1;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @returns undefined unless it is UTF-8 */
function textOf(line: Uint8Array, isFirst: boolean): string | undefined {
  try {
    const text = decoder.decode(line);
    return isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
  } catch {
    return undefined;
  }
}

const notUtf8 = {
  ok: false,
  reject: { code: 'INVALID_JSON', field: '', message: 'The line is no UTF-8: convert the file to UTF-8' },
} as const;

type Taken = Required<Pick<LoggedReject, 'field' | 'otherLine'>>;

function duplicate(line: number, { externalUserId }: BulkRecord, taken: Taken): LoggedReject {
  const message =
    'An earlier record has this external id, email in this tenant, phone number or provider identity';
  return { line, externalUserId, code: 'DUPLICATE_IN_JOB', message, ...taken };
}
