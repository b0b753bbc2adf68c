/** Auth0's token endpoint by its password-realm grant, and its userinfo. */
import type { Dialect } from '../dialect.ts';
import { right, rightButSecondFactor, unexpected, wrong } from '../dialect.ts';
import { jsonOf } from '../json.ts';
import { errorOf, personOf, userInfo } from '../openid.ts';
import { postJson, under } from './requests.ts';

/** A wrong pair, a blocked user, and a leaked password that has to be changed. */
const refusing = ['invalid_grant', 'invalid_user_password', 'unauthorized', 'password_leaked'];
/** These follow after the password was found right. */
const afterPassword = ['mfa_required', 'mfa_registration_required'];

/** 429 `too_many_attempts` may concern an account or the core's address: it is not an answer. */
export const auth0: Dialect = async (send, { url, options }, { email, password, address }) => {
  const body = {
    grant_type: 'http://auth0.com/oauth/grant-type/password-realm',
    client_id: options.client_id,
    client_secret: options.client_secret,
    realm: options.connection,
    audience: options.audience,
    scope: 'openid profile email',
    username: email,
    password,
  };
  // Without it, Auth0 counts the guesses of all users against the core's own address.
  const forwarded = address === undefined ? {} : { 'auth0-forwarded-for': address };
  const answer = await send(postJson(under(url, 'oauth/token'), body, forwarded));
  if (answer.status === 200)
    return right(personOf(await userInfo(send, under(url, 'userinfo'), jsonOf(answer))));
  const error = errorOf(answer);
  if (afterPassword.includes(error)) return rightButSecondFactor;
  if ((answer.status === 403 || answer.status === 401) && refusing.includes(error)) return wrong;
  throw unexpected(answer);
};
