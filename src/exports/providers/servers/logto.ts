/** Logto: its table users, or users of its Management API. */

import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import { flagOf, objectOf, objectsOf, phoneOf, textOf } from '../parts/fields.ts';
import { foldedRow, hasAll, namesOf } from '../parts/folded-row.ts';
import { logtoPassword } from './logto-passwords.ts';
import { personOptions } from '../parts/person.ts';
import type { SocialIdentity } from '../parts/person.ts';
import { factorNamed } from '../parts/second-factors.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';

export const logto: Provider = {
  name: 'logto',
  title: 'Logto (users)',
  about:
    'The Management API gives hashes only for one user at a time and with includePasswordHash=true; the table users has them all. Primary emails and phone numbers count as verified. Identities of enterprise SSO are left out.',
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: [] }, { format: 'ndjson' }, { format: 'csv' }],
      idOf: (row) => textOf(row.id),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'primaryemail')) return 0;
  return hasAll(names, 'passwordencryptionmethod') || hasAll(names, 'identities', 'customdata') ? 10 : 3;
}

function convert(row: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const user = foldedRow(row);
  const person = {
    id: textOf(user.id),
    email: textOf(user.primaryemail),
    isEmailVerified: true,
    phone: phoneOfDigits(user.primaryphone),
    password: logtoPassword(user),
    social: Object.entries(objectOf(user.identities) ?? {}).flatMap(socialOf),
    timeJoined: timeOf(user.createdat),
    metadata: {
      username: textOf(user.username),
      name: textOf(user.name),
      picture: textOf(user.avatar),
      profile: objectOf(user.profile),
      custom_data: objectOf(user.customdata),
    },
    totpDevices: objectsOf(user.mfaverifications).flatMap(totpOf),
    secondFactors: objectsOf(user.mfaverifications).flatMap(factorsOf),
    isDisabled: flagOf(user.issuspended),
  };
  return convertAddressed(person, 'primary_email', options);
}

/** Logto keeps E.164 without its plus sign. */
function phoneOfDigits(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d+$/.test(text) ? phoneOf(`+${text}`) : phoneOf(text);
}

function socialOf([provider, value]: readonly [string, unknown]): readonly SocialIdentity[] {
  const identity = objectOf(value);
  const userId = textOf(identity?.userId);
  if (userId === undefined || provider.trim() === '') return [];
  return [{ provider, userId, email: firstAddress(textOf(objectOf(identity?.details)?.email)) }];
}

function totpOf({ type, key }: SourceRow): readonly NativeTotpDevice[] {
  const secretKey = textOf(key);
  return textOf(type) === 'Totp' && secretKey !== undefined ? [{ secretKey }] : [];
}

const factors = {
  WebAuthn: 'webauthn',
  PhoneVerificationCode: 'sms',
  EmailVerificationCode: 'email',
  Totp: 'totp',
} as const;

/** Backup codes are none by themselves. */
function factorsOf(verification: SourceRow): readonly SecondFactor[] {
  const type = textOf(verification.type);
  return type === 'BackupCode' || totpOf(verification).length > 0 ? [] : [factorNamed(factors, type)];
}
