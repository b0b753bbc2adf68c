/** Whether a record that an external id leads to a user can be that user. */

import type { HashKindName } from '../../hashes/registry.ts';
import { readBase, textDigest } from '../parse/base.ts';
import type { HeldMethod } from '../parse/types.ts';
import { hasHash, type HeldUser } from './holders.ts';
import type { SubjectMethod, SubjectUser } from './subject.ts';

/** Two people with one password may have one hash of these. */
const perhapsUnsalted: ReadonlySet<HashKindName> = new Set<HashKindName>([
  'ldap',
  'md5',
  'sha1',
  'sha256',
  'sha384',
  'sha512',
  'hmac',
]);

/**
 * Two systems count their users alike, so an id alone makes nobody the same person: an email, a phone number, a provider
 * identity, in whatever tenant, or a salted hash has to be that of the user who is there.
 */
export function isSomebodyElse({ methods }: SubjectUser, target: HeldUser): boolean {
  const known = new Set(target.methods.flatMap(marksOf));
  return !methods.some(
    (method) => marksOf(method).some((mark) => known.has(mark)) || hasSaltedHash(method, target),
  );
}

/** As both a stored login method and a stated one have them. */
interface Marked {
  readonly email: string | null | undefined;
  readonly phone: string | null | undefined;
  readonly thirdPartyId: string | null | undefined;
  readonly thirdPartyUserId: string | null | undefined;
}

function marksOf({ email, phone, thirdPartyId, thirdPartyUserId }: Marked): string[] {
  return [
    ...(email ? [`email ${email.toLowerCase()}`] : []),
    ...(phone ? [`phone ${phone}`] : []),
    ...(thirdPartyId && thirdPartyUserId ? [JSON.stringify([thirdPartyId, thirdPartyUserId])] : []),
  ];
}

function hasSaltedHash({ passwordHash, hashKind }: SubjectMethod, { methods }: HeldUser): boolean {
  if (passwordHash === undefined || hashKind === undefined || perhapsUnsalted.has(hashKind)) return false;
  return methods.some((method) => hasHash(method, passwordHash) || hadHash(method, passwordHash));
}

/** The last import stated it, and it was changed here since. */
function hadHash({ base }: HeldMethod, passwordHash: string): boolean {
  const last = readBase(base);
  return last?.recipe === 1 && last.second === textDigest(passwordHash);
}
