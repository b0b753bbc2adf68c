/** The effect of a change on chunks that are written at the same time: they compare without locks, each by its own keys. */

import { credentialColumns, methodColumns } from '../../domain/user-columns.ts';
import type { HeldMethod } from '../parse/types.ts';
import type { Plan } from './plan/plan.ts';
import type { Subject } from './subject.ts';

/**
 * Whether the plan changes what others may have found unchanged at the same time: a password, an email, details or the base of a
 * login method that has a key which the record does not state. Chunks that share a stated key wait for each other.
 */
export function isSeenByOthers(plan: Plan, subject: Subject): boolean {
  const methods = [...plan.changed].flatMap((user) => user.methods);
  return methods.some(
    (method) =>
      isAmended(plan, method) &&
      (identityCount(method) > statedCount(subject, method) || isKnownOtherwise(subject, method)),
  );
}

function isAmended({ updates, details }: Plan, method: HeldMethod): boolean {
  const update = updates.get(method.userId);
  const isUpdated = update !== undefined && comparedHere.some((key) => update[key] !== method[key]);
  return isUpdated || details.some((row) => row.userId === method.userId);
}

const comparedHere = Object.keys({ ...credentialColumns, base: methodColumns.base }) as readonly (
  keyof typeof credentialColumns | 'base'
)[];

/** By an external id alone a record finds its user unchanged. */
function isKnownOtherwise({ external }: Subject, { userId, externalId }: HeldMethod): boolean {
  return externalId !== null && external?.held?.method.userId !== userId;
}

/** The maximum: a passwordless email and phone number may be in different tenants. */
function identityCount({ recipe, email, phone, tenants }: HeldMethod): number {
  const hasTwo = recipe === 3 && email !== null && phone !== null;
  return tenants.length * (hasTwo ? 2 : 1);
}

function statedCount({ methods }: Subject, { userId }: HeldMethod): number {
  return methods.flatMap(({ keys }) => keys).filter(({ held }) => held?.method.userId === userId).length;
}
