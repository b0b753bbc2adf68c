/** The password import inline hook of Okta. */
import { randomUUID } from 'node:crypto';
import type { Dialect, Question } from '../dialect.ts';
import { NoAnswer, right, unexpected, wrong } from '../dialect.ts';
import { isObject, jsonOf, objectIn, textIn } from '../json.ts';
import { keyHeader, postJson } from './requests.ts';

/** 204 means that the credential stays unverified, as in the request. */
export const okta: Dialect = async (send, { url, options }, question) => {
  const answer = await send(postJson(url, eventOf(url, question), keyHeader(options)));
  if (answer.status === 204) return wrong;
  if (answer.status !== 200) throw unexpected(answer);
  const { commands } = jsonOf(answer);
  if (!Array.isArray(commands)) throw new NoAnswer('its answer has no commands');
  const updates = commands
    .filter(isObject)
    .filter((each) => textIn(each, 'type') === 'com.okta.action.update');
  return updates.some((each) => textIn(objectIn(each, 'value'), 'credential') === 'VERIFIED')
    ? right()
    : wrong;
};

function eventOf(url: string, { email, password, now, address }: Question): object {
  const request = { id: randomUUID(), method: 'POST', url: { value: url }, ipAddress: address ?? '' };
  return {
    eventId: randomUUID(),
    eventTime: new Date(now).toISOString(),
    eventType: 'com.okta.user.credential.password.import',
    eventTypeVersion: '1.0',
    contentType: 'application/json',
    cloudEventVersion: '0.1',
    source: url,
    data: {
      context: { request, credential: { username: email, password } },
      action: { credential: 'UNVERIFIED' },
    },
  };
}
