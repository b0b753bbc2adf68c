/** Roles and TOTP devices of a record, with their declared fields only: what is stored is compared as a whole. */

import { lackOf } from '../../domain/access/key-holder.ts';
import { refusals } from '../../domain/errors.ts';
import { secretBytes } from '../../hashes/doctor/totp/encodings.ts';
import { base32Of, bytesOfBase32, defaultShape } from '../../hashes/parts/one-time-code.ts';
import type { CreatesOnly, RecordRules } from '../tasks.ts';
import { backupCodesOf } from './backup-codes.ts';
import type { BulkRecord } from './model.ts';
import type { NativeRole, NativeTotpDevice, NativeUser } from './native-record.ts';
import { invalid, type Problem } from './problem.ts';
import { tenantNosOf } from './tenants.ts';

/** @param roles with a checked form; undefined and an empty list state nothing */
export function rolesOf(
  roles: readonly NativeRole[] | undefined,
  { tenants }: RecordRules,
): readonly NativeRole[] | Problem | undefined {
  if (roles === undefined || roles.length === 0) return undefined;
  for (const [place, { tenantIds }] of roles.entries()) {
    const numbers = tenantNosOf(tenantIds, tenants, `userRoles.${place}.tenantIds`);
    if ('code' in numbers) return numbers;
  }
  return roles.map(({ role, tenantIds }) =>
    tenantIds === undefined ? { role } : { role, tenantIds: [...new Set(tenantIds)] },
  );
}

/**
 * The part of a record that goes beyond creating a user. A role is more than an account: with one a sender could create an
 * administrator.
 * @param record whose form has been checked
 */
export function excessOf(
  { sameIds, restoreRemoved, userRoles = [] }: Pick<NativeUser, 'sameIds' | 'restoreRemoved' | 'userRoles'>,
  { keyName, mayGiveRoles }: CreatesOnly,
): Problem | undefined {
  const holder = { name: keyName, scopes: new Set<never>() };
  const problem = (field: string, message: string): Problem => ({
    code: 'KEY_SCOPE_MISSING',
    field,
    message,
  });
  if (restoreRemoved === true) return problem('restoreRemoved', lackOf(holder, ['import'], 'restoreRemoved'));
  if (sameIds === true) return problem('sameIds', lackOf(holder, ['import'], 'sameIds'));
  if (mayGiveRoles || userRoles.length === 0) return undefined;
  return problem('userRoles', lackOf(holder, ['import', 'admin'], 'userRoles'));
}

/** The user's secrets of second factors; undefined if the record states none. */
export function secretsOf(
  { totpDevices = [], backupCodes = [] }: Pick<NativeUser, 'totpDevices' | 'backupCodes'>,
  rules: RecordRules,
): BulkRecord['totpDevices'] | Problem {
  if (totpDevices.length + backupCodes.length === 0) return undefined;
  if (rules.sealing?.keys.length === 0) return noKey(totpDevices.length > 0 ? 'totpDevices' : 'backupCodes');
  const devices = devicesOf(totpDevices);
  if ('code' in devices) return devices;
  const codes = backupCodesOf(backupCodes, rules);
  return 'code' in codes ? codes : [...devices, ...codes];
}

/**
 * Devices with their secret in Base32, whatever the record's encoding.
 * @param devices with a checked form
 */
function devicesOf(devices: readonly NativeTotpDevice[]): readonly NativeTotpDevice[] | Problem {
  const unreadable = devices.findIndex((device) => secretOf(device) === undefined);
  if (unreadable >= 0) {
    const why =
      devices[unreadable]?.secretEncoding === undefined
        ? 'must be Base32, or have its encoding in secretEncoding: carryover doctor --totp finds out which'
        : 'is not of the encoding that secretEncoding says: carryover doctor --totp finds out which';
    return invalid(`totpDevices.${unreadable}.secretKey`, why);
  }
  // Absent fields stay absent: JSON.stringify leaves out undefined ones, but a comparison would not.
  return devices.map(({ period, skew, deviceName, algorithm, digits, ...device }) => ({
    secretKey: secretOf(device) ?? '',
    ...(period !== undefined && { period }),
    ...(skew !== undefined && { skew }),
    ...(deviceName !== undefined && { deviceName }),
    ...(algorithm !== undefined && algorithm !== defaultShape.algorithm && { algorithm }),
    ...(digits !== undefined && digits !== defaultShape.digits && { digits }),
  }));
}

/** A second factor that could not be sealed is not stored, and without it the password alone would sign in. */
function noKey(field: string): Problem {
  return { code: 'ENCRYPTION_KEY_MISSING', field, message: refusals.ENCRYPTION_KEY_MISSING.message };
}

/** Base32 without a stated encoding is stored unchanged. @returns undefined for a secret that is not of its encoding */
function secretOf({ secretKey, secretEncoding }: NativeTotpDevice): string | undefined {
  if (secretEncoding === undefined) return bytesOfBase32(secretKey) && secretKey;
  const bytes = secretBytes(secretKey, secretEncoding);
  return bytes && base32Of(bytes);
}
