/** The request of FusionAuth's generic connector, answered with its user. */
import type { Dialect, LegacyPerson } from '../dialect.ts';
import { NoAnswer, right, unexpected, wrong } from '../dialect.ts';
import { flagIn, isObject, type Json, jsonOf, objectIn, present, some, textIn, textsIn } from '../json.ts';
import { keyHeader, postJson } from './requests.ts';

/** 404 means that user name or password is wrong, without distinction. */
export const fusionauth: Dialect = async (send, { url, options }, { email, password, address }) => {
  const body = {
    applicationId: options.application_id ?? '',
    eventInfo: { ipAddress: address ?? '' },
    loginId: email,
    password,
    newDevice: true,
    noJWT: true,
  };
  const answer = await send(postJson(url, body, keyHeader(options)));
  if (answer.status === 404) return wrong;
  if (answer.status !== 200) throw unexpected(answer);
  const json = jsonOf(answer);
  if (!isObject(json.user)) throw new NoAnswer('its answer has no user');
  const user = json.user;
  return flagIn(user, 'active') === false ? wrong : right(personOf(user, options.application_id));
};

function personOf(user: Json, applicationId: string | undefined): LegacyPerson {
  const registrations = Array.isArray(user.registrations) ? user.registrations.filter(isObject) : [];
  const own = registrations.find((each) => textIn(each, 'applicationId') === applicationId);
  const { methods } = objectIn(user, 'twoFactor');
  const names = some(user, 'username', 'firstName', 'lastName', 'fullName', 'birthDate', 'mobilePhone');
  return present({
    id: textIn(user, 'id'),
    email: textIn(user, 'email'),
    isVerified: flagIn(user, 'verified'),
    metadata: { ...objectIn(user, 'data'), ...names },
    roles: own && textsIn(own, 'roles'),
    secondFactors: Array.isArray(methods) && methods.length > 0 ? ['other'] : undefined,
    requiredActions: flagIn(user, 'passwordChangeRequired') === true ? ['UPDATE_PASSWORD'] : undefined,
  });
}
