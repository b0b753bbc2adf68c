/** Roles and TOTP devices of a record, with their declared fields only: what is stored is compared as a whole. */

import type { RecordRules } from '../tasks.ts';
import type { NativeRole, NativeTotpDevice } from './native-record.ts';
import type { Problem } from './problem.ts';
import { tenantNosOf } from './tenants.ts';

/** @param roles checked by their form; undefined and an empty list state nothing */
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

/** @param devices checked by their form; undefined and an empty list state nothing */
export function devicesOf(
  devices: readonly NativeTotpDevice[] | undefined,
): readonly NativeTotpDevice[] | undefined {
  if (devices === undefined || devices.length === 0) return undefined;
  // Absent fields stay absent: JSON.stringify leaves out what is undefined, but a comparison would not.
  return devices.map(({ secretKey, period, skew, deviceName }) => ({
    secretKey,
    ...(period !== undefined && { period }),
    ...(skew !== undefined && { skew }),
    ...(deviceName !== undefined && { deviceName }),
  }));
}
