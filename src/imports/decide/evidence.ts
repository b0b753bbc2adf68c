/** Evidence that a record is about the user that its keys lead to. */

import { markedSource } from '../../domain/legacy-mark.ts';
import { identityKind } from '../../domain/identity.ts';
import type { HeldMethod } from '../parse/types.ts';
import type { HeldUser } from './holders.ts';
import { noteChanged, settle, type Meeting } from './plan/three-way.ts';
import { baseOf, isClaimedHere, isProven, knowsHash } from './proof.ts';
import { fieldOf, passwordField, type SubjectKey, type SubjectMethod, type SubjectUser } from './subject.ts';

const emailKinds: readonly number[] = [identityKind.email, identityKind.passwordlessEmail];

/**
 * An email that the source has not verified may belong to anyone there. It leads to a user who verified it only together with
 * further evidence: the external id, a provider identity, a phone number or the password. Otherwise the record would give the
 * user another person's external id, whose sessions and login methods would then open the account.
 */
export function isStranger(user: SubjectUser, target: HeldUser): boolean {
  const { external, methods } = user;
  if (external?.held?.user === target) return false;
  const leads = methods.flatMap((method) =>
    method.keys.filter(({ held }) => held?.user === target).map((key) => ({ method, key })),
  );
  return leads.length > 0 && !leads.some(({ method, key }) => isEvidence(method, key, target));
}

function isEvidence(method: SubjectMethod, { kind, held }: SubjectKey, target: HeldUser): boolean {
  if (!held || !emailKinds.includes(kind) || method.isVerified) return true;
  const { passwordHash } = method;
  return (
    !isProtected(held.method, target) || (passwordHash !== undefined && knowsHash(held.method, passwordHash))
  );
}

/** A password that an old system verifies shows as well whose account it is. */
function isProtected(method: HeldMethod, target: HeldUser): boolean {
  if (markedSource(method.passwordHash ?? undefined) !== undefined) return false;
  return isProven(method, target) || baseOf(method)?.isVerified === true;
}

/** Lists the login methods that lead to the user but do not count for the record. */
export function noteStranger(meeting: Meeting, user: SubjectUser): void {
  const { target } = meeting;
  for (const { place, recipe, keys, ...method } of user.methods) {
    const held = keys.find((key) => key.held?.user === target)?.held;
    if (!held) continue;
    const [group, name] =
      recipe === 1 ? (['password', passwordField(method)] as const) : (['email', 'email'] as const);
    const field = fieldOf(place, name);
    const clash = { group, field, ...unverifiedSides, method: held.method };
    settle(meeting, clash, 'keeps always');
    noteChanged(meeting, clash, 'unknown');
  }
}

export const unverifiedSides = { here: 'verified here', source: 'not verified at the source' } as const;

/** Whether the owner of the mailbox took the user over from the source, and the record does not verify that email. */
export function isEntryGuarded({ methods }: SubjectUser, target: HeldUser): boolean {
  return target.methods.some(
    (claimed) =>
      isClaimedHere(claimed) &&
      !methods.some(({ email, isVerified }) => isVerified && email === claimed.email),
  );
}
