/** InitiateAuth and GetUser of Amazon Cognito user pools. */
import { createHmac } from 'node:crypto';
import type { Ask, Dialect, LegacyPerson, LegacyVerdict } from '../dialect.ts';
import { NoAnswer, right, rightButSecondFactor, unexpected, wrong } from '../dialect.ts';
import { claimsIn } from '../openid.ts';
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

/** The last two are for users who have to act at Cognito before it accepts any password. */
const refusing = [
  'NotAuthorizedException',
  'UserNotFoundException',
  'PasswordResetRequiredException',
  'UserNotConfirmedException',
];

/** Challenges that follow after the password was found right. Others, as of the flow USER_AUTH, may precede its check. */
const afterPassword = [
  'SMS_MFA',
  'EMAIL_MFA',
  'EMAIL_OTP',
  'SOFTWARE_TOKEN_MFA',
  'SELECT_MFA_TYPE',
  'MFA_SETUP',
];

export const cognito: Dialect = async (send, { url, options }, { email, password }) => {
  const { client_id: clientId = '', client_secret: secret } = options;
  const hash = secret === undefined ? {} : { SECRET_HASH: secretHash(email, clientId, secret) };
  const parameters = { USERNAME: email, PASSWORD: password, ...hash };
  const input = { AuthFlow: 'USER_PASSWORD_AUTH', ClientId: clientId, AuthParameters: parameters };
  const answer = await send(call(url, 'InitiateAuth', input));
  if (answer.status === 200) {
    const json = jsonOf(answer);
    const result = objectIn(json, 'AuthenticationResult');
    const token = textIn(result, 'AccessToken');
    if (token === undefined) return challenged(json);
    const idToken = claimsIn({ id_token: textIn(result, 'IdToken') });
    return right(await userOf(idToken, () => send(call(url, 'GetUser', { AccessToken: token }))));
  }
  if (answer.status === 400 && refusing.includes(errorOf(perhapsJson(answer)))) return wrong;
  throw unexpected(answer);
};

/** A code is required, or a password that is not a temporary one. */
function challenged(json: Json): LegacyVerdict {
  const name = textIn(json, 'ChallengeName');
  if (name === 'NEW_PASSWORD_REQUIRED')
    return right({
      ...newPerson(objectIn(json, 'ChallengeParameters')),
      requiredActions: ['UPDATE_PASSWORD'],
    });
  if (name !== undefined && afterPassword.includes(name)) return rightButSecondFactor;
  throw new NoAnswer('its answer has neither tokens nor a challenge that comes after the password');
}

/** For a user with a temporary password the attributes are JSON text, without the id. */
function newPerson(parameters: Json): LegacyPerson {
  try {
    const attributes: unknown = JSON.parse(textIn(parameters, 'userAttributes') ?? '');
    return isObject(attributes) ? personOf(attributes) : {};
  } catch {
    return {};
  }
}

function secretHash(username: string, clientId: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(username + clientId)
    .digest('base64');
}

function call(url: string, action: string, input: object): Ask {
  return {
    url: url.endsWith('/') ? url : `${url}/`,
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${action}`,
    },
    body: JSON.stringify(input),
  };
}

/** `__type` is a name, or one after a namespace and #. */
function errorOf(json: Json): string {
  return (textIn(json, '__type') ?? '').split('#').at(-1) ?? '';
}

/** @throws NoAnswer when neither the id token nor the answer identifies the user */
async function userOf(idToken: Json, get: () => ReturnType<Parameters<Dialect>[0]>): Promise<LegacyPerson> {
  const answer = await get().catch(() => undefined);
  const attributes = answer?.status === 200 ? attributesOf(perhapsJson(answer)) : {};
  const person = personOf({ ...idToken, ...attributes });
  if (person.id === undefined && person.email === undefined)
    throw new NoAnswer('it let a user in and did not say which one');
  return person;
}

function attributesOf({ UserAttributes: list }: Json): Json {
  const pairs = (Array.isArray(list) ? list : []).filter(isObject);
  return Object.fromEntries(pairs.map((pair) => [textIn(pair, 'Name') ?? '', pair.Value]));
}

function personOf(attributes: Json): LegacyPerson {
  return present({
    id: textIn(attributes, 'sub'),
    email: textIn(attributes, 'email'),
    isVerified: flagIn(attributes, 'email_verified'),
    metadata: some(attributes, 'name', 'given_name', 'family_name', 'phone_number', 'locale'),
  });
}
