/** The part of a login method that is not a key: its password, whether its email is verified, and the email of a social one. */

import { markedSource } from '../../../domain/legacy-mark.ts';
import { textDigest } from '../../parse/base.ts';
import type { HeldMethod } from '../../parse/types.ts';
import { hasHash } from '../holders.ts';
import { baseOf, emailSlot, isHashOfHere, isProvenHere, isStatedVerified, isUnproven } from '../proof.ts';
import { notePassword, noteVerification } from './differences.ts';
import { planDifference, planned, planUpdate, type MethodUpdate, type Plan } from './plan.ts';
import { unverifiedSides } from '../evidence.ts';
import { fieldOf, passwordField, type SubjectMethod } from '../subject.ts';
import { passwordHere } from './sides.ts';
import { note, rulingOf, settle, type Meeting, type Sides } from './three-way.ts';

/** A verified email stays verified, and the join date is not changed. */
export function amendFacts(meeting: Meeting, method: SubjectMethod, present: HeldMethod): void {
  const { plan, target } = meeting;
  const change = (field: string, changed: Partial<MethodUpdate>): void => {
    planUpdate(plan, present, changed);
    planDifference(plan, target, fieldOf(method.place, field));
  };
  if (isSocialEmailTaken(meeting, method, present))
    change('email', { email: emailText(method), isVerified: isVerifiedFrom(meeting, present, method) });
  if (isPasswordTaken(meeting, method, present))
    change(passwordField(method), { passwordHash: method.passwordHash ?? null });
  if (isNewlyVerified(plan, method, present)) change('isVerified', { isVerified: true });
  noteVerification(meeting, method, present);
}

export function emailText({ email }: SubjectMethod): string | null {
  return email ?? null;
}

/** The email of a password or passwordless login method is an identity. */
function isSocialEmailTaken(meeting: Meeting, method: SubjectMethod, present: HeldMethod): boolean {
  const { email } = planned(meeting.plan, present);
  if (method.recipe !== 2 || method.email === undefined || email === method.email) return false;
  const base = baseOf(present)?.second;
  const values = { theirs: textDigest(method.email), base, ours: textDigest(email) };
  const field = fieldOf(method.place, 'email');
  const sides = { here: email ?? 'none', source: method.email };
  const clash = { group: 'social', field, ...sides, method: present } as const;
  note(meeting, clash, values);
  const ruling = rulingOf(values);
  return ruling === 'conflict' ? settle(meeting, clash) : ruling === 'take';
}

/**
 * A hash that a sign-in has upgraded counts as set here: the old one must not come back. If the source has had another password
 * since, this counts as a password set here: its user signs in here.
 */
function isPasswordTaken(meeting: Meeting, method: SubjectMethod, present: HeldMethod): boolean {
  const { passwordHash: stated } = method;
  if (stated === undefined || hasHash(present, stated)) return false;
  const isSetHere = isHashOfHere(present) && isOwnersHash(meeting, method, present);
  if (markedSource(stated) !== undefined && isSetHere) return false;
  const values = passwordSides(stated, present);
  notePassword(meeting, method, present, values);
  const ruling = rulingOf(values);
  const isGuarded = isPasswordGuarded(method, present);
  const isDisputed = isGuarded || (values.base === undefined && isSetHere);
  if (ruling === 'keep' || (ruling === 'take' && !isDisputed)) return ruling === 'take';
  const sides = isGuarded
    ? unverifiedSides
    : { here: passwordHere(present), source: 'changed at the source' };
  const field = fieldOf(method.place, passwordField(method));
  const clash = { group: 'password', field, ...sides, method: present } as const;
  return settle(meeting, clash, isGuarded ? 'keeps always' : 'keeps');
}

/**
 * Whether the password here counts against a record. One of a sign-up does not, unless a write-back brings it to the source: then the
 * record may be that row, read before the core has learnt whose it is.
 */
function isOwnersHash({ target }: Meeting, { isVerified }: SubjectMethod, present: HeldMethod): boolean {
  return (present.isSetInMove && !isVerified) || !isUnproven(present, target);
}

/**
 * A password that was written to the source was set here, so it is no change of the source; not even an earlier one, which a record has
 * that was read before the last write. While the last one is still here, any other one of the source was set there since.
 */
function passwordSides(stated: string, present: HeldMethod): Sides {
  const theirs = textDigest(stated);
  const ours = textDigest(present.passwordHash);
  const base = baseOf(present)?.second;
  const { writtenMarks, upgradedFrom } = present;
  if (writtenMarks === null || theirs === base) return { theirs, base, ours };
  if (writtenMarks.some((mark) => mark.startsWith(theirs))) return { theirs, base: theirs, ours };
  return { theirs, base: writtenMarks[0] === upgradedFrom ? ours : base, ours };
}

/**
 * A record that does not state that its email is verified may contain another person's address. It must not replace the password
 * of the mailbox's owner, whatever onConflict is set to.
 */
function isPasswordGuarded({ isVerified }: SubjectMethod, present: HeldMethod): boolean {
  return !isVerified && isHashOfHere(present) && isProvenHere(present) && !isStatedVerified(present);
}

/**
 * Whether the email of the changed login method is verified. If the former one was stated as verified, is still there and is no
 * longer verified, that was withdrawn here.
 */
export function isVerifiedFrom(meeting: Meeting, present: HeldMethod, method: SubjectMethod): boolean {
  const base = baseOf(present);
  const isSame = base !== undefined && emailSlot(base) === textDigest(present.email);
  const isWithdrawn = isSame && base.isVerified && !present.isVerified;
  if (!method.isVerified || !isWithdrawn) return method.isVerified;
  const sides = { here: 'verification withdrawn', source: 'verified' };
  const field = fieldOf(method.place, 'isVerified');
  return settle(meeting, { group: 'email', field, ...sides, method: present }, 'keeps');
}

/** The source has verified the email that is here since the last import stated it. */
function isNewlyVerified(plan: Plan, method: SubjectMethod, present: HeldMethod): boolean {
  const { isVerified, email } = planned(plan, present);
  if (!method.isVerified || isVerified || (method.email !== undefined && email !== method.email))
    return false;
  if (email !== present.email) return false;
  const base = baseOf(present);
  return base?.isVerified !== true || emailSlot(base) !== textDigest(email);
}
