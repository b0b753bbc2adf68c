/** Resource owner password credentials of Microsoft Entra ID, and of Azure AD B2C by an ROPC policy. */
import { spellEmail } from '../../../domain/email.ts';
import type { Dialect, LegacyPerson } from '../dialect.ts';
import { right, rightButSecondFactor, unexpected, wrong } from '../dialect.ts';
import { type Json, jsonOf, perhapsJson, present, textIn } from '../json.ts';
import { claimsIn, form, personOf } from '../openid.ts';

/**
 * AADSTS codes about one user: wrong password, unknown, no password at all, disabled, and a password that has expired or has to
 * be changed. 50053 is not one of these: it is returned for a locked user, and for a distrusted address, which may be the core's.
 */
const refusing = [50_126, 50_034, 50_056, 50_057, 50_020, 50_064, 50_055, 50_144, 50_135];
/** A second factor or its registration is required, after the password was found right. */
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
  if (answer.status === 200) return right(entraPerson(jsonOf(answer), email));
  const json = perhapsJson(answer);
  const codes = codesOf(json);
  if (codes.length === 0 && textIn(json, 'error') === 'invalid_grant') return wrong;
  if (codes.some((code) => afterPassword.includes(code))) return rightButSecondFactor;
  if (codes.some((code) => refusing.includes(code))) return wrong;
  throw unexpected(answer);
};

/** AADB2C codes about one user: wrong pair, unknown user, locked user. */
const refusingOfPolicies = ['90225', '90052', '90053', '90054', '90111', '90114'];

/**
 * A wrong pair is `access_denied` or `invalid_grant`, by the policy. An error of the service itself may look the same: its code
 * distinguishes them. Custom policies answer `invalid_grant` with their own text.
 */
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
  if (answer.status === 200) return right(b2cPerson(jsonOf(answer)));
  const json = perhapsJson(answer);
  const [, code] = /AADB2C(\d{5})\b/.exec(textIn(json, 'error_description') ?? '') ?? [];
  const isWrong =
    code === undefined ? textIn(json, 'error') === 'invalid_grant' : refusingOfPolicies.includes(code);
  if (answer.status === 400 && isWrong) return wrong;
  throw unexpected(answer);
};

function codesOf({ error_codes: codes }: Json): number[] {
  return Array.isArray(codes) ? codes.filter((code): code is number => typeof code === 'number') : [];
}

/**
 * `oid` is the user's id in the directory; `sub` differs for each application, and no import has it. A sign-in name is an email
 * whose domain the directory has verified, and need not be the address for mail.
 */
function entraPerson(token: Json, asked: string): LegacyPerson {
  const claims = claimsIn(token);
  const names = ['email', 'upn', 'preferred_username'].flatMap((name) => textIn(claims, name) ?? []);
  const email = names.find((each) => spellEmail(each) === asked) ?? names[0];
  return present({ ...personOf(claims), id: textIn(claims, 'oid'), email });
}

/** Policies state the email as a list, and the id as `oid` or as `sub`. */
function b2cPerson(token: Json): LegacyPerson {
  const claims = claimsIn(token);
  const [email] = Array.isArray(claims.emails) ? (claims.emails as unknown[]) : [];
  const id = textIn(claims, 'oid');
  return {
    ...personOf(typeof email === 'string' ? { email, ...claims } : claims),
    ...(id !== undefined && { id }),
  };
}
