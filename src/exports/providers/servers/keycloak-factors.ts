/** Second factors among Keycloak's credentials: JSON texts inside JSON. */

import { base32Of } from '../../../hashes/parts/one-time-code.ts';
import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { integerOf, objectOf, objectsOf, textOf } from '../parts/fields.ts';
import type { SourceRow } from '../provider.ts';

const codeAlgorithms = [
  ['HmacSHA1', 'SHA1'],
  ['HmacSHA256', 'SHA256'],
  ['HmacSHA512', 'SHA512'],
] as const;

/** A TOTP credential. Keycloak keeps the key as text, unless it says Base32. */
export function keycloakTotp(credential: SourceRow): NativeTotpDevice[] {
  const value = textOf(objectOf(credential.secretData)?.value);
  const data = objectOf(credential.credentialData) ?? {};
  const shape = shapeOf(data);
  const isTotp = textOf(credential.type) === 'otp' && textOf(data.subType) === 'totp';
  if (!isTotp || value === undefined || shape === undefined) return [];
  const isBase32 = textOf(data.secretEncoding) === 'BASE32';
  const deviceName = textOf(credential.userLabel);
  return [
    {
      secretKey: isBase32 ? value : base32Of(Buffer.from(value)),
      ...{ period: integerOf(data.period) ?? 30, ...shape },
      ...(deviceName !== undefined && { deviceName }),
    },
  ];
}

/** @returns undefined for a digest or a number of digits that the core does not know */
function shapeOf(data: SourceRow): Pick<NativeTotpDevice, 'algorithm' | 'digits'> | undefined {
  const named = textOf(data.algorithm) ?? 'HmacSHA1';
  const algorithm = codeAlgorithms.find(([name]) => name === named)?.[1];
  const digits = integerOf(data.digits) ?? 6;
  if (algorithm === undefined || digits < 6 || digits > 8) return undefined;
  return { ...(algorithm !== 'SHA1' && { algorithm }), ...(digits !== 6 && { digits }) };
}

/** Factors that cannot be kept: codes by a counter or of another digest, and security keys. */
export function keycloakFactors(credential: SourceRow): SecondFactor[] {
  const type = textOf(credential.type);
  if (type === 'webauthn') return ['webauthn'];
  if (type !== 'otp' || keycloakTotp(credential).length > 0) return [];
  return [textOf(objectOf(credential.credentialData)?.subType) === 'hotp' ? 'hotp' : 'totp'];
}

/** By the JWS name of a signature whose digest Keycloak takes; what is not here it never wrote. */
const backupDigests = { RS256: 'sha256', RS512: 'sha512' } as const;

/** Recovery codes, of which those that are left are listed: digests in base64. */
export function keycloakBackupCodes(credential: SourceRow): NativeBackupCode[] {
  if (textOf(credential.type) !== 'recovery-authn-codes') return [];
  const named = textOf(objectOf(credential.credentialData)?.algorithm) ?? 'RS512';
  const digest = named === 'RS256' ? backupDigests.RS256 : backupDigests.RS512;
  return objectsOf(objectOf(credential.secretData)?.codes).flatMap(({ encodedHashedValue }) => {
    const hash = textOf(encodedHashedValue);
    return hash === undefined ? [] : [{ hash: `$${digest}$${hash}` }];
  });
}
