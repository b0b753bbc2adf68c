import type { SessionSource, Tenant } from '../../../domain/model.ts';
import { openJwt } from './jwt/open.ts';
import type { KeySets } from './jwt/key-sets.ts';
import type { OpenedToken } from './opened.ts';

/** What tokens are opened with. */
export interface Opening {
  readonly keySets: KeySets;
  /** ms since the epoch */
  readonly now: () => number;
}

/** @throws CarryRefused, and Refusal OLD_SYSTEM_UNAVAILABLE */
export function openToken(
  { keySets, now }: Opening,
  _tenant: Tenant,
  source: SessionSource,
  token: string,
): Promise<OpenedToken> {
  const clock = { now: now(), skewMs: source.skewMs };
  return openJwt(keySets, source, token, clock);
}
