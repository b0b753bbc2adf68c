/**
 * What the last import of a login method stated (`users.base`), as digests of 6 bytes: enough to know at the next import what
 * changed at the source, and what here. As hexadecimal digits:
 *
 *   flags 2, tenants 8, first 12, second 12
 *   optionally a tail: tag 2, of a head with details: metadata 12, roles 12, TOTP 12, restrictions 12; a hash's text
 *
 * `first` and `second` are email and password (recipe 1), provider identity and its email (2), or email and phone number (3).
 * Those of emails, phone numbers and identities are the beginnings of their keys, and that of a password is the beginning of its
 * `hashMark`: so SQL can compare them as well. Each digest of details is of what was stated last, also by an earlier import: so
 * the base of a record without details is the beginning of the stored one.
 *
 * A plain-text password leaves the hash that was made of it: the same password is recognised by verifying it, since no fast
 * digest of it may be stored.
 */

import { shortDigest } from '../../domain/digests.ts';
import { identityKind } from '../../domain/identity.ts';
import { detailDigestBytes, detailsTag, otherDetails, ownBaseBytes } from '../../domain/user-columns.ts';
import { canonicalJson, canonicalRoles } from './canonical.ts';
import type { BulkMethod, BulkRecord } from '../record/model.ts';
import { isFree } from '../record/restrictions.ts';

/** The digest of a value that is not stated. */
export const notStated = '000000000000';

/** `absent`: a complete export did not contain the user, who was therefore disabled; see store/imports/absent/act.ts. */
const flag = { version: 0x40, absent: 8, primary: 2, verified: 1 } as const;
const tag = { details: detailsTag, hash: 2 } as const;
/** Digits before the tail. */
const ownDigits = 2 * ownBaseBytes;
const detailsDigits = 2 * detailDigestBytes * (1 + otherDetails);
const noTenants = '00000000';

type StatedDetails = Pick<BulkRecord, 'metadata' | 'roles' | 'totpDevices' | 'restrictions'>;

export interface DetailsBase {
  readonly metadata: string;
  readonly roles: string;
  readonly totpDevices: string;
}

export interface Base {
  /** 0: a base of details alone. */
  readonly recipe: number;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
  readonly isAbsent: boolean;
  readonly tenants: string;
  readonly first: string;
  readonly second: string;
  readonly details: DetailsBase;
  /** The hash that was made of a plain-text password. */
  readonly madeHash: string | undefined;
}

/**
 * @param method with the hash made of its plain-text password, if it has one
 * @param details `detailsText` of the user, where the login method is its head; otherwise empty
 */
export function baseText(method: BulkMethod, details: string): string {
  const { recipe, tenantNos, isPrimary, isVerified, plainTextPassword, passwordHash } = method;
  const flags =
    flag.version | (recipe << 4) | (isPrimary ? flag.primary : 0) | (isVerified ? flag.verified : 0);
  const own = flags.toString(16) + tenantsText(tenantNos) + firstOf(method) + secondOf(method);
  const made = plainTextPassword === undefined ? undefined : passwordHash;
  return details === '' && made === undefined ? own : own + tailText(details, made);
}

/** The base of a head that no import has stated as a login method. */
export function detailsAlone(details: string): string {
  return flag.version.toString(16) + noTenants + notStated + notStated + tailText(details, undefined);
}

function tailText(details: string, madeHash: string | undefined): string {
  const marks = (details === '' ? 0 : tag.details) | (madeHash === undefined ? 0 : tag.hash);
  if (marks === 0) return '';
  const hash = madeHash === undefined ? '' : Buffer.from(madeHash).toString('hex');
  return `0${marks}${details}${hash}`;
}

/** The same login method with other details; empty for none. */
export function withDetails(base: string, details: string): string {
  return base.slice(0, ownDigits) + tailText(details, splitTail(base).madeHash);
}

/**
 * The stated details, or else those stated last. That a user may sign in is a statement, though it leaves no digest.
 * @param base of the user's head
 */
export function detailsSince(stated: StatedDetails, base: string | null): string {
  const [own, last] = [slotsOf(stated), slotsIn(base === null ? '' : splitTail(base).details)];
  const isKept = [0, 1, 2].map((n) => own[n] === notStated).concat(stated.restrictions === undefined);
  return detailsOf(own.map((slot, n) => (isKept[n] === true ? (last[n] ?? notStated) : slot)));
}

function slotsIn(details: string): string[] {
  return [0, 1, 2, 3].map((n) => details.slice(12 * n, 12 * n + 12) || notStated);
}

function detailsOf(slots: readonly string[]): string {
  return slots.every((slot) => slot === notStated) ? '' : slots.join('');
}

/** Empty when the record states none. */
export function detailsText(stated: StatedDetails): string {
  const { metadata, roles, totpDevices, restrictions } = stated;
  const hasNone = metadata === undefined && roles === undefined && totpDevices === undefined;
  return hasNone && isFree(restrictions) ? '' : detailsOf(slotsOf(stated));
}

function slotsOf({ metadata, roles, totpDevices, restrictions }: StatedDetails): string[] {
  const limits = isFree(restrictions) ? undefined : restrictions;
  return [metadataDigest(metadata), rolesDigest(roles), devicesDigest(totpDevices), metadataDigest(limits)];
}

/** The digest of metadata, stated or stored. */
export function metadataDigest(value: unknown): string {
  return value === undefined || value === null ? notStated : shortDigest(canonicalJson(value));
}

/** The digest of TOTP devices, stated or stored. Sealing keeps the digest; devices changed here match no record. */
export function devicesDigest(value: unknown): string {
  if (Array.isArray(value)) return digestBeside(value) ?? metadataDigest(value);
  if (typeof value !== 'object' || value === null) return metadataDigest(value);
  return 'digest' in value && typeof value.digest === 'string' ? value.digest : 'changed';
}

/** See seal-factors.ts. */
function digestBeside([first]: readonly unknown[]): string | undefined {
  if (typeof first !== 'object' || first === null || !('digest' in first)) return undefined;
  return typeof first.digest === 'string' ? first.digest : undefined;
}

export function rolesDigest(roles: unknown): string {
  return roles === undefined || roles === null ? notStated : shortDigest(canonicalRoles(roles));
}

/** The digest of an email, phone number or hash. */
export function textDigest(text: string | null | undefined): string {
  return text === undefined || text === null ? notStated : shortDigest(text);
}

/** The digest of an identity, which is the beginning of its key. @param key see identity.ts */
export function keyDigest(key: string | undefined): string {
  return key === undefined ? notStated : key.slice(0, 12);
}

export function readBase(base: string | null): Base | undefined {
  if (base === null) return undefined;
  const flags = Number.parseInt(base.slice(0, 2), 16);
  const { details, madeHash } = splitTail(base);
  const [metadata = notStated, roles = notStated, totpDevices = notStated] = slotsIn(details);
  return {
    recipe: (flags >> 4) & 3,
    isVerified: (flags & flag.verified) !== 0,
    isPrimary: (flags & flag.primary) !== 0,
    isAbsent: (flags & flag.absent) !== 0,
    tenants: base.slice(2, 10),
    first: base.slice(10, 22),
    second: base.slice(22, ownDigits),
    details: { metadata, roles, totpDevices },
    madeHash,
  };
}

/** Whether the base is of a login method that is looked up by this key. */
export function statesKey(
  base: Base | undefined,
  { kind, key }: { readonly kind: number; readonly key: string },
): boolean {
  return base !== undefined && slotOfKind(base, kind) === keyDigest(key);
}

/** The base's digest for an identity of this kind. */
export function slotOfKind({ first, second }: Pick<Base, 'first' | 'second'>, kind: number): string {
  return kind === identityKind.passwordlessPhone ? second : first;
}

/** Numbers of tenants are never used again. Several are represented by a digest, whose first digit no number has. */
export function tenantsText(tenantNos: readonly number[]): string {
  const [only = 0] = tenantNos;
  if (tenantNos.length > 1) return `f${shortDigest(tenantNos.toSorted((a, b) => a - b).join()).slice(0, 7)}`;
  return only === 0 ? noTenants : only.toString(16).padStart(8, '0');
}

function firstOf({ recipe, identities }: BulkMethod): string {
  const [identity] = identities;
  return keyDigest(recipe === 3 ? keyOf(identities, identityKind.passwordlessEmail) : identity?.key);
}

function secondOf({ recipe, identities, passwordHash, email }: BulkMethod): string {
  if (recipe === 1) return textDigest(passwordHash);
  return recipe === 2 ? textDigest(email) : keyDigest(keyOf(identities, identityKind.passwordlessPhone));
}

function keyOf(identities: BulkMethod['identities'], kind: number): string | undefined {
  return identities.find((each) => each.kind === kind)?.key;
}

interface Tail {
  /** Empty for none. */
  readonly details: string;
  readonly madeHash: string | undefined;
}

function splitTail(base: string): Tail {
  const marks = Number(base.slice(ownDigits, ownDigits + 2));
  const from = ownDigits + 2;
  const end = (marks & tag.details) === 0 ? from : from + detailsDigits;
  const hash = base.slice(end);
  return {
    details: base.slice(from, end),
    madeHash: (marks & tag.hash) === 0 ? undefined : Buffer.from(hash, 'hex').toString(),
  };
}
