import { createHmac } from 'node:crypto';
import type { ExpressSessionSource, Tenant } from '../../../domain/model.ts';
import type { CarryStore } from '../model.ts';
import { findToken } from '../opaque.ts';
import type { OpenedToken } from '../opened-token.ts';
import { CarryRefused } from '../refused.ts';
import { cookieValue, isSame, unescaped } from './values.ts';

/** The id may have full stops itself. */
const form = /^s:(.+)\.([\w+/]{43})$/s;

/**
 * The cookie of express-session does not hold a session, but its signed id, which was imported as a token. The same id is signed
 * again when the application changes its secret, so the fingerprint is the id.
 * @throws CarryRefused
 */
export async function openExpressSession(
  store: CarryStore,
  tenant: Tenant,
  source: ExpressSessionSource,
  token: string,
): Promise<OpenedToken> {
  const value = unescaped(cookieValue(token, source.cookie) ?? token);
  const [, id = '', signature = ''] = form.exec(value) ?? [];
  if (id === '') throw new CarryRefused('not-a-token');
  const given = Buffer.from(signature);
  if (!source.secrets.some((secret) => isSame(signatureOf(secret, id), given)))
    throw new CarryRefused('signature');
  return findToken(store, tenant, source, id);
}

/** Base64 without padding, as text. */
function signatureOf(secret: string, id: string): Buffer {
  return Buffer.from(createHmac('sha256', secret).update(id).digest('base64').replace(/=+$/, ''));
}
