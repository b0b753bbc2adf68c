/** The password migration hook of Ory Kratos. */
import type { Dialect } from '../dialect.ts';
import { NoAnswer, right, unexpected, wrong } from '../dialect.ts';
import { jsonOf, textIn } from '../json.ts';
import { keyHeader, postJson } from './requests.ts';

/** 200 with `password_match` is right; 403, and 200 with another status, wrong. */
export const kratos: Dialect = async (send, { url, options }, { email, password }) => {
  const answer = await send(postJson(url, { identifier: email, password }, keyHeader(options)));
  if (answer.status === 403) return wrong;
  if (answer.status !== 200) throw unexpected(answer);
  const status = textIn(jsonOf(answer), 'status');
  if (status === undefined) throw new NoAnswer('its answer has no status');
  return status === 'password_match' ? right() : wrong;
};
