/** Second factors of Supabase Auth: the table auth.mfa_factors. */

import type { SecondFactor } from '../../imports/model.ts';
import type { NativeTotpDevice } from '../../imports/record/native-record.ts';
import { carries, guards, identifies, leftOut, type Values } from '../fields/declare.ts';
import { ofTheRow } from '../fields/reasons.ts';
import type { Person } from './parts/person.ts';
import { factorNamed } from './parts/sign-in-state.ts';

const names = { totp: 'totp', phone: 'sms', webauthn: 'webauthn' } as const;

const ofChallenge = 'It is of a challenge that is over';
const ofPasskey = 'Passkeys belong to the domain of Supabase and do not move';

export const factorFields = {
  userId: identifies.id('user_id'),
  type: guards.text('factor_type'),
  status: guards.text('status'),
  secret: guards.text('secret'),
  name: carries.text('friendly_name'),
  id: leftOut(ofTheRow, 'id'),
  phone: leftOut('Factors by phone are counted: the core has none by a second number', 'phone'),
  challengedAt: leftOut(ofChallenge, 'last_challenged_at'),
  challengeData: leftOut(ofChallenge, 'last_webauthn_challenge_data'),
  credential: leftOut(ofPasskey, 'web_authn_credential'),
  aaguid: leftOut(ofPasskey, 'web_authn_aaguid'),
  createdAt: leftOut(ofTheRow, 'created_at'),
  updatedAt: leftOut(ofTheRow, 'updated_at'),
} as const;

type Factor = Values<typeof factorFields>;

/** An unverified factor is not required at a sign-in. */
export function supabaseFactors(rows: readonly Factor[]): Pick<Person, 'totpDevices' | 'secondFactors'> {
  const verified = rows.filter(({ status }) => status === 'verified');
  return { totpDevices: verified.flatMap(deviceOf), secondFactors: verified.flatMap(otherOf) };
}

/** If GoTrue encrypts (GOTRUE_SECURITY_DB_ENCRYPTION_ENCRYPT) the secret is a JSON text, and cannot be opened. */
function deviceOf({ type, secret, name }: Factor): readonly NativeTotpDevice[] {
  if (type !== 'totp' || secret === undefined) return [];
  const isPlain = /^[A-Z2-7]{1,256}=*$/i.test(secret);
  return isPlain ? [{ secretKey: secret, ...(name !== undefined && { deviceName: name }) }] : [];
}

function otherOf(row: Factor): readonly SecondFactor[] {
  return deviceOf(row).length > 0 ? [] : [factorNamed(names, row.type)];
}
