import type { RefreshSource, SessionSource, Tenant } from '../../domain/model.ts';
import type { CarryStore } from './model.ts';
import { openAuthJs } from './cookies/authjs.ts';
import { openExpressSession } from './cookies/express-session.ts';
import type { RailsKeys } from './cookies/rails.ts';
import { openSignedCookie } from './cookies/signed.ts';
import { openJwt } from './jwt/open.ts';
import type { KeySets } from './jwt/key-sets.ts';
import { openLaravel } from './cookies/laravel.ts';
import { findToken } from './opaque.ts';
import type { OpenedToken } from './opened-token.ts';
import type { Redeemer } from './redeem.ts';

export interface Opening {
  readonly keySets: KeySets;
  readonly redeemer: Redeemer;
  readonly railsKeys: RailsKeys;
  readonly store: CarryStore;
  /** ms since the epoch */
  readonly now: () => number;
}

/** @throws CarryRefused, and Refusal OLD_SYSTEM_UNAVAILABLE */
export async function openToken(
  opening: Opening,
  tenant: Tenant,
  source: SessionSource,
  token: string,
): Promise<OpenedToken> {
  switch (source.speaks) {
    case 'jwt':
      return openJwt(opening.keySets, source, token, clockOf(opening, source));
    case 'authjs':
      return openAuthJs(source, token);
    case 'signed-cookie':
      return openCookie(opening, tenant, source, token);
    case 'opaque':
      return findToken(opening.store, tenant, source, token);
    case 'refresh':
      return openRefresh(opening, source, token);
  }
}

async function openCookie(
  { store, railsKeys, now }: Opening,
  tenant: Tenant,
  source: Extract<SessionSource, { readonly speaks: 'signed-cookie' }>,
  token: string,
): Promise<OpenedToken> {
  if (source.framework === 'laravel') return openLaravel(store, { tenant, source, token, now: now() });
  if (source.framework === 'express-session') return openExpressSession(store, tenant, source, token);
  return openSignedCookie(source, token, railsKeys);
}

function clockOf({ now }: Opening, { skewMs }: Pick<SessionSource, 'skewMs'>) {
  return { now: now(), skewMs };
}

/** The JWT is new, but the session began when its user signed in. */
async function openRefresh(opening: Opening, source: RefreshSource, token: string): Promise<OpenedToken> {
  const jwt = await opening.redeemer.redeem(source, token);
  const opened = await openJwt(opening.keySets, source, jwt, clockOf(opening, source));
  return { ...opened, issuedAt: opened.authTime, fingerprint: token };
}
