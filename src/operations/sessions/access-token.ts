import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** The claims that are the session's own; every other claim of an access token is the app's. */
export interface SessionClaims {
  readonly sub: string;
  readonly rsub: string;
  readonly tId: string;
  /** s since the epoch */
  readonly iat: number;
  readonly exp: number;
  readonly sessionHandle: string;
  readonly refreshTokenHash1: string;
  readonly parentRefreshTokenHash1: string | null;
  readonly antiCsrfToken: string | null;
}

export type Payload = Readonly<Record<string, unknown>>;

/** What a JWT is signed with. */
export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

const own = [
  'sub',
  'iat',
  'exp',
  'sessionHandle',
  'refreshTokenHash1',
  'parentRefreshTokenHash1',
  'antiCsrfToken',
  'tId',
  'rsub',
] as const satisfies readonly (keyof SessionClaims)[];

/** Whether an app's payload claims what is the session's to say. */
export function holdsOwnClaim(payload: Payload): boolean {
  return own.some((claim) => Object.hasOwn(payload, claim));
}

const signAsync = promisify(sign);

/** Signs in a thread: it takes about a millisecond, and the event loop has none to spare. */
export async function signJwt(
  key: SigningKey,
  payload: Payload,
  header: Readonly<Record<string, string>> = {},
): Promise<string> {
  const head = { kid: key.kid, typ: 'JWT', ...header, alg: 'RS256' };
  const text = `${encoded(head)}.${encoded(payload)}`;
  const signature = await signAsync('sha256', Buffer.from(text), key.privateKey);
  return `${text}.${signature.toString('base64url')}`;
}

/** `version` is that of the tokens' form, for clients of this interface. */
export function signAccessToken(key: SigningKey, payload: Payload, claims: SessionClaims): Promise<string> {
  return signJwt(key, { ...payload, ...claims }, { version: '5' });
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export interface OpenedAccessToken {
  readonly kid: string;
  readonly claims: SessionClaims;
  /** The app's claims. */
  readonly payload: Payload;
  /** Of its signature: what that key has signed. */
  isSignedBy(publicKey: KeyObject): boolean;
}

/** @returns undefined for text that is no access token; the signature is yet to be verified */
export function openAccessToken(text: string): OpenedAccessToken | undefined {
  const parts = text.split('.');
  const [head = '', body = '', signature = ''] = parts;
  if (parts.length !== 3) return undefined;
  const [header, all] = [decoded(head), decoded(body)];
  if (header?.alg !== 'RS256' || typeof header.kid !== 'string' || all === undefined) return undefined;
  const claims = claimsOf(all);
  if (claims === undefined) return undefined;
  const isOwn = new Set<string>(own);
  return {
    kid: header.kid,
    claims,
    payload: Object.fromEntries(Object.entries(all).filter(([name]) => !isOwn.has(name))),
    isSignedBy: (publicKey) =>
      verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url')),
  };
}

function decoded(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const texts = ['sub', 'rsub', 'tId', 'sessionHandle', 'refreshTokenHash1'] as const;
const times = ['iat', 'exp'] as const;
const textsOrNull = ['parentRefreshTokenHash1', 'antiCsrfToken'] as const;

function claimsOf(all: Record<string, unknown>): SessionClaims | undefined {
  const isWhole =
    texts.every((claim) => typeof all[claim] === 'string') &&
    times.every((claim) => Number.isSafeInteger(all[claim])) &&
    textsOrNull.every((claim) => all[claim] === null || typeof all[claim] === 'string');
  return isWhole
    ? (Object.fromEntries(own.map((claim) => [claim, all[claim]])) as unknown as SessionClaims)
    : undefined;
}

/** @param spki DER, as it is stored */
export function publicKeyOf(spki: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
}
