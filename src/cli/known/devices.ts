/** Looks up the TOTP devices of some emails in a file of users, converted while it is read. */

import { type SecretEncoding, secretEncodings } from '../../hashes/doctor/totp/encodings.ts';
import type { StatedDevice } from '../../hashes/doctor/totp/examine-totp.ts';
import { codeAlgorithms } from '../../hashes/parts/one-time-code.ts';
import type { Input } from '../input/input.ts';
import { emailOf, type Fields, fieldsIn, type Searching, searchRecords } from './records.ts';

/** A device as its record has it. */
export interface FoundDevice extends StatedDevice {
  /** A secret. */
  readonly secretKey: string;
}

/**
 * Reads until every email was found.
 * @param emails trimmed and in lower case
 * @returns by email; an empty list: the user exists, without a device
 */
export async function findDevices(
  input: Input,
  emails: ReadonlySet<string>,
  surroundings: Searching,
): Promise<ReadonlyMap<string, readonly FoundDevice[]>> {
  const found = new Map<string, readonly FoundDevice[]>();
  const look = (record: Fields): boolean => {
    for (const method of fieldsIn(record.loginMethods)) {
      const email = emailOf(method);
      if (email === undefined || !emails.has(email) || (found.get(email)?.length ?? 0) > 0) continue;
      found.set(email, fieldsIn(record.totpDevices).flatMap(deviceOf));
    }
    return found.size === emails.size && [...found.values()].every(({ length }) => length > 0);
  };
  await searchRecords(input, look, surroundings);
  return found;
}

function deviceOf({ secretKey, secretEncoding, algorithm, digits, period, skew }: Fields): FoundDevice[] {
  if (typeof secretKey !== 'string' || secretKey.trim() === '') return [];
  return [
    {
      secretKey: secretKey.trim(),
      encoding: secretEncodings.find((each): each is SecretEncoding => each === secretEncoding),
      algorithm: codeAlgorithms.find((each) => each === algorithm),
      digits: numberOf(digits),
      period: numberOf(period),
      skew: numberOf(skew),
    },
  ];
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}
