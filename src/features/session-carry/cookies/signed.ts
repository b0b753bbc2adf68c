import type { CookieFramework, SignedCookieSource } from '../../../domain/model.ts';
import { type OpenedToken, userIdOf } from '../opened-token.ts';
import { openCookieSession } from './cookie-session.ts';
import { openDjango } from './django.ts';
import { openRails, type RailsKeys } from './rails.ts';
import { type CookieSession, momentAt, valueAt } from './values.ts';

const frameworks: Readonly<
  Record<CookieFramework, (source: SignedCookieSource, token: string, keys: RailsKeys) => CookieSession>
> = { 'cookie-session': openCookieSession, django: openDjango, rails: openRails };

/** @throws CarryRefused */
export function openSignedCookie(source: SignedCookieSource, token: string, keys: RailsKeys): OpenedToken {
  const { session, fingerprint, issuedAt, expiresAt } = frameworks[source.framework](source, token, keys);
  return {
    userId: userIdOf(valueAt(session, source.userId)),
    fingerprint,
    issuedAt: momentAt(session, source.issuedAt) ?? issuedAt,
    expiresAt,
    authTime: undefined,
    amr: undefined,
  };
}
