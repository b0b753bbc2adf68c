/** Finds a record of the queue when the person that it describes is removed. */

import { identityKey, thirdPartyKey } from '../../domain/identity.ts';
import * as field from '../../schema/fields.ts';
import { normaliserOf } from '../../schema/normalise.ts';
import type { NativeLoginMethod, NativeUser } from '../record/native-record.ts';

const emailOf = normaliserOf(field.email);
const phoneOf = normaliserOf(field.phoneNumber);
const externalIdOf = normaliserOf(field.externalUserId);
const tenantOf = normaliserOf(field.name);

/**
 * Digests of the record's external id, of each email, phone number and provider identity, and of the tenant if all of its login
 * methods are in one other than `public`. store/removal/forget-traces.ts computes the same for stored users.
 * @param user a record that was validated
 * @returns each 32 hexadecimal digits, without repetitions
 */
export function tracesOf({ externalUserId, loginMethods }: NativeUser): string[] {
  const tenants = new Set(loginMethods.flatMap(({ tenantIds = ['public'] }) => tenantIds.map(tenantOf)));
  const [home = 'public'] = tenants;
  return [
    ...new Set([
      ...(externalUserId === undefined ? [] : [identityKey(externalIdOf(externalUserId))]),
      ...loginMethods.flatMap(tracesOfMethod),
      ...(tenants.size === 1 && home !== 'public' ? [tenantTrace(home)] : []),
    ]),
  ];
}

function tracesOfMethod(method: NativeLoginMethod): string[] {
  const { email, phoneNumber } = { phoneNumber: undefined, ...method };
  return [
    ...(email === undefined ? [] : [identityKey(emailOf(email))]),
    ...(phoneNumber === undefined ? [] : [identityKey(phoneOf(phoneNumber))]),
    ...(method.recipeId === 'thirdparty'
      ? [thirdPartyKey(method.thirdPartyId, method.thirdPartyUserId)]
      : []),
  ];
}

/** No other text with a trace begins like this. */
export function tenantTrace(tenantId: string): string {
  return identityKey(`tenant\n${tenantId}`);
}
