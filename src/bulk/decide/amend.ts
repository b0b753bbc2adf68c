/** How login methods that are there differ from the one that a record states. */

import { identityKey, identityKind, thirdPartyKey } from '../../identity.ts';
import type { BulkIdentity } from '../record.ts';
import type { HeldMethod } from '../rows.ts';
import { hasHash } from './held-hash.ts';
import type { HeldUser } from './held.ts';
import { givenUpAndStated, staysInTenants } from './obstacles.ts';
import { planDifference, planned, planUpdate } from './plan.ts';
import type { MethodUpdate, Plan } from './plan.ts';
import { fieldOf } from './subject.ts';
import type { SubjectKey, SubjectMethod } from './subject.ts';

/**
 * @param present the user's login methods that `method` means. Mostly one: an email may be that of one in each of two
 *   tenants, and a passwordless email and phone number may have one each.
 */
export function amendMethod(
  plan: Plan,
  user: HeldUser,
  method: SubjectMethod,
  present: readonly HeldMethod[],
): void {
  const [first] = present;
  if (!first) return;
  for (const { kind } of method.identities) amendIdentity(plan, user, method, { kind, first });
  for (const each of present) amendFacts(plan, user, method, each);
}

/** Each stated tenant must have the identity. Who has it in one gets it in the others, else the first login method does. */
function amendIdentity(
  plan: Plan,
  user: HeldUser,
  method: SubjectMethod,
  { kind, first }: { readonly kind: BulkIdentity['kind']; readonly first: HeldMethod },
): void {
  const keys = method.keys.filter((key) => key.kind === kind);
  const holder = keys.find(({ held }) => held)?.held?.method;
  const missing = keys.filter(({ held }) => !held);
  const [next] = missing;
  if (!next) return;
  const owner = holder ?? first;
  if (holder) planUpdate(plan, owner, {});
  else replaceIdentity(plan, owner, method, next);
  for (const { key, tenantNo } of missing)
    plan.identities.push({ tenantNo, kind, key, userId: owner.userId });
  planDifference(plan, user, holder ? fieldOf(method.place, 'tenantIds') : next.field);
}

/** A login method has one email and phone number in all of its tenants, so the former one leaves all of them. */
function replaceIdentity(plan: Plan, owner: HeldMethod, method: SubjectMethod, next: SubjectKey): void {
  const formerKey = keyOf(owner, next.kind);
  if (formerKey !== undefined) {
    if (owner.tenants.some((tenantNo) => !method.tenantNos.includes(tenantNo)))
      plan.obstacle ??= staysInTenants(method);
    for (const tenantNo of owner.tenants)
      plan.removedIdentities.push({ tenantNo, kind: next.kind, key: formerKey, userId: owner.userId });
  }
  planUpdate(plan, owner, valueOf(method, next.kind));
}

/** The key that a login method has of one kind. */
function keyOf(method: HeldMethod, kind: BulkIdentity['kind']): string | undefined {
  if (kind === identityKind.thirdParty)
    return thirdPartyKey(method.thirdPartyId ?? '', method.thirdPartyUserId ?? '');
  const text = kind === identityKind.passwordlessPhone ? method.phone : method.email;
  return text === null ? undefined : identityKey(text);
}

/** A new email is as verified as the record says; the store knows whether it was verified once before. */
function valueOf(method: SubjectMethod, kind: BulkIdentity['kind']): Partial<MethodUpdate> {
  if (kind === identityKind.thirdParty) return { thirdPartyUserId: method.thirdPartyUserId ?? null };
  if (kind === identityKind.passwordlessPhone) return { phone: method.phoneNumber ?? null };
  return { email: method.email ?? null, verified: method.isVerified };
}

/** What is no key. Nothing is ever un-verified, and who joined when is not changed. */
function amendFacts(plan: Plan, user: HeldUser, method: SubjectMethod, present: HeldMethod): void {
  const { passwordHash, email, isVerified } = method;
  const change = (field: string, changed: Partial<MethodUpdate>): void => {
    planUpdate(plan, present, changed);
    planDifference(plan, user, fieldOf(method.place, field));
  };
  if (method.recipe === 2 && email !== undefined && planned(plan, present).email !== email)
    change('email', { email, verified: isVerified });
  if (passwordHash !== undefined && !keepsHash(plan, present, passwordHash))
    change(method.plainTextPassword === undefined ? 'passwordHash' : 'plainTextPassword', { passwordHash });
  if (isVerified && !planned(plan, present).verified) change('isVerified', { verified: true });
}

/** A hash that a sign-in has made a better one of is there as well: it must not come back. */
function keepsHash(plan: Plan, present: HeldMethod, stated: string): boolean {
  const { passwordHash } = planned(plan, present);
  return passwordHash === stated || (passwordHash === present.passwordHash && hasHash(present, stated));
}

/**
 * An identity that one login method of the record gives up while another states it would be gone, and be found missing
 * by the next import of the same record.
 */
export function refuseGivenUp(plan: Plan, methods: readonly SubjectMethod[]): void {
  const removed = new Set(plan.removedIdentities.map(({ kind, key }) => `${kind} ${key}`));
  const stated = methods.flatMap(({ keys }) => keys);
  const lost = stated.find(({ kind, key }) => removed.has(`${kind} ${key}`));
  if (lost) plan.obstacle ??= givenUpAndStated(lost);
}
