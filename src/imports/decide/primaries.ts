/** Users that a plan makes primary, or that it gives a key that no two primary users may share. */

import type { HeldMethod } from '../parse/types.ts';
import type { HeldUser } from './holders.ts';
import type { Plan } from './plan/plan.ts';

/** @returns the ids of their heads, 32 hexadecimal digits each, without primary users whose shared fields do not change */
export function primariesOf(plan: Plan): string[] {
  const made = plan.users.flatMap(({ primaryUserId }) => primaryUserId ?? []);
  const changed = [...plan.changed].filter((user) => isToBePrimary(plan, user) && hasOthers(plan, user));
  return [...new Set([...made, ...changed.map(({ id }) => id)])].map((id) => id.replaceAll('-', ''));
}

function isToBePrimary({ updates }: Plan, { isPrimary, methods }: HeldUser): boolean {
  return isPrimary || methods.some(({ userId }) => (updates.get(userId)?.primaryUserId ?? null) !== null);
}

function hasOthers({ updates, identities }: Plan, { methods }: HeldUser): boolean {
  const taking = new Set(identities.map(({ userId }) => userId));
  return methods.some((method) => taking.has(method.userId) || isAnother(method, updates.get(method.userId)));
}

const infos = ['primaryUserId', 'email', 'phone', 'thirdPartyUserId'] as const;

function isAnother(method: HeldMethod, update: Partial<HeldMethod> | undefined): boolean {
  return update !== undefined && infos.some((name) => (update[name] ?? null) !== method[name]);
}
