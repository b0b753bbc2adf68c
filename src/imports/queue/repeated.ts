/** Records of one request that state a key of an earlier one: as in a job, the first counts. */

import { identityKind } from '../../domain/identity.ts';
import * as field from '../../schema/fields.ts';
import { normaliserOf } from '../../schema/normalise.ts';
import type { NativeLoginMethod, NativeUser } from '../record/native-record.ts';

const emailOf = normaliserOf(field.email);
const phoneOf = normaliserOf(field.phoneNumber);
const externalIdOf = normaliserOf(field.externalUserId);
const tenantOf = normaliserOf(field.name);

/** Why an entry fails that repeats a key, by the field; see Reject. */
export type Repeated = string;

/** For each record, in the order of the request: why it is not imported, or undefined. */
export function repeatedKeys(): (user: NativeUser) => Repeated | undefined {
  const seen = new Set<string>();
  return (user) => {
    const keys = keysOf(user);
    const used = keys.find(({ key }) => seen.has(key));
    for (const { key } of keys) seen.add(key);
    return used && reasonOf(used.field);
  };
}

function reasonOf(name: string): Repeated {
  const what = name === 'externalUserId' ? 'external id' : 'identity in this tenant';
  return `DUPLICATE_IN_JOB: ${name}: An earlier record of this request has the same ${what}: the first one counts, remove or correct the others`;
}

interface Key {
  readonly key: string;
  readonly field: string;
}

/** @param user a record that was validated */
function keysOf({ externalUserId, loginMethods }: NativeUser): Key[] {
  const external =
    externalUserId === undefined
      ? []
      : [{ key: `id ${externalIdOf(externalUserId)}`, field: 'externalUserId' }];
  return [
    ...external,
    ...loginMethods.flatMap((method, place) =>
      (method.tenantIds ?? ['public']).flatMap((tenantId) =>
        identitiesOf(method).map(({ kind, text, name }) => ({
          key: `${kind} ${tenantOf(tenantId)} ${text}`,
          field: `loginMethods.${place}.${name}`,
        })),
      ),
    ),
  ];
}

interface Identity {
  readonly kind: number;
  readonly text: string;
  readonly name: string;
}

function identitiesOf(method: NativeLoginMethod): Identity[] {
  if (method.recipeId === 'thirdparty') {
    const text = JSON.stringify([method.thirdPartyId, method.thirdPartyUserId]);
    return [{ kind: identityKind.thirdParty, text, name: 'thirdPartyUserId' }];
  }
  const { email } = method;
  const kind = method.recipeId === 'emailpassword' ? identityKind.email : identityKind.passwordlessEmail;
  const byEmail = email === undefined ? [] : [{ kind, text: emailOf(email), name: 'email' }];
  if (method.recipeId === 'emailpassword' || method.phoneNumber === undefined) return byEmail;
  const text = phoneOf(method.phoneNumber);
  return [...byEmail, { kind: identityKind.passwordlessPhone, text, name: 'phoneNumber' }];
}
