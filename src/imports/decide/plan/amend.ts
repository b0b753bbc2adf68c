/** How existing login methods differ from the one that a record states. */

import { keyDigest, readBase, slotOfKind, tenantsText } from '../../parse/base.ts';
import { identityKind } from '../../../domain/identity.ts';
import type { BulkIdentity } from '../../record/parse-record.ts';
import type { HeldMethod } from '../../parse/types.ts';
import { amendFacts, emailText, isVerifiedFrom } from './amend-facts.ts';
import { givenUpAndStated, staysInTenants } from '../obstacles.ts';
import { baseOf } from '../proof.ts';
import { noteIdentity, noteTenants } from './differences.ts';
import { planDifference, planUpdate, type MethodUpdate, type Plan } from './plan.ts';
import { groups, keyOf, sideOf } from './sides.ts';
import { fieldOf, type SubjectKey, type SubjectMethod } from '../subject.ts';
import { rulingOf, settle, type Meeting } from './three-way.ts';

/**
 * @param present the user's login methods that `method` means. Usually one: an email may be in one method in each of two tenants,
 *   and a passwordless email and phone number may have one each.
 */
export function amendMethod(meeting: Meeting, method: SubjectMethod, present: readonly HeldMethod[]): void {
  const [first] = present;
  if (!first) return;
  for (const { kind } of method.identities) {
    noteIdentity(meeting, method, kind, first);
    amendIdentity(meeting, method, { kind, first });
  }
  if (present.length === 1) noteTenants(meeting, method, first);
  for (const each of present) amendFacts(meeting, method, each);
}

/**
 * Each stated tenant must have the identity. The login method that has it in one tenant gets it in the others, otherwise the
 * first login method does.
 */
function amendIdentity(
  meeting: Meeting,
  method: SubjectMethod,
  { kind, first }: { readonly kind: BulkIdentity['kind']; readonly first: HeldMethod },
): void {
  const { plan, target } = meeting;
  const keys = method.keys.filter((key) => key.kind === kind);
  const holder = keys.find(({ held }) => held)?.held?.method;
  const missing = keys.filter(({ held }) => !held);
  const [next] = missing;
  if (!next || (holder && isLeft(holder, method, next))) return;
  if (!holder && !isReplaced(meeting, method, first, next)) {
    keepFormer(plan, first, missing);
    return;
  }
  const owner = holder ?? first;
  if (holder) planUpdate(plan, owner, {});
  else replaceIdentity(meeting, owner, method, next);
  for (const { key, tenantNo } of missing)
    plan.identities.push({ tenantNo, kind, key, userId: owner.userId });
  planDifference(plan, target, holder ? fieldOf(method.place, 'tenantIds') : next.field);
}

/** It has another email by now, or it was removed from a tenant here while the source states the same tenants. */
function isLeft(holder: HeldMethod, { tenantNos }: SubjectMethod, { kind, key }: SubjectKey): boolean {
  return keyOf(holder, kind) !== key || readBase(holder.base)?.tenants === tenantsText(tenantNos);
}

/** Whether the login method's identity is replaced by the one that the record states. */
function isReplaced(
  meeting: Meeting,
  method: SubjectMethod,
  present: HeldMethod,
  { kind, key, field }: SubjectKey,
): boolean {
  const base = baseOf(present);
  const theirs = keyDigest(key);
  const ours = keyDigest(keyOf(present, kind));
  const ruling = rulingOf({ theirs, base: base && slotOfKind(base, kind), ours });
  const isGuarded = meeting.isEntryGuarded === true;
  if (ruling !== 'conflict' && !isGuarded) return true;
  const sides = { here: sideOf(kind, present), source: sideOf(kind, method) };
  const clash = { group: groups[kind], field, method: present, ...sides };
  return settle(meeting, clash, isGuarded ? 'keeps always' : 'takes');
}

/** The next record that states these keys leads to the same user. */
function keepFormer(plan: Plan, { userId }: HeldMethod, keys: readonly SubjectKey[]): void {
  for (const { tenantNo, kind, key } of keys) plan.formerIdentities.push({ tenantNo, kind, key, userId });
}

/** A login method has one email and phone number in all of its tenants, so the former one is removed from all of them. */
function replaceIdentity(meeting: Meeting, owner: HeldMethod, method: SubjectMethod, next: SubjectKey): void {
  const { plan } = meeting;
  const formerKey = keyOf(owner, next.kind);
  if (formerKey !== undefined) {
    if (owner.tenants.some((tenantNo) => !method.tenantNos.includes(tenantNo)))
      plan.obstacle ??= staysInTenants(method);
    for (const tenantNo of owner.tenants)
      plan.removedIdentities.push({ tenantNo, kind: next.kind, key: formerKey, userId: owner.userId });
  }
  planUpdate(plan, owner, valueOf(meeting, owner, method, next.kind));
}

/** A new email is verified if the record states so; the store knows whether it was verified once before. */
function valueOf(
  meeting: Meeting,
  owner: HeldMethod,
  method: SubjectMethod,
  kind: BulkIdentity['kind'],
): Partial<MethodUpdate> {
  if (kind === identityKind.thirdParty) return { thirdPartyUserId: method.thirdPartyUserId ?? null };
  if (kind === identityKind.passwordlessPhone) return { phone: method.phone ?? null };
  return { email: emailText(method), isVerified: isVerifiedFrom(meeting, owner, method) };
}

/**
 * Refuses a record where one login method gives up an identity that another one states: it would be removed, and be missing at
 * the next import of the same record.
 */
export function refuseGivenUp(plan: Plan, methods: readonly SubjectMethod[]): void {
  const removed = new Set(plan.removedIdentities.map(({ kind, key }) => `${kind} ${key}`));
  const stated = methods.flatMap(({ keys }) => keys);
  const lost = stated.find(({ kind, key }) => removed.has(`${kind} ${key}`));
  if (lost) plan.obstacle ??= givenUpAndStated(lost);
}
