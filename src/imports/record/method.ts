import type { RecordRules } from '../tasks.ts';
import { identityKey, identityKind, thirdPartyKey } from '../../domain/identity.ts';
import { type RecordForm, recordForm } from '../../schema/validate.ts';
import type {
  NativeLoginMethod,
  NativePasswordMethod,
  NativePasswordlessMethod,
  NativeThirdPartyMethod,
} from './native-record.ts';
import type { BulkIdentity, BulkMethod } from './model.ts';
import { passwordOf } from './password.ts';
import { missing, problemOfFault, type Problem } from './problem.ts';
import { tenantNosOf } from './tenants.ts';

const forms: Readonly<Record<NativeLoginMethod['recipeId'], RecordForm>> = {
  emailpassword: recordForm('bulkPasswordMethod'),
  thirdparty: recordForm('bulkThirdPartyMethod'),
  passwordless: recordForm('bulkPasswordlessMethod'),
};

/** What the recipes have in common. */
interface Common {
  readonly tenantNos: readonly number[];
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
  readonly timeJoined: number;
  readonly isDateOdd: boolean;
}

/** Nobody has joined before: a date like that is one of another unit, or none. */
export const oldestDateMs = Date.UTC(2000, 0, 1);

/**
 * Checks a login method and brings it into the one shape of all of them.
 * @param own what JSON.parse has just returned; its recipe is known
 * @param prefix its place in the record: `loginMethods.0.`
 */
export function methodOf(
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
  const stated = method.timeJoinedInMSSinceEpoch ?? rules.now;
  const common = {
    tenantNos,
    timeJoined: Math.min(stated, rules.now),
    isDateOdd: stated < oldestDateMs || stated > rules.now,
    isVerified: method.isVerified === true,
    isPrimary: method.isPrimary === true,
  };
  switch (method.recipeId) {
    case 'emailpassword':
      return passwordMethod(method, common, rules, prefix);
    case 'thirdparty':
      return thirdPartyMethod(method, common);
    case 'passwordless':
      return passwordlessMethod(method, common, prefix);
  }
}

function passwordMethod(
  method: NativePasswordMethod,
  common: Common,
  rules: RecordRules,
  prefix: string,
): BulkMethod | Problem {
  const password = passwordOf(method, rules, prefix);
  if ('code' in password) return password;
  const { tenantNos, isVerified, isPrimary, timeJoined, isDateOdd } = common;
  const { passwordHash, hashKind, plainTextPassword } = password;
  return {
    recipe: 1,
    tenantNos,
    identities: [{ kind: identityKind.email, key: identityKey(method.email) }],
    isVerified,
    isPrimary,
    timeJoined,
    isDateOdd,
    email: method.email,
    phone: undefined,
    thirdPartyId: undefined,
    thirdPartyUserId: undefined,
    passwordHash,
    hashKind,
    plainTextPassword,
  };
}

function thirdPartyMethod(method: NativeThirdPartyMethod, common: Common): BulkMethod {
  const { email, thirdPartyId, thirdPartyUserId } = method;
  const { tenantNos, isVerified, isPrimary, timeJoined, isDateOdd } = common;
  return {
    recipe: 2,
    tenantNos,
    identities: [{ kind: identityKind.thirdParty, key: thirdPartyKey(thirdPartyId, thirdPartyUserId) }],
    isVerified,
    isPrimary,
    timeJoined,
    isDateOdd,
    email,
    phone: undefined,
    thirdPartyId,
    thirdPartyUserId,
    passwordHash: undefined,
    hashKind: undefined,
    plainTextPassword: undefined,
  };
}

function passwordlessMethod(
  method: NativePasswordlessMethod,
  common: Common,
  prefix: string,
): BulkMethod | Problem {
  const { email, phoneNumber } = method;
  const { tenantNos, isVerified, isPrimary, timeJoined, isDateOdd } = common;
  const identities: BulkIdentity[] = [];
  if (email !== undefined) {
    identities.push({ kind: identityKind.passwordlessEmail, key: identityKey(email) });
  }
  if (phoneNumber !== undefined) {
    identities.push({ kind: identityKind.passwordlessPhone, key: identityKey(phoneNumber) });
  }
  if (identities.length === 0) return missing(`${prefix}email`, 'give an email, a phoneNumber or both');
  return {
    recipe: 3,
    tenantNos,
    identities,
    isVerified,
    isPrimary,
    timeJoined,
    isDateOdd,
    email,
    phone: phoneNumber,
    thirdPartyId: undefined,
    thirdPartyUserId: undefined,
    passwordHash: undefined,
    hashKind: undefined,
    plainTextPassword: undefined,
  };
}
