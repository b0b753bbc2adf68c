/** accounts:signInWithPassword of Firebase's Identity Toolkit. */
import type { Dialect, LegacyPerson, LegacyVerdict } from '../dialect.ts';
import { NoAnswer, right, unexpected, wrong } from '../dialect.ts';
import {
  flagIn,
  isObject,
  type Json,
  jsonOf,
  objectIn,
  perhapsJson,
  present,
  some,
  textIn,
} from '../json.ts';
import { postJson, under } from './requests.ts';

/** The last two: an email that is invalid for Firebase, and a password that its policy does not accept. */
const refusing = [
  'INVALID_LOGIN_CREDENTIALS',
  'INVALID_PASSWORD',
  'EMAIL_NOT_FOUND',
  'USER_DISABLED',
  'INVALID_EMAIL',
  'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
];

/** A second factor is required after the password was found right: then there is a pending credential and no token. */
export const firebase: Dialect = async (send, { url, options }, { email, password }) => {
  const key = new URLSearchParams({ key: options.api_key ?? '' }).toString();
  const at = (method: string) => `${under(url, `v1/accounts:${method}`)}?${key}`;
  const answer = await send(postJson(at('signInWithPassword'), { email, password, returnSecureToken: true }));
  if (answer.status !== 200) {
    // A message may have a reason after its code: "INVALID_PASSWORD : …".
    const [code = ''] = (textIn(objectIn(perhapsJson(answer), 'error'), 'message') ?? '').split(/[ :]/);
    if (answer.status === 400 && refusing.includes(code)) return wrong;
    throw unexpected(answer);
  }
  const signedIn = jsonOf(answer);
  const idToken = textIn(signedIn, 'idToken');
  if (idToken === undefined) return secondFactorOf(signedIn);
  return right(personOf(signedIn, await lookUp(() => send(postJson(at('lookup'), { idToken })))));
};

function secondFactorOf(signedIn: Json): LegacyVerdict {
  if (textIn(signedIn, 'mfaPendingCredential') !== undefined)
    return right({ ...personOf(signedIn, {}), secondFactors: ['other'] });
  throw new NoAnswer('its answer has neither a token nor a pending credential');
}

async function lookUp(ask: () => ReturnType<Parameters<Dialect>[0]>): Promise<Json> {
  try {
    const { users } = perhapsJson(await ask());
    const [user] = Array.isArray(users) ? (users as unknown[]) : [];
    return isObject(user) ? user : {};
  } catch {
    return {};
  }
}

function personOf(signedIn: Json, user: Json): LegacyPerson {
  return present({
    id: textIn(signedIn, 'localId'),
    email: textIn(signedIn, 'email'),
    isVerified: flagIn(user, 'emailVerified'),
    metadata: some({ ...signedIn, ...user }, 'displayName', 'photoUrl'),
  });
}
