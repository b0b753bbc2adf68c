/** Resource owner password credentials of Microsoft Entra ID, and of Azure AD B2C by an ROPC policy. */
import type { Dialect } from '../dialect.ts';
import { right, rightButSecondFactor, unexpected, wrong } from '../dialect.ts';
import { type Json, jsonOf, perhapsJson, textIn } from '../json.ts';
import { claimsIn, form, personOf } from '../openid.ts';

/** Wrong password, unknown user, no password at all, user disabled: AADSTS error codes. */
const refusing = [50_126, 50_034, 50_056, 50_057];
/** A second factor or its registration is asked for, which comes after the password was found right. */
const afterPassword = [50_076, 50_079, 50_074, 50_072, 50_158];

export const entra: Dialect = async (send, { url, options }, { email, password }) => {
  const answer = await send(
    form(url, {
      grant_type: 'password',
      client_id: options.client_id,
      client_secret: options.client_secret,
      scope: 'openid profile email',
      username: email,
      password,
    }),
  );
  if (answer.status === 200) return right(personIn(jsonOf(answer)));
  const json = perhapsJson(answer);
  const codes = codesOf(json);
  if (codes.length === 0 && textIn(json, 'error') === 'invalid_grant') return wrong;
  if (codes.some((code) => afterPassword.includes(code))) return rightButSecondFactor;
  if (codes.some((code) => refusing.includes(code))) return wrong;
  throw unexpected(answer);
};

/** The policy answers `invalid_grant` or `access_denied` with AADB2C90225 for a wrong pair. */
export const b2c: Dialect = async (send, { url, options }, { email, password }) => {
  const { client_id: clientId = '', client_secret: secret } = options;
  const answer = await send(
    form(url, {
      grant_type: 'password',
      client_id: clientId,
      client_secret: secret,
      scope: `openid ${clientId}`,
      response_type: 'token id_token',
      username: email,
      password,
    }),
  );
  if (answer.status === 200) return right(personIn(jsonOf(answer)));
  const json = perhapsJson(answer);
  const error = textIn(json, 'error');
  const isWrong =
    error === 'invalid_grant' || (textIn(json, 'error_description') ?? '').includes('AADB2C90225');
  if (answer.status === 400 && isWrong) return wrong;
  throw unexpected(answer);
};

function codesOf({ error_codes: codes }: Json): number[] {
  return Array.isArray(codes) ? codes.filter((code): code is number => typeof code === 'number') : [];
}

/** `oid` is the user's id in the directory; `sub` is another one for each application. */
function personIn(token: Json): ReturnType<typeof personOf> {
  const claims = claimsIn(token);
  const [email] = Array.isArray(claims.emails) ? (claims.emails as unknown[]) : [];
  const id = textIn(claims, 'oid');
  return {
    ...personOf(typeof email === 'string' ? { email, ...claims } : claims),
    ...(id !== undefined && { id }),
  };
}
