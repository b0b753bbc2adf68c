/** Rows of a custom table whose columns have the names of the native record's fields. */

import type { SecondFactor } from '../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice, NativeUser } from '../../imports/record/native-record.ts';
import { isSourceName } from '../../config/legacy/read-sources.ts';
import { hashKindNamed } from '../../hashes/registry.ts';
import { rolesIn } from '../convert/roles/roles.ts';
import {
  carries,
  folded,
  guards,
  hash,
  identifies,
  leftOut,
  type Values,
  withAbout,
} from '../fields/declare.ts';
import { convertAddressed } from './parts/addresses.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { rejected, unsupportedHash, type FoundPassword, type SocialIdentity } from './parts/person.ts';
import { type Disabled, disabledIf, disabledUntil } from './parts/sign-in-state.ts';
import type { Conversion, ConversionReject, ConvertOptions, Sample, SourceRow } from './provider.ts';

const list = 'In JSON, or with commas between';
const json = 'In JSON, as in the record';

/** The columns. `--map` may map a column to each of them. */
export const flatRowFields = {
  externalUserId: identifies.id('externalUserId'),
  ownId: withAbout('Where there is no externalUserId', identifies.id('id')),
  email: identifies.text('email'),
  phone: identifies.phone('phoneNumber'),
  passwordHash: hash.text('passwordHash'),
  hashingAlgorithm: hash.text('hashingAlgorithm'),
  passwordTransforms: hash.text('passwordTransforms'),
  passwordSalt: withAbout('For --hash-as', hash.salt('passwordSalt')),
  plainTextPassword: hash.untrimmed('plainTextPassword'),
  legacy: carries.text('legacy'),
  isVerified: carries.evidence('isVerified'),
  timeJoined: carries.time('timeJoinedInMSSinceEpoch'),
  thirdPartyId: identifies.text('thirdPartyId'),
  thirdPartyUserId: identifies.id('thirdPartyUserId'),
  isDisabled: guards.evidence('isDisabled'),
  disabledUntil: guards.until('disabledUntil'),
  bannedUntil: withAbout('The same as disabledUntil', guards.until('bannedUntil')),
  deleted: guards.evidence('deleted'),
  requiredActions: withAbout(list, guards.any('requiredActions')),
  totpDevices: withAbout(json, guards.list('totpDevices')),
  backupCodes: withAbout(json, carries.list('backupCodes')),
  secondFactors: withAbout(list, carries.any('secondFactors')),
  userRoles: withAbout(list, carries.any('userRoles')),
  tenantIds: withAbout(list, carries.any('tenantIds')),
  userMetadata: withAbout(json, carries.object('userMetadata')),
  sameIds: carries.flag('sameIds'),
  methods: withAbout(json, identifies.list('loginMethods')),
  isPrimary: leftOut('A row is one linked user', 'isPrimary'),
  recipeId: leftOut('The other columns say it', 'recipeId'),
} as const;

type Row = Values<typeof flatRowFields>;

/** The targets of `--map`. */
export const flatFields: readonly string[] = Object.values(flatRowFields)
  .filter(({ purpose }) => purpose !== 'left out')
  .flatMap(({ names }) => names.slice(0, 1))
  .filter((name) => name !== 'id' && name !== 'passwordSalt');

/** A row that is a user. */
export function convertFlat(row: Row, options: ConvertOptions): Conversion {
  const { email, phone, timeJoined, legacy } = row;
  const id = row.externalUserId ?? row.ownId;
  const fault = faultOf(row);
  if (fault !== undefined) return rejected({ ...fault, externalUserId: id });
  const person = {
    id,
    email,
    phone,
    timeJoined,
    social: socialOf(row),
    isEmailVerified: row.isVerified,
    password: passwordOf(row),
    metadata: { ...row.userMetadata },
    roles: rolesIn(row.userRoles),
    ...protectionOf(row),
    isDisabled: disabledOf(row),
    deleted: row.deleted === true ? 'by the column that deleted is mapped to' : undefined,
  };
  const conversion = convertAddressed(person, 'email', {
    ...options,
    ...(legacy !== undefined && { 'without-password': `legacy:${legacy}` }),
  });
  return conversion.ok ? { ...conversion, user: withRest(conversion.user, row) } : conversion;
}

function faultOf({ thirdPartyId, thirdPartyUserId, legacy }: Row): ConversionReject | undefined {
  if ((thirdPartyId === undefined) !== (thirdPartyUserId === undefined))
    return {
      code: 'MISSING_FIELD',
      field: thirdPartyId === undefined ? 'thirdPartyId' : 'thirdPartyUserId',
      message: 'thirdPartyId and thirdPartyUserId go together',
    };
  if (legacy === undefined || isSourceName(legacy)) return undefined;
  return { code: 'INVALID_FIELD', field: 'legacy', message: 'it is not the name of an old system' };
}

function socialOf({ thirdPartyId: provider, thirdPartyUserId: userId }: Row): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}

/** Permanent if one of them is set, even if another states an end. */
function disabledOf({ isDisabled, disabledUntil: end, bannedUntil }: Row): Disabled {
  return disabledIf(isDisabled, disabledUntil(end), disabledUntil(bannedUntil));
}

/** As in the record: the core checks it against its schema. */
function protectionOf({ totpDevices, backupCodes, secondFactors, requiredActions }: Row): {
  readonly totpDevices: readonly NativeTotpDevice[];
  readonly backupCodes: readonly NativeBackupCode[];
  readonly secondFactors: readonly SecondFactor[];
  readonly requiredActions: readonly string[];
} {
  return {
    totpDevices: (totpDevices ?? []) as readonly NativeTotpDevice[],
    backupCodes: (backupCodes ?? []) as readonly NativeBackupCode[],
    secondFactors: rolesIn(secondFactors) as readonly SecondFactor[],
    requiredActions: rolesIn(requiredActions),
  };
}

function withRest(user: NativeUser, { tenantIds, sameIds }: Row): NativeUser {
  const tenants = rolesIn(tenantIds);
  return {
    ...user,
    ...(sameIds !== undefined && { sameIds }),
    ...(tenants.length > 0 && {
      loginMethods: user.loginMethods.map((method) => ({ ...method, tenantIds: tenants })),
    }),
  };
}

/** The record of a row whose methods are in JSON. */
export function recordOf(row: Row): SourceRow {
  const { externalUserId, ownId, userMetadata, sameIds, methods } = row;
  const disabled = disabledOf(row);
  const roles = rolesIn(row.userRoles);
  const { totpDevices, backupCodes, secondFactors, requiredActions } = protectionOf(row);
  const lists = { totpDevices, backupCodes, secondFactors, requiredActions };
  const said = {
    externalUserId: externalUserId ?? ownId,
    userMetadata,
    sameIds,
    loginMethods: methods,
    ...(disabled !== undefined && { isDisabled: disabled !== false }),
    ...(typeof disabled === 'number' && { disabledUntil: disabled }),
    ...(roles.length > 0 && { userRoles: roles.map((role) => ({ role })) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, each]) => each.length > 0)),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function passwordOf(row: Row): FoundPassword | undefined {
  const {
    passwordHash,
    hashingAlgorithm,
    plainTextPassword: plainText,
    passwordTransforms: transforms,
  } = row;
  if (passwordHash === undefined) return plainText === undefined ? undefined : { plainText };
  const found = hashedPassword(passwordHash, hashingAlgorithm);
  return found !== undefined && 'hash' in found && transforms !== undefined
    ? { ...found, transforms }
    : found;
}

function hashedPassword(text: string, name: string | undefined): FoundPassword | undefined {
  const kind = name === undefined ? undefined : hashKindNamed(name);
  const isUnknown = name !== undefined && kind === undefined;
  return isUnknown ? unsupportedHash('hashingAlgorithm', name) : hashPassword('passwordHash', text, kind);
}

/** Whether the columns are those of such rows. */
export function isFlat({ format, columns }: Sample): boolean {
  return (
    format === 'csv' &&
    columns.includes('email') &&
    (columns.includes('passwordHash') || columns.includes('externalUserId'))
  );
}

const marks: ReadonlySet<string> = new Set(['email', 'phonenumber', 'thirdpartyuserid', 'loginmethods']);

/** Whether a record has its methods as JSON, or none of the columns for signing in that a row would have. */
export function isWhole(row: SourceRow): boolean {
  if (Array.isArray(row.loginMethods)) return true;
  return !Object.keys(row).some((name) => marks.has(folded(name)));
}
