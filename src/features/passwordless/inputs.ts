import { Refusal } from '../../domain/errors.ts';
import type { Contact } from './model.ts';
import { spellPhone } from '../../operations/users/phone.ts';
import { decode, decodeUrl } from './secrets.ts';

/** A request's fields for a contact: a field that is null counts as absent. */
export interface ContactFields {
  readonly email?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
}

/** @returns undefined unless exactly one of the two is given; the phone number is checked when both are */
export function contactOf({ email, phoneNumber }: ContactFields): Contact | undefined {
  if (isGiven(phoneNumber)) return { phoneNumber: spellPhone(phoneNumber) };
  return isGiven(email) ? { email } : undefined;
}

export function isGiven<T>(value: T): value is NonNullable<T> {
  return value !== undefined && value !== null;
}

/** @throws Refusal INVALID_FIELD with this message unless exactly one is given */
export function requireOne(values: readonly unknown[], message: string): void {
  if (values.filter(isGiven).length !== 1) throw invalid(message);
}

/** @throws Refusal INVALID_FIELD unless it is base64 */
export function requireDeviceId(text: string): Buffer {
  const bytes = decode(text);
  if (bytes === undefined) throw invalid('Input encoding error in deviceId');
  return bytes;
}

/** @throws Refusal INVALID_FIELD unless it is base64url */
export function requireLinkCode(text: string): Buffer {
  const bytes = decodeUrl(text);
  if (bytes === undefined) throw invalid('Input encoding error in linkCode');
  return bytes;
}

export function invalid(message: string): Refusal {
  return new Refusal('INVALID_FIELD', message);
}
