/** Second factors of Supabase Auth: the table auth.mfa_factors. */

import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { textOf } from '../parts/fields.ts';
import type { Person } from '../parts/person.ts';
import { factorNamed } from '../parts/sign-in-state.ts';
import type { SourceRow } from '../provider.ts';

const names = { totp: 'totp', phone: 'sms', webauthn: 'webauthn' } as const;

/** Of a factor that is not verified yet nothing is asked at a sign-in. */
export function supabaseFactors(rows: readonly SourceRow[]): Pick<Person, 'totpDevices' | 'secondFactors'> {
  const verified = rows.filter(({ status }) => textOf(status) === 'verified');
  return { totpDevices: verified.flatMap(deviceOf), secondFactors: verified.flatMap(otherOf) };
}

/** Where GoTrue encrypts (GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPT) the secret is a JSON text, and stays closed. */
function deviceOf(row: SourceRow): readonly NativeTotpDevice[] {
  const [secretKey, deviceName] = [textOf(row.secret), textOf(row.friendly_name)];
  if (textOf(row.factor_type) !== 'totp' || secretKey === undefined) return [];
  const isPlain = /^[A-Z2-7]{1,256}=*$/i.test(secretKey);
  return isPlain ? [{ secretKey, ...(deviceName !== undefined && { deviceName }) }] : [];
}

function otherOf(row: SourceRow): readonly SecondFactor[] {
  return deviceOf(row).length > 0 ? [] : [factorNamed(names, textOf(row.factor_type))];
}
