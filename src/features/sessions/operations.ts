import { removeInAll } from '../../store/expired-rows.ts';
import type { FeatureParts } from '../feature.ts';
import { type SessionIssuer, sessionIssuer } from './begin.ts';
import type { SessionContext } from './context.ts';
import { create, type CreateOperations } from './create.ts';
import { jwtOperations, type JwtOperations } from './jwts.ts';
import { SessionKeys } from './keys/keys.ts';
import { refresh, type RefreshOperations } from './refresh.ts';
import { removeExpiredSessions } from './store/expired.ts';
import { sessionStore } from './store/store.ts';
import { signingKeyStore } from './store/signing-keys.ts';
import { storedSessionOperations, type StoredSessionOperations } from './stored.ts';
import { regenerate, verify, type VerifyOperations } from './verify.ts';

export interface SessionOperations
  extends CreateOperations, RefreshOperations, VerifyOperations, StoredSessionOperations, JwtOperations {
  readonly issuer: SessionIssuer;
  /** @returns how many sessions it removed */
  removeExpired(): Promise<number>;
}

export function openSessions({ context, openStores, databases }: FeatureParts): SessionOperations {
  const { now, sealer, activity } = context;
  const own: SessionContext = {
    sessions: openStores(({ batches, live }) => sessionStore(batches, live)),
    keys: new SessionKeys({ store: openStores(({ live }) => signingKeyStore(live)), sealer, now }),
    now,
    activity,
  };
  return {
    create: (tenant, input, version = 5) => create(own, tenant, input, version),
    refresh: (tenant, input, version = 5) => refresh(own, tenant, input, version),
    verify: (tenant, input) => verify(own, tenant, input),
    regenerate: (tenant, input) => regenerate(own, tenant, input),
    ...storedSessionOperations(own),
    ...jwtOperations(own),
    issuer: sessionIssuer(own),
    removeExpired: () => removeInAll(databases, removeExpiredSessions, now()),
  };
}
