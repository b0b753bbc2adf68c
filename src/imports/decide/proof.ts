/**
 * Proof of who owns a login method. A sign-up proves nothing: it takes no more than typing an email. A verified email or a used
 * reset link proves that the user owns the mailbox.
 */

import { markedSource } from '../../domain/legacy-mark.ts';
import { readBase, textDigest, type Base } from '../parse/base.ts';
import type { HeldMethod } from '../parse/types.ts';
import { hasHash, type HeldUser } from './holders.ts';

/** The last import's statement about the login method itself, if there is one. */
export function baseOf({ base }: Pick<HeldMethod, 'base'>): Base | undefined {
  const read = readBase(base);
  return read?.recipe === 0 ? undefined : read;
}

/** The digest of the email that an import stated. */
export function emailSlot({ recipe, first, second }: Base): string {
  return recipe === 2 ? second : first;
}

/** Whether it was proven here that the user owns the mailbox of the login method's email. */
export function isProvenHere({ isVerified, resetAt }: Pick<HeldMethod, 'isVerified' | 'resetAt'>): boolean {
  return isVerified || resetAt !== null;
}

/** The same, by any of the user's login methods with that email. */
export function isProven(method: HeldMethod, { methods }: Pick<HeldUser, 'methods'>): boolean {
  return methods.some((each) => each.email === method.email && isProvenHere(each));
}

/** Signed up here with an email and a password, without proof of who owns the email. */
export function isUnproven(method: HeldMethod, user: Pick<HeldUser, 'methods'>): boolean {
  return method.recipe === 1 && baseOf(method) === undefined && !isProven(method, user);
}

/** Whether the last import of the login method stated that its present email is verified. */
export function isStatedVerified(method: HeldMethod): boolean {
  const base = baseOf(method);
  return base?.isVerified === true && emailSlot(base) === textDigest(method.email);
}

/** Whether a password can be verified here, without asking an old system. */
export function isHashOfHere({ passwordHash }: Pick<HeldMethod, 'passwordHash'>): boolean {
  return passwordHash !== null && markedSource(passwordHash) === undefined;
}

/**
 * Imported as unverified, and claimed here since by the owner of the mailbox, who set another password. The source's user may not
 * own the mailbox, so it no longer decides how the account is entered.
 */
export function isClaimedHere(method: HeldMethod): boolean {
  const base = baseOf(method);
  if (base?.recipe !== 1 || isStatedVerified(method) || !isProvenHere(method)) return false;
  const { passwordHash, upgradedFrom } = method;
  const isStated = base.second === textDigest(passwordHash);
  return isHashOfHere(method) && !isStated && !(upgradedFrom ?? '').startsWith(base.second);
}

/** Whether the last import of the login method stated this hash, or it is the stored one. */
export function knowsHash(method: HeldMethod, hash: string): boolean {
  const base = baseOf(method);
  return hasHash(method, hash) || (base?.recipe === 1 && base.second === textDigest(hash));
}
