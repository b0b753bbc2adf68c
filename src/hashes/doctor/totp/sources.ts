/** The encodings of TOTP secrets that sources document. */

import type { SecretEncoding } from './encodings.ts';

/** By the name of the export's format; others use Base32. */
const documented: Readonly<Partial<Record<string, SecretEncoding>>> = {
  // The key of the HMAC is the text's UTF-8 bytes (utils/otp), though its URL shows Base32 of them.
  'better-auth': 'text',
  // HmacOTP takes the bytes of the text, unless secretEncoding says BASE32.
  keycloak: 'text',
  // django-otp, which Authentik uses too, stores the key as hexadecimal.
  django: 'hex',
  authentik: 'hex',
  // twoFactor.methods[].secret: "a base64-encoded secret".
  fusionauth: 'base64',
};

/** @param source a format such as `keycloak` @returns the encoding to try first */
export function documentedEncoding(source: string | undefined): SecretEncoding {
  return (source === undefined ? undefined : documented[source]) ?? 'base32';
}
