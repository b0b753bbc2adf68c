/**
 * Differences that a comparison lists, also where an import would do nothing about them. Where an import decides by the same
 * digests, its code notes the difference: see `note` in three-way.ts.
 */

import type { StatedRestrictions } from '../../../operations/ports/ports.ts';
import { identityKind } from '../../../domain/identity.ts';
import { keyDigest, slotOfKind, tenantsText, textDigest } from '../../parse/base.ts';
import { canonicalJson } from '../../parse/canonical.ts';
import type { BulkIdentity } from '../../record/parse-record.ts';
import type { HeldMethod } from '../../parse/types.ts';
import type { HeldUser } from '../holders.ts';
import { baseOf, emailSlot } from '../proof.ts';
import { fieldOf, passwordField, type SubjectMethod, type SubjectUser } from '../subject.ts';
import type { Plan } from './plan.ts';
import { groups, keyOf, kindHere, passwordHere, sideOf } from './sides.ts';
import { statesPrimary } from './rebase.ts';
import { changedBy, type Meeting, note, noteChanged, type Sides } from './three-way.ts';

/** A user of the record who does not exist here. Only the external id is noted: an erasure finds it. */
export function noteMissing({ found }: Plan, { external, head }: SubjectUser): void {
  const sides = { here: 'none', source: 'a user' };
  const field = `loginMethods.${head.place}`;
  found.push({
    group: 'user',
    field,
    ...sides,
    userId: external?.id ?? '',
    methodId: undefined,
    changed: 'there',
  });
}

export function notePassword(
  meeting: Meeting,
  method: SubjectMethod,
  present: HeldMethod,
  values: Sides,
): void {
  const changed = changedBy(values);
  const isChangedHere = changed === 'here' || changed === 'both';
  const kind = kindHere(present.passwordHash);
  const here = isChangedHere ? `${kind}, ${passwordHere(present)}` : kind;
  const field = fieldOf(method.place, passwordField(method));
  const source = method.hashKind ?? 'plain text';
  note(meeting, { group: 'password', field, here, source, method: present }, values);
}

/** While both have the same email: that it is verified belongs to it. */
export function noteVerification(meeting: Meeting, method: SubjectMethod, present: HeldMethod): void {
  if (method.email === undefined || method.email !== present.email) return;
  const base = baseOf(present);
  const isSame = base !== undefined && emailSlot(base) === textDigest(method.email);
  const values = {
    theirs: wordOf(method.isVerified),
    base: isSame ? wordOf(base.isVerified) : undefined,
    ours: wordOf(present.isVerified),
  };
  const sides = { here: values.ours, source: values.theirs };
  note(
    meeting,
    { group: 'email', field: fieldOf(method.place, 'isVerified'), ...sides, method: present },
    values,
  );
}

function wordOf(isVerified: boolean): string {
  return isVerified ? 'verified' : 'not verified';
}

/** The email, phone number or provider identity by which the login method is found. */
export function noteIdentity(
  meeting: Meeting,
  method: SubjectMethod,
  kind: BulkIdentity['kind'],
  present: HeldMethod,
): void {
  const stated = method.keys.find((key) => key.kind === kind);
  if (stated === undefined) return;
  const base = baseOf(present);
  const values = {
    theirs: keyDigest(stated.key),
    base: base && slotOfKind(base, kind),
    ours: keyDigest(keyOf(present, kind)),
  };
  const sides = { here: sideOf(kind, present), source: sideOf(kind, method) };
  note(meeting, { group: groups[kind], field: stated.field, ...sides, method: present }, values);
}

export function noteTenants(meeting: Meeting, method: SubjectMethod, present: HeldMethod): void {
  const values = {
    theirs: tenantsText(method.tenantNos),
    base: baseOf(present)?.tenants,
    ours: tenantsText(present.tenants),
  };
  const sides = { here: inTenants(present.tenants), source: inTenants(method.tenantNos) };
  note(
    meeting,
    { group: 'tenants', field: fieldOf(method.place, 'tenantIds'), ...sides, method: present },
    values,
  );
}

function inTenants({ length }: readonly number[]): string {
  return length === 1 ? 'in 1 tenant' : `in ${length} tenants`;
}

/** The external id that the user lacks here, and the login methods that either side lacks. */
export function noteMethods(
  meeting: Meeting,
  { external, head, methods }: SubjectUser,
  assigned: ReadonlyMap<SubjectMethod, readonly HeldMethod[]>,
): void {
  const { target } = meeting;
  const user = { userId: target.id };
  const changed = isImported(target) ? 'there' : 'unknown';
  if (external !== undefined && external.held === undefined) {
    const sides = { here: 'none', source: external.id };
    noteChanged(meeting, { group: 'externalId', field: 'externalUserId', ...sides, method: user }, changed);
  }
  for (const method of methods.filter((each) => assigned.get(each)?.length === 0)) {
    const sides = { here: 'none', source: shownMethod(method) };
    const field = `loginMethods.${method.place}`;
    noteChanged(meeting, { group: 'loginMethods', field, ...sides, method: user }, changed);
  }
  const stated = new Set([...assigned.values()].flat());
  for (const method of target.methods.filter((each) => !stated.has(each))) {
    const sides = { here: shownMethod(method), source: 'none' };
    const by = baseOf(method) === undefined ? 'here' : 'there';
    noteChanged(meeting, { group: 'loginMethods', field: 'loginMethods', ...sides, method }, by);
  }
  notePrimary(meeting, head);
}

function isImported({ methods }: HeldUser): boolean {
  return methods.some((each) => baseOf(each) !== undefined);
}

function shownMethod(method: SubjectMethod | HeldMethod): string {
  if (method.recipe === 2) return sideOf(identityKind.thirdParty, method);
  return method.email ?? method.phone ?? 'none';
}

function notePrimary(meeting: Meeting, head: SubjectMethod): void {
  const { target } = meeting;
  if (!head.isPrimary || target.isPrimary) return;
  const changed = statesPrimary(target) ? 'here' : isImported(target) ? 'there' : 'unknown';
  const sides = { here: 'not primary', source: 'primary' };
  const compared = { field: fieldOf(head.place, 'isPrimary'), ...sides, method: { userId: target.id } };
  noteChanged(meeting, { group: 'loginMethods', ...compared }, changed);
}

/**
 * Whether the user may sign in. That the job holds users with second factors is not compared: it follows from an option of the
 * import.
 */
export function noteRestrictions(meeting: Meeting, stated: StatedRestrictions = {}): void {
  const { target, comparedAt = 0 } = meeting;
  const kept = target.methods[0]?.restrictions ?? undefined;
  const last: StatedRestrictions | undefined = isImported(target)
    ? { isDisabled: false, ...kept?.stated }
    : undefined;
  const isDisabledHere = kept?.isDisabled;
  for (const name of ['isDisabled', 'secondFactors', 'requiredActions'] as const) {
    if (stated[name] === undefined) continue;
    const text = (value: unknown): string => canonicalJson(inForce(value, comparedAt) ?? false);
    const theirs = text(stated[name]);
    const base = last && text(last[name]);
    const ours = text(name === 'isDisabled' ? isDisabledHere : kept?.stated?.[name]);
    const sides = { here: ours, source: theirs };
    const compared = { field: name, ...sides, method: { userId: target.id } };
    note(meeting, { group: 'restrictions', ...compared }, { theirs, base, ours });
  }
}

/** A number is a time until which a restriction is in force. */
function inForce(value: unknown, now: number): unknown {
  return typeof value === 'number' && value <= now ? false : value;
}
