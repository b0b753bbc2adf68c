import { compactVerify, errors, type JWK } from 'jose';
import { CarryRefused } from '../refused.ts';

/** A JWT whose signature is not verified yet. */
export interface ReadJwt {
  readonly text: string;
  readonly alg: string;
  readonly kid: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const form = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** JWTs without another use than to sign in, and access tokens (RFC 9068): not logout+jwt, secevent+jwt, dpop+jwt and so on. */
const usualType = /^(application\/)?([\w.-]*at\+)?jwt$/i;
/** Keys without an id that are tried for one token. */
const mostTried = 10;

/** @throws CarryRefused for text that is not a signed JWT, or needs an unsupported extension */
export function readJwt(text: string, algorithms: readonly string[]): ReadJwt {
  const [, head = ''] = form.exec(text) ?? [];
  const header = parsed(Buffer.from(head, 'base64url'));
  if (header === undefined) throw new CarryRefused('not-a-token');
  const { alg, kid, crit, b64, typ } = header;
  if (typeof alg !== 'string' || !algorithms.includes(alg)) throw new CarryRefused('algorithm');
  // Ignoring a critical extension is forbidden, and no extension is supported (RFC 7515, section 4.1.11).
  if (crit !== undefined || b64 !== undefined) throw new CarryRefused('critical');
  if (typ !== undefined && !(typeof typ === 'string' && usualType.test(typ)))
    throw new CarryRefused('not-of-a-session');
  return { text, alg, kid: typeof kid === 'string' ? kid : undefined };
}

/** @returns the keys with the token's key id; without one, those that may have signed it */
export function keysFor({ kid, alg }: ReadJwt, keys: readonly JWK[]): readonly JWK[] {
  const named = keys.filter((key) => kid !== undefined && key.kid === kid);
  if (named.length > 0) return named;
  return keys
    .filter((key) => kid === undefined || key.kid === undefined)
    .filter((key) => key.alg === undefined || key.alg === alg)
    .slice(0, mostTried);
}

/**
 * @param keys as `keysFor` returns them, or a secret
 * @returns the claims
 * @throws CarryRefused
 */
export async function verifiedClaims(jwt: ReadJwt, keys: readonly (JWK | Uint8Array)[]): Promise<Fields> {
  for (const key of keys) {
    const payload = await verifiedBy(jwt, key);
    if (payload === undefined) continue;
    const claims = parsed(payload);
    if (claims === undefined) throw new CarryRefused('not-a-token');
    return claims;
  }
  throw new CarryRefused('signature');
}

async function verifiedBy({ text, alg }: ReadJwt, key: JWK | Uint8Array): Promise<Uint8Array | undefined> {
  try {
    const { payload } = await compactVerify(text, key, { algorithms: [alg] });
    return payload;
  } catch (error) {
    // A key of another kind has not signed the token.
    if (error instanceof errors.JOSEError || error instanceof TypeError || error instanceof DOMException)
      return undefined;
    throw error;
  }
}

function parsed(bytes: Uint8Array): Fields | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}
