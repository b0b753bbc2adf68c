import { createHmac } from 'node:crypto';
import type { SignedCookieSource } from '../../../domain/model.ts';
import { CarryRefused } from '../refused.ts';
import { type CookieSession, cookieValue, isSame, jsonFields } from './values.ts';

/**
 * Express with cookie-session: JSON in base64, together with `<name>.sig`, an HMAC-SHA-1 over name and value (Keygrip). Both come in
 * a Cookie header.
 */
export function openCookieSession({ secrets, cookie }: SignedCookieSource, token: string): CookieSession {
  const value = cookieValue(token, cookie);
  const signature = cookieValue(token, `${cookie}.sig`);
  if (value === undefined || signature === undefined) throw new CarryRefused('not-a-token');
  const isSigned = secrets.some((secret) =>
    isSame(
      createHmac('sha1', secret).update(`${cookie}=${value}`).digest(),
      Buffer.from(signature, 'base64url'),
    ),
  );
  if (!isSigned) throw new CarryRefused('signature');
  return { session: jsonFields(Buffer.from(value, 'base64')), fingerprint: value };
}
