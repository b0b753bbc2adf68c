/** Parts of the dialects that speak OAuth 2.0: RFC 6749, sections 4.3 and 5.2, and OpenID Connect Core, section 5.1. */
import type { WireAnswer } from '../../operations/ports/outgoing.ts';
import { type Ask, type LegacyPerson, NoAnswer, type Send } from './dialect.ts';
import { flagIn, isObject, type Json, jsonOf, perhapsJson, present, some, textIn } from './json.ts';

/** A form; fields that are undefined are left out. */
export function form(url: string, fields: Readonly<Record<string, string | undefined>>): Ask {
  const body = new URLSearchParams();
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) body.set(key, value);
  return { url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: body.toString() };
}

export function errorOf(answer: WireAnswer): string {
  return textIn(perhapsJson(answer), 'error') ?? '';
}

const names = ['name', 'given_name', 'family_name', 'nickname', 'preferred_username', 'picture', 'locale'];

/** The standard claims; all are optional. */
export function personOf(claims: Json): LegacyPerson {
  return present({
    id: textIn(claims, 'sub'),
    email: textIn(claims, 'email'),
    isVerified: flagIn(claims, 'email_verified'),
    metadata: some(claims, ...names),
  });
}

/**
 * Requests the claims of the access token's user, and adds them to those of the id token.
 * @throws NoAnswer when neither identifies the user: a right password of an unknown user proves nothing
 */
export async function userInfo(send: Send, url: string, token: Json): Promise<Json> {
  const claims = { ...claimsIn(token), ...(await answeredClaims(send, url, textIn(token, 'access_token'))) };
  if (textIn(claims, 'sub') === undefined && textIn(claims, 'email') === undefined)
    throw new NoAnswer('it let a user in and did not say which one: the client needs the scope openid');
  return claims;
}

/** The password was right, so a useless answer counts as an empty one. */
async function answeredClaims(send: Send, url: string, access: string | undefined): Promise<Json> {
  if (access === undefined) return {};
  try {
    const answer = await send({ method: 'GET', url, headers: { authorization: `Bearer ${access}` } });
    return answer.status === 200 ? jsonOf(answer) : {};
  } catch {
    return {};
  }
}

/**
 * The claims of the id token that came with an access token. It came from the token endpoint itself over TLS, so its signature
 * need not be checked: OpenID Connect Core, section 3.1.3.7, number 6.
 */
export function claimsIn(token: Json): Json {
  const [, payload = ''] = (textIn(token, 'id_token') ?? '').split('.');
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
