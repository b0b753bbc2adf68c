/**
 * Finds the users meant by keys that were changed here. An email that the last import stated for a user leads to this user,
 * although the user has another one by now, and although another user may have it.
 */

import { readBase, statesKey } from '../../parse/base.ts';
import type { Held, HeldUser } from '../holders.ts';
import type { SubjectKey, SubjectMethod, SubjectUser } from '../subject.ts';

/** The same user, with each key assigned to the login method for which an import stated it, if there is one. */
export function resolveKeys(user: SubjectUser): SubjectUser {
  const target = ledTo(user);
  if (target === undefined) return user;
  const byMethod = new Map(user.methods.map((method) => [method, resolved(method, target)]));
  const methods = [...byMethod.values()];
  return { ...user, methods, head: byMethod.get(user.head) ?? user.head };
}

function resolved(method: SubjectMethod, target: HeldUser): SubjectMethod {
  return { ...method, keys: method.keys.map((key) => resolvedKey(method, key, target)) };
}

function resolvedKey({ recipe }: SubjectMethod, key: SubjectKey, target: HeldUser): SubjectKey {
  if (isStated(key.held, key) && key.held?.user === target) return key;
  const method = target.methods.find((each) => each.recipe === recipe && statesKey(readBase(each.base), key));
  return method ? { ...key, held: { method, user: target } } : key;
}

/** The external id first, as always; then the user that an import stated the key for, then the user that has it. */
function ledTo({ external, methods }: SubjectUser): HeldUser | undefined {
  if (external?.held) return external.held.user;
  for (const key of methods.flatMap(({ keys }) => keys)) {
    const former = key.former;
    const isFormer = former && !isStated(key.held, key) && !isAnother(former.user, external);
    const lead = isFormer ? former : key.held;
    if (lead) return lead.user;
  }
  return undefined;
}

function isStated(held: Held | undefined, key: SubjectKey): boolean {
  return statesKey(readBase(held?.method.base ?? null), key);
}

/** The source has given the email to another user. */
function isAnother({ head }: HeldUser, external: SubjectUser['external']): boolean {
  return external !== undefined && (head?.externalId ?? null) !== null;
}
