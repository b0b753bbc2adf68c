/** Finds the user that a record means. */

import { markedSource } from '../../domain/legacy-mark.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import { readBase, textDigest } from '../parse/base.ts';
import type { HeldMethod } from '../parse/types.ts';
import { hasHash, type HeldUser } from './holders.ts';
import { differentPerson, externalIdIsCoreId, type Obstacle, takenBy } from './obstacles.ts';
import type { SubjectKey, SubjectMethod, SubjectUser } from './subject.ts';

type Match =
  /** `target` undefined: no user has any of the keys. */
  { readonly target: HeldUser | undefined; readonly obstacle?: undefined } | { readonly obstacle: Obstacle };

/**
 * Finds the user with the external id, or else the one with the identities. All keys in use must be that user's, and a user found
 * by an identity must not have another external id.
 * @param sameIds the user with the external id is the same person, also with nothing else in common
 */
export function match(user: SubjectUser, sameIds: boolean): Match {
  const { external, methods } = user;
  if (external?.isCoreId === true) return { obstacle: externalIdIsCoreId };
  const held = methods.flatMap(({ keys }) => keys.filter(isHeld));
  const target = external?.held?.user ?? held[0]?.held.user;
  const foreign = held.find((key) => key.held.user !== target);
  if (foreign) return { obstacle: takenBy('user', foreign) };
  const [first] = held;
  if (first && external && !external.held && isKnownOtherwise(held))
    return { obstacle: takenBy('external id', first) };
  if (first || sameIds) return { target };
  return doubted(user, target);
}

/** @param target the user that only the external id leads to */
function doubted(user: SubjectUser, target: HeldUser | undefined): Match {
  return target && isSomebodyElse(user, target) ? { obstacle: differentPerson(target) } : { target };
}

type HeldKey = SubjectKey & { readonly held: NonNullable<SubjectKey['held']> };

function isHeld(key: SubjectKey): key is HeldKey {
  return key.held !== undefined;
}

/** Callers know a user by the head's external id, and a login method by its own. */
function isKnownOtherwise(held: readonly HeldKey[]): boolean {
  return held.some(({ held: { method, user } }) =>
    [method.externalId, user.head?.externalId ?? null].some((externalId) => externalId !== null),
  );
}

/** Two people with the same password may have the same hash of these kinds. */
const perhapsUnsalted: ReadonlySet<string> = new Set<HashKindName>([
  'ldap',
  'md5',
  'sha1',
  'sha256',
  'sha384',
  'sha512',
  'hmac',
]);

/**
 * Two systems may number their users alike, so an id alone does not show that two are the same person: an email, a phone number,
 * a provider identity, in whatever tenant, or a salted hash has to be equal.
 */
function isSomebodyElse({ methods }: SubjectUser, target: HeldUser): boolean {
  const known = new Set(target.methods.flatMap(marksOf));
  return !methods.some(
    (method) => marksOf(method).some((mark) => known.has(mark)) || hasSaltedHash(method, target),
  );
}

/** A login method, stored or stated. */
interface Marked {
  readonly email: string | null | undefined;
  readonly phone: string | null | undefined;
  readonly thirdPartyId: string | null | undefined;
  readonly thirdPartyUserId: string | null | undefined;
}

/** What identifies a person, in whatever tenant. */
export function marksOf({ email, phone, thirdPartyId, thirdPartyUserId }: Marked): string[] {
  return [
    ...(email ? [`email ${email.toLowerCase()}`] : []),
    ...(phone ? [`phone ${phone}`] : []),
    ...(thirdPartyId && thirdPartyUserId ? [JSON.stringify([thirdPartyId, thirdPartyUserId])] : []),
  ];
}

/** The mark of an old system is the same for all its users. */
function hasSaltedHash({ passwordHash, hashKind }: SubjectMethod, { methods }: HeldUser): boolean {
  if (passwordHash === undefined || hashKind === undefined || markedSource(passwordHash) !== undefined)
    return false;
  if (perhapsUnsalted.has(hashKind)) return false;
  return methods.some((method) => hasHash(method, passwordHash) || hadHash(method, passwordHash));
}

/** The last import stated it, and it was changed here since. */
function hadHash({ base }: HeldMethod, passwordHash: string): boolean {
  const last = readBase(base);
  return last?.recipe === 1 && last.second === textDigest(passwordHash);
}
