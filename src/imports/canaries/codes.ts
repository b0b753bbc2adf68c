/**
 * Known one-time codes, checked against the secrets of an upload before it begins, so that a wrong interpretation is reported at
 * once.
 */

import { Refusal } from '../../domain/errors.ts';
import { type SecretEncoding, secretBytes } from '../../hashes/doctor/totp/encodings.ts';
import { examineTotp } from '../../hashes/doctor/totp/examine-totp.ts';
import { type CodeAlgorithm, isCode } from '../../hashes/parts/one-time-code.ts';

/** A user of the old system whose device showed a code. */
export interface CodeCanary {
  readonly email?: string | undefined;
  readonly code: string;
  /** When the device showed it, ms since the epoch. */
  readonly at: number;
  /** The secret of the user's record, as the upload will contain it. Must not be logged. */
  readonly secretKey: string;
  readonly secretEncoding?: SecretEncoding | undefined;
  readonly algorithm?: CodeAlgorithm | undefined;
  readonly digits?: number | undefined;
  readonly period?: number | undefined;
  readonly skew?: number | undefined;
}

/**
 * Requires that every secret gives its code as a sign-in would compute it; for the first that does not, searches for the cause.
 * @throws Refusal CANARY_FAILED, which names the canary by its place and email, never by code or secret
 */
export function requireCodes(canaries: readonly CodeCanary[]): void {
  const failed = [...canaries.entries()].filter(([, canary]) => !isRight(canary));
  const [first] = failed;
  if (first === undefined) return;
  const [place, { email }] = first;
  const who = `codeCanaries.${place}${email === undefined ? '' : ` (${email})`}`;
  throw new Refusal(
    'CANARY_FAILED',
    `Nothing was imported, because ${failed.length} of ${canaries.length} codes failed, first ${who}: ${causeOf(first[1])}`,
  );
}

function isRight({
  secretKey,
  secretEncoding = 'base32',
  period = 30,
  skew = 1,
  ...canary
}: CodeCanary): boolean {
  const secret = secretBytes(secretKey, secretEncoding);
  return secret !== undefined && isCode(secret, canary.code, { ...canary, period, skew, now: canary.at });
}

function causeOf({ secretKey: secret, secretEncoding: encoding, code, at, ...shape }: CodeCanary): string {
  const { message, advice } = examineTotp({ secret, codes: [{ code, at }], stated: { ...shape, encoding } });
  return [message, advice[0]].join(' ');
}
