import type { RecordRules } from '../tasks.ts';
import { identityKey, identityKind, thirdPartyKey } from '../../domain/identity.ts';
import { statedTextsOf } from '../../domain/user-columns.ts';
import { type RecordForm, recordForm } from '../../schema/validate.ts';
import type { NativeLoginMethod, NativePasswordlessMethod } from './native-record.ts';
import type { BulkIdentity, BulkMethod } from './model.ts';
import { type BulkPassword, passwordOf } from './password.ts';
import { invalid, missing, problemOfFault, type Problem } from './problem.ts';
import { tenantNosOf } from './tenants.ts';

const forms: Readonly<Record<NativeLoginMethod['recipeId'], RecordForm>> = {
  emailpassword: recordForm('bulkPasswordMethod'),
  thirdparty: recordForm('bulkThirdPartyMethod'),
  passwordless: recordForm('bulkPasswordlessMethod'),
};

/** An earlier date has another unit, or is not a date. */
const oldestDateMs = Date.UTC(2000, 0, 1);

/** Checks each login method, and their combination: at most one primary, no identity twice. */
export function methodsOf(
  list: readonly Readonly<Record<string, unknown>>[],
  rules: RecordRules,
): readonly BulkMethod[] | Problem {
  const methods: BulkMethod[] = [];
  for (const [place, own] of list.entries()) {
    const method = methodOf(own, rules, `loginMethods.${place}.`);
    if ('code' in method) return method;
    methods.push(method);
  }
  return methods.length === 1 ? methods : (clashOf(methods) ?? methods);
}

/**
 * Checks a login method and converts it into the common shape.
 * @param own the result of JSON.parse; its recipe is known
 * @param prefix its path in the record: `loginMethods.0.`
 */
function methodOf(
  own: Readonly<Record<string, unknown>>,
  rules: RecordRules,
  prefix: string,
): BulkMethod | Problem {
  const recipeId = own.recipeId as NativeLoginMethod['recipeId'];
  const fault = forms[recipeId](own);
  if (fault !== undefined) return problemOfFault(fault, prefix);
  // The form has just been checked.
  const method = own as unknown as NativeLoginMethod;
  const tenantNos = tenantNosOf(method.tenantIds, rules.tenants, `${prefix}tenantIds`);
  if ('code' in tenantNos) return tenantNos;
  const secret = method.recipeId === 'emailpassword' ? passwordOf(method, rules, prefix) : noPassword;
  if ('code' in secret) return secret;
  const identities = identitiesOf(method);
  if (identities.length === 0) return missing(`${prefix}email`, 'give an email, a phoneNumber or both');
  const { passwordHash, hashKind, plainTextPassword } = secret;
  const joined = method.timeJoinedInMSSinceEpoch ?? rules.now;
  return {
    ...statedTextsOf(method, passwordHash),
    recipe: recipeNumbers[recipeId],
    tenantNos,
    identities,
    isVerified: method.isVerified === true,
    isPrimary: method.isPrimary === true,
    timeJoined: Math.min(joined, rules.now),
    isDateOdd: joined < oldestDateMs || joined > rules.now,
    hashKind,
    plainTextPassword,
  };
}

/** Whether a record states a date before 2000 or in the future. */
export function hasOddDate({ methods }: { readonly methods: readonly BulkMethod[] }): boolean {
  for (const { isDateOdd } of methods) if (isDateOdd) return true;
  return false;
}

const recipeNumbers = { emailpassword: 1, thirdparty: 2, passwordless: 3 } as const;

const noPassword: BulkPassword = {
  hashKind: undefined,
  passwordHash: undefined,
  plainTextPassword: undefined,
};

/** Empty for a login method without a password that states neither email nor phone number. */
function identitiesOf(method: NativeLoginMethod): readonly BulkIdentity[] {
  switch (method.recipeId) {
    case 'emailpassword':
      return [{ kind: identityKind.email, key: identityKey(method.email) }];
    case 'thirdparty': {
      const { thirdPartyId, thirdPartyUserId } = method;
      return [{ kind: identityKind.thirdParty, key: thirdPartyKey(thirdPartyId, thirdPartyUserId) }];
    }
    case 'passwordless':
      return contactsOf(method);
  }
}

function contactsOf({ email, phoneNumber }: NativePasswordlessMethod): BulkIdentity[] {
  const identities: BulkIdentity[] = [];
  if (email !== undefined) identities.push({ kind: identityKind.passwordlessEmail, key: identityKey(email) });
  if (phoneNumber !== undefined)
    identities.push({ kind: identityKind.passwordlessPhone, key: identityKey(phoneNumber) });
  return identities;
}

function clashOf(methods: readonly BulkMethod[]): Problem | undefined {
  const second = methods.findLastIndex((method) => method.isPrimary);
  if (second !== methods.findIndex((method) => method.isPrimary)) {
    return invalid(`loginMethods.${second}.isPrimary`, 'must be true for one login method at most');
  }
  const seen = new Set<string>();
  for (const [place, method] of methods.entries()) {
    for (const identity of method.identities) {
      if (!method.tenantNos.every((tenantNo) => isNew(seen, identity, tenantNo))) {
        return invalid(
          identityField(place, identity),
          'must not be that of an earlier login method of this record in the same tenant: leave one out',
        );
      }
    }
  }
  return undefined;
}

function isNew(seen: Set<string>, { kind, key }: BulkIdentity, tenantNo: number): boolean {
  const before = seen.size;
  return seen.add(`${kind}:${tenantNo}:${key}`).size > before;
}

/** The path of an identity's field. */
export function identityField(place: number, { kind }: Pick<BulkIdentity, 'kind'>): string {
  return `loginMethods.${place}.${identityFields[kind]}`;
}

const identityFields: Readonly<Record<BulkIdentity['kind'], string>> = {
  [identityKind.email]: 'email',
  [identityKind.thirdParty]: 'thirdPartyUserId',
  [identityKind.passwordlessEmail]: 'email',
  [identityKind.passwordlessPhone]: 'phoneNumber',
};
