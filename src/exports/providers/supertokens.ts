/** SuperTokens: the body of its bulk import, whose users are the core's own records. */

import { supertokensDatabase } from './supertokens-database.ts';
import { carries, guards, hash, identifies, leftOut, type Values } from '../fields/declare.ts';
import { convertNative } from './native.ts';
import { argon2id } from './parts/way-back.ts';
import { convertValues, table } from './provider.ts';
import type { Provider, Sample, SourceRow } from './provider.ts';

const ownId = 'Ids of SuperTokens itself are not kept: externalUserId keeps one';

const roleFields = { role: carries.text('role'), tenantIds: carries.texts('tenantIds') } as const;

const deviceFields = {
  secretKey: guards.text('secretKey'),
  secretEncoding: guards.text('secretEncoding'),
  algorithm: guards.text('algorithm'),
  digits: guards.number('digits'),
  period: guards.number('period'),
  skew: guards.number('skew'),
  deviceName: carries.text('deviceName'),
} as const;

const codeFields = {
  code: carries.text('code'),
  hash: carries.text('hash'),
  hashingAlgorithm: carries.text('hashingAlgorithm'),
} as const;

/** For all recipes. Without a field that identifies the recipe the method would be another user's. */
const methodFields = {
  recipeId: identifies.text('recipeId'),
  tenantIds: identifies.texts('tenantIds'),
  email: identifies.text('email'),
  phoneNumber: identifies.text('phoneNumber'),
  thirdPartyId: identifies.text('thirdPartyId'),
  thirdPartyUserId: identifies.id('thirdPartyUserId'),
  isPrimary: identifies.flag('isPrimary'),
  isVerified: carries.flag('isVerified'),
  passwordHash: hash.text('passwordHash'),
  hashingAlgorithm: hash.text('hashingAlgorithm'),
  passwordTransforms: hash.text('passwordTransforms'),
  plainTextPassword: hash.untrimmed('plainTextPassword'),
  legacy: carries.text('legacy'),
  timeJoinedInMSSinceEpoch: carries.number('timeJoinedInMSSinceEpoch'),
  superTokensUserId: leftOut(ownId, 'superTokensUserId'),
} as const;

const userFields = {
  externalUserId: identifies.id('externalUserId'),
  loginMethods: identifies.objects(methodFields, 'loginMethods'),
  userMetadata: carries.object('userMetadata'),
  userRoles: carries.objects(roleFields, 'userRoles'),
  totpDevices: guards.objects(deviceFields, 'totpDevices'),
  backupCodes: carries.objects(codeFields, 'backupCodes'),
  secondFactors: guards.texts('secondFactors'),
  requiredActions: guards.texts('requiredActions'),
  isDisabled: guards.flag('isDisabled'),
  disabledUntil: guards.number('disabledUntil'),
  sameIds: carries.flag('sameIds'),
  restoreRemoved: carries.flag('restoreRemoved'),
} as const;

export const supertokens: Provider = {
  name: 'supertokens',
  title: 'SuperTokens (bulk import)',
  about:
    'Hashes of firebase_scrypt need the signer key in the configuration of the core. Ids of SuperTokens itself (superTokensUserId) are not kept: set externalUserId to keep an id.',
  wayBack: { reads: 'Argon2id and bcrypt', settings: argon2id },
  tables: [table('users', userFields, { places: [{ format: 'json', path: ['users'] }] })],
  database: supertokensDatabase,
  recognises: ({ first, root }: Sample) =>
    Array.isArray(first.loginMethods) && root !== 'array' && root.includes('users') ? 10 : 0,
  convert: convertValues(userFields, (user, related, options) =>
    convertNative(recordOf(user), related, options),
  ),
};

/** The fields have the names of the record, which omits undefined ones. */
function recordOf(user: Values<typeof userFields>): SourceRow {
  const { userRoles, totpDevices, backupCodes } = user;
  return {
    ...user,
    ...(userRoles && { userRoles: userRoles.filter(({ role }) => role !== undefined) }),
    ...(totpDevices && { totpDevices: totpDevices.filter(({ secretKey }) => secretKey !== undefined) }),
    ...(backupCodes && {
      backupCodes: backupCodes.filter(({ code, hash }) => code !== undefined || hash !== undefined),
    }),
  };
}
