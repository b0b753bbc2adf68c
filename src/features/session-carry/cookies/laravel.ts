import { createHmac } from 'node:crypto';
import type { LaravelSource, Tenant } from '../../../domain/model.ts';
import { openPayload } from '../../../hashes/parts/laravel-payload.ts';
import type { CarryStore } from '../model.ts';
import { findToken } from '../opaque.ts';
import type { OpenedToken } from '../opened-token.ts';
import { CarryRefused } from '../refused.ts';
import { cookieValue, isSame, unescaped } from './values.ts';

/** `remember_<guard>_<SHA-1 of the guard's class>` */
const rememberName = /(?:^|;\s*)(remember_[\w-]{1,64}_[\da-f]{40})=/;

export interface LaravelCookie {
  readonly tenant: Tenant;
  readonly source: LaravelSource;
  /** The value of the session's cookie, or the Cookie header. */
  readonly token: string;
  /** ms since the epoch */
  readonly now: number;
}

/**
 * The cookies of Laravel do not hold a session, but the session's id and the remember token of a user. Both were
 * imported as tokens. The remember cookie counts where the session has ended, as it does there.
 * @throws CarryRefused
 */
export async function openLaravel(store: CarryStore, cookie: LaravelCookie): Promise<OpenedToken> {
  const name = rememberName.exec(cookie.token)?.[1];
  if (name === undefined) return openSession(store, cookie);
  const session = await openSession(store, cookie).catch((error: unknown) => {
    if (error instanceof CarryRefused) return undefined;
    throw error;
  });
  const hasEnded = session?.expiresAt === undefined || session.expiresAt <= cookie.now;
  return hasEnded ? openRemembered(store, cookie, name) : session;
}

/** The cookie is sealed again with each answer, so its fingerprint is the id. */
async function openSession(
  store: CarryStore,
  { tenant, source, token }: LaravelCookie,
): Promise<OpenedToken> {
  const value = cookieValue(token, source.cookie) ?? token;
  return findToken(store, tenant, source, opened(source, source.cookie, value).text);
}

/**
 * `id|token|password hash`. All devices of a user have the same token, and each has a separate cookie, which is sealed once.
 */
async function openRemembered(
  store: CarryStore,
  { tenant, source, token }: LaravelCookie,
  name: string,
): Promise<OpenedToken> {
  const { text, sealed } = opened(source, name, cookieValue(token, name) ?? '');
  const [id = '', remember = ''] = text.split('|');
  if (id === '' || remember === '') throw new CarryRefused('not-a-token');
  const found = await findToken(store, tenant, source, remember);
  // An import may have added a prefix.
  if (!found.userId.endsWith(id)) throw new CarryRefused('unknown-token');
  return { ...found, fingerprint: sealed };
}

/** Opens a cookie and checks the MAC over its name, so that no other cookie of the app is accepted. */
function opened({ keys }: LaravelSource, name: string, value: string) {
  const payload = openPayload(unescaped(value), keys);
  if (payload === undefined) throw new CarryRefused('signature');
  const prefix = payload.text.slice(0, 41);
  const isOfThisName = keys.some((key) => isSame(Buffer.from(prefix), Buffer.from(prefixOf(name, key))));
  if (!isOfThisName) throw new CarryRefused('audience');
  return { ...payload, text: payload.text.slice(41) };
}

function prefixOf(name: string, key: Buffer): string {
  return `${createHmac('sha1', key).update(`${name}v2`).digest('hex')}|`;
}
