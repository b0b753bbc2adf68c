/** InitiateAuth and GetUser of Amazon Cognito user pools. */
import { createHmac } from 'node:crypto';
import type { Ask, Dialect, LegacyPerson, LegacyVerdict } from '../dialect.ts';
import { NoAnswer, right, rightButSecondFactor, unexpected, wrong } from '../dialect.ts';
import { isObject, type Json, jsonOf, objectIn, perhapsJson, present, some, textIn } from '../json.ts';

/** The last two are of people whom Cognito lets in with no password until they have done something there. */
const refusing = [
  ...['NotAuthorizedException', 'UserNotFoundException'],
  ...['PasswordResetRequiredException', 'UserNotConfirmedException'],
];

/** Challenges that come after the password was found right. Others, as of the flow USER_AUTH, may come before it is looked at. */
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
    const token = textIn(objectIn(json, 'AuthenticationResult'), 'AccessToken');
    if (token !== undefined)
      return right(await userOf(() => send(call(url, 'GetUser', { AccessToken: token }))));
    return challenged(textIn(json, 'ChallengeName'));
  }
  if (answer.status === 400 && refusing.includes(errorOf(perhapsJson(answer)))) return wrong;
  throw unexpected(answer);
};

/** A code is asked for, or a password that is not a temporary one. */
function challenged(name: string | undefined): LegacyVerdict {
  if (name === 'NEW_PASSWORD_REQUIRED') return right({ requiredActions: ['UPDATE_PASSWORD'] });
  if (name !== undefined && afterPassword.includes(name)) return rightButSecondFactor;
  throw new NoAnswer('its answer has neither tokens nor a challenge that comes after the password');
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

/** `__type` is a name, or one behind a namespace and #. */
function errorOf(json: Json): string {
  return (textIn(json, '__type') ?? '').split('#').at(-1) ?? '';
}

/** The password was right: without an answer nothing is known but that. */
async function userOf(get: () => ReturnType<Parameters<Dialect>[0]>): Promise<LegacyPerson> {
  try {
    const answer = await get();
    return answer.status === 200 ? personOf(attributesOf(jsonOf(answer))) : {};
  } catch {
    return {};
  }
}

function attributesOf({ UserAttributes: list }: Json): Json {
  const pairs = (Array.isArray(list) ? list : []).filter(isObject);
  return Object.fromEntries(pairs.map((pair) => [textIn(pair, 'Name') ?? '', pair.Value]));
}

function personOf(attributes: Json): LegacyPerson {
  const verified = textIn(attributes, 'email_verified');
  return present({
    id: textIn(attributes, 'sub'),
    email: textIn(attributes, 'email'),
    isVerified: verified === undefined ? undefined : verified === 'true',
    metadata: some(attributes, 'name', 'given_name', 'family_name', 'phone_number', 'locale'),
  });
}
