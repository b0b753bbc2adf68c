import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { promisify } from 'node:util';

/** The session's claims; every other claim of an access token is the app's. */
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

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
}

/** The form of an access token, its header's `version`. 4 does not name the login method: for versions of the interface before 4.0. */
export type TokenVersion = 4 | 5;

const ofBoth = [
  'sub',
  'iat',
  'exp',
  'sessionHandle',
  'refreshTokenHash1',
  'parentRefreshTokenHash1',
  'antiCsrfToken',
  'tId',
] as const satisfies readonly (keyof SessionClaims)[];

/** By version of the token. In version 4 a claim `rsub` is the app's. */
const own = { 4: ofBoth, 5: [...ofBoth, 'rsub'] } as const satisfies Record<
  TokenVersion,
  readonly (keyof SessionClaims)[]
>;

/** Whether an app's payload has a claim that is the session's in a token of this version. */
export function holdsOwnClaim(payload: Payload, version: TokenVersion): boolean {
  return own[version].some((claim) => Object.hasOwn(payload, claim));
}

const signAsync = promisify(sign);

/** Signs in a thread: about a millisecond, which would block the event loop. */
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

export function signAccessToken(
  key: SigningKey,
  payload: Payload,
  claims: SessionClaims,
  version: TokenVersion,
): Promise<string> {
  const { rsub, ...others } = claims;
  const shown = version === 4 ? others : { ...others, rsub };
  return signJwt(key, { ...payload, ...shown }, { version: String(version) });
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export interface OpenedAccessToken {
  readonly kid: string;
  readonly version: TokenVersion;
  readonly claims: SessionClaims;
  /** The app's claims. */
  readonly payload: Payload;
  isSignedBy(publicKey: KeyObject): boolean;
}

/** @returns undefined for text that is not an access token; the signature is not verified yet */
export function openAccessToken(text: string): OpenedAccessToken | undefined {
  const parts = text.split('.');
  const [head = '', body = '', signature = ''] = parts;
  if (parts.length !== 3) return undefined;
  const header = decoded(head);
  const all = decoded(body);
  if (header?.alg !== 'RS256' || typeof header.kid !== 'string' || all === undefined) return undefined;
  const version = versionOf(header, all);
  const claims = claimsOf(all, version);
  if (claims === undefined) return undefined;
  const isOwn = new Set<string>(own[version]);
  return {
    kid: header.kid,
    version,
    claims,
    payload: Object.fromEntries(Object.entries(all).filter(([name]) => !isOwn.has(name))),
    isSignedBy: (publicKey) =>
      verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url')),
  };
}

/** A token that POST /recipe/jwt made with the claims of a session has no version in its header: its claims show the form. */
function versionOf(header: Record<string, unknown>, claims: Record<string, unknown>): TokenVersion {
  if (header.version === undefined) return Object.hasOwn(claims, 'rsub') ? 5 : 4;
  return header.version === '4' ? 4 : 5;
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

const texts = ['sub', 'tId', 'sessionHandle', 'refreshTokenHash1'] as const;
const times = ['iat', 'exp'] as const;
const textsOrNull = ['parentRefreshTokenHash1', 'antiCsrfToken'] as const;

/** A token of version 4 names the user only, so its login method is read as the user. */
function claimsOf(all: Record<string, unknown>, version: TokenVersion): SessionClaims | undefined {
  const rsub = version === 4 ? all.sub : all.rsub;
  const isWhole =
    typeof rsub === 'string' &&
    texts.every((claim) => typeof all[claim] === 'string') &&
    times.every((claim) => Number.isSafeInteger(all[claim])) &&
    textsOrNull.every((claim) => all[claim] === null || typeof all[claim] === 'string');
  return isWhole
    ? ({
        ...Object.fromEntries(ofBoth.map((claim) => [claim, all[claim]])),
        rsub,
      } as unknown as SessionClaims)
    : undefined;
}

/** @param spki DER, as it is stored */
export function publicKeyOf(spki: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
}
