/** Second factors among Keycloak's credentials: JSON texts inside JSON. */

import { base32Of } from '../../hashes/parts/one-time-code.ts';
import type { SecondFactor } from '../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice } from '../../imports/record/native-record.ts';
import type { Credential } from './keycloak-fields.ts';

const codeAlgorithms = [
  ['HmacSHA1', 'SHA1'],
  ['HmacSHA256', 'SHA256'],
  ['HmacSHA512', 'SHA512'],
] as const;

/** A TOTP credential. Keycloak stores the key as text, unless it states Base32. */
export function keycloakTotp(credential: Credential): NativeTotpDevice[] {
  const value = credential.secret?.value ?? credential.value;
  const shape = shapeOf(credential);
  if (kindOf(credential) !== 'totp' || value === undefined || shape === undefined) return [];
  const { data, label: deviceName } = credential;
  return [
    {
      secretKey: data?.secretEncoding === 'BASE32' ? value : base32Of(Buffer.from(value)),
      period: data?.period ?? credential.period ?? 30,
      ...shape,
      ...(deviceName !== undefined && { deviceName }),
    },
  ];
}

/** Before version 8 the credential itself stated its kind. undefined for anything but a code of an app. */
function kindOf({ type, data }: Credential): string | undefined {
  if (type === 'otp') return data?.subType;
  return type === 'totp' || type === 'hotp' ? type : undefined;
}

/** @returns undefined for a digest or a number of digits that the core does not support */
function shapeOf(credential: Credential): Pick<NativeTotpDevice, 'algorithm' | 'digits'> | undefined {
  const named = credential.data?.algorithm ?? credential.algorithm ?? 'HmacSHA1';
  const algorithm = codeAlgorithms.find(([name]) => name === named)?.[1];
  const digits = credential.data?.digits ?? credential.digits ?? 6;
  if (algorithm === undefined || digits < 6 || digits > 8) return undefined;
  return { ...(algorithm !== 'SHA1' && { algorithm }), ...(digits !== 6 && { digits }) };
}

/** Whether a credential is a code of an app. */
export function isOneTimeCode({ type }: Credential): boolean {
  return type === 'otp' || type === 'totp' || type === 'hotp';
}

/** Factors that cannot be imported: codes by a counter or of another digest, and security keys. */
export function keycloakFactors(credential: Credential): SecondFactor[] {
  if (credential.type === 'webauthn') return ['webauthn'];
  if (!isOneTimeCode(credential) || keycloakTotp(credential).length > 0) return [];
  return [kindOf(credential) === 'hotp' ? 'hotp' : 'totp'];
}

/** By the JWS name of a signature with the digest that Keycloak uses; it never wrote any other. */
const backupDigests = { RS256: 'sha256', RS512: 'sha512' } as const;

/** Recovery codes; only unused ones are listed: digests in base64. */
export function keycloakBackupCodes({ type, secret, data }: Credential): NativeBackupCode[] {
  if (type !== 'recovery-authn-codes') return [];
  const digest = data?.algorithm === 'RS256' ? backupDigests.RS256 : backupDigests.RS512;
  return (secret?.codes ?? []).flatMap(({ hash }) =>
    hash === undefined ? [] : [{ hash: `$${digest}$${hash}` }],
  );
}
