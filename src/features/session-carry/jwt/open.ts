import type { JWK } from 'jose';
import type { JwtRules, SessionSource } from '../../../domain/model.ts';
import { CarryRefused } from '../refused.ts';
import type { OpenedToken } from '../opened-token.ts';
import { openClaims } from './claims.ts';
import type { KeySets } from './key-sets.ts';
import { keysFor, type ReadJwt, readJwt, verifiedClaims } from './signature.ts';

interface Clock {
  readonly now: number;
  readonly skewMs: number;
}

/** @throws CarryRefused, and Refusal OLD_SYSTEM_UNAVAILABLE while keys cannot be fetched */
export async function openJwt(
  keySets: KeySets,
  rules: JwtRules & Pick<SessionSource, 'reach'>,
  text: string,
  clock: Clock,
): Promise<OpenedToken> {
  const jwt = readJwt(text, rules.algorithms);
  const keys = await keysOf(keySets, rules, jwt);
  if (keys.length === 0) throw new CarryRefused('unknown-key');
  const claims = await verifiedClaims(jwt, keys);
  // Without the signature, which has several forms for one token.
  const fingerprint = text.slice(0, text.lastIndexOf('.'));
  return { ...openClaims(claims, rules, clock), fingerprint };
}

async function keysOf(
  keySets: KeySets,
  { keys, reach }: Parameters<typeof openJwt>[1],
  jwt: ReadJwt,
): Promise<readonly (JWK | Uint8Array)[]> {
  if (keys.from === 'secret') return [Buffer.from(keys.secret, 'utf8')];
  if (keys.from === 'pinned') return keysFor(jwt, keys.keys);
  return keySets.find({ ...keys, reach }, jwt);
}
