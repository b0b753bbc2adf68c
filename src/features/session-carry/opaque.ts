import { createHash } from 'node:crypto';
import type { SessionSource, Tenant } from '../../domain/model.ts';
import type { CarryStore } from './model.ts';
import { type OpenedToken, userIdOf } from './opened-token.ts';
import { CarryRefused } from './refused.ts';

/** Finds a token by its imported digest. @throws CarryRefused */
export async function findToken(
  store: CarryStore,
  tenant: Tenant,
  { name }: Pick<SessionSource, 'name'>,
  token: string,
): Promise<OpenedToken> {
  const digest = createHash('sha256').update(token).digest('hex');
  const found = await store.findOpaque({ tenant, source: name, digest });
  if (!found) throw new CarryRefused('unknown-token');
  return {
    userId: userIdOf(found.userId),
    fingerprint: token,
    // The token is at least as old as its import. It may be older, so any change of its user here ends it.
    issuedAt: found.issuedAt ?? found.importedAt,
    isIssueKnown: found.issuedAt !== undefined,
    expiresAt: found.expiresAt,
    authTime: undefined,
    amr: undefined,
  };
}
