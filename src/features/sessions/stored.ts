import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { SessionInputs } from './schema.ts';
import type { SessionRef, SessionsOfUser } from './model.ts';
import type { TokenVersion } from './access-token.ts';
import { handleText, parseHandle } from './handle.ts';
import { noSession, requireFreePayload, type SessionContext } from './context.ts';

type NoSession = typeof noSession;

export interface SessionDetails {
  readonly status: 'OK';
  readonly sessionHandle: string;
  readonly userId: string;
  readonly recipeUserId: string;
  readonly userDataInDatabase: object;
  readonly userDataInJWT: object;
  /** Of the refresh token, and when the session began: ms since the epoch. */
  readonly expiry: number;
  readonly timeCreated: number;
  readonly tenantId: string;
}

export interface StoredSessionOperations {
  find(tenant: Tenant, query: SessionInputs['session']): Promise<SessionDetails | NoSession>;
  putData(tenant: Tenant, input: SessionInputs['putSessionData']): Promise<{ status: 'OK' } | NoSession>;
  /** @param version of the future tokens, 5 by default */
  putJwtData(
    tenant: Tenant,
    input: SessionInputs['putJwtData'],
    version?: TokenVersion,
  ): Promise<{ status: 'OK' } | NoSession>;
  list(
    tenant: Tenant,
    query: SessionInputs['listSessions'],
  ): Promise<{ status: 'OK'; sessionHandles: string[] }>;
  remove(
    tenant: Tenant,
    input: SessionInputs['removeSessions'],
  ): Promise<{ status: 'OK'; sessionHandlesRevoked: string[] }>;
}

/** Sessions by their handles and by their users. */
export function storedSessionOperations({ sessions, now }: SessionContext): StoredSessionOperations {
  const change = async (
    { appNo }: Tenant,
    text: string,
    what: { readonly jwtPayload?: string; readonly data?: string },
  ) => {
    const handle = parseHandle(text);
    const isChanged = handle && (await sessions.change({ appNo, id: handle.id, now: now(), ...what }));
    return isChanged === true ? ({ status: 'OK' } as const) : noSession;
  };
  return {
    async find({ appNo }, { sessionHandle }) {
      const handle = parseHandle(sessionHandle);
      const found = handle && (await sessions.find(appNo, handle.id));
      if (found === undefined || found.tenantId !== handle?.tenantId || found.expiresAt < now())
        return noSession;
      const { userId, recipeUserId, expiresAt: expiry, createdAt: timeCreated, tenantId } = found;
      return {
        status: 'OK',
        sessionHandle,
        userId,
        recipeUserId,
        userDataInDatabase: JSON.parse(found.data) as object,
        userDataInJWT: JSON.parse(found.jwtPayload) as object,
        expiry,
        timeCreated,
        tenantId,
      };
    },

    putData: (tenant, { sessionHandle, userDataInDatabase }) =>
      change(tenant, sessionHandle, { data: JSON.stringify(userDataInDatabase) }),

    putJwtData(tenant, { sessionHandle, userDataInJWT }, version = 5) {
      requireFreePayload(userDataInJWT, version);
      return change(tenant, sessionHandle, { jwtPayload: JSON.stringify(userDataInJWT) });
    },

    async list(tenant, query) {
      const { userId, fetchAcrossAllTenants = true, fetchSessionsForAllLinkedAccounts = true } = query;
      const which = sessionsOf(tenant, userId, fetchAcrossAllTenants, fetchSessionsForAllLinkedAccounts);
      return { status: 'OK', sessionHandles: texts(await sessions.list(which, now())) };
    },

    async remove(tenant, input) {
      requireOneOf(input);
      const { userId, sessionHandles = [] } = input;
      const { revokeAcrossAllTenants = true, revokeSessionsForLinkedAccounts = true } = input;
      const removed =
        userId === undefined
          ? await sessions.remove(
              tenant.appNo,
              sessionHandles.flatMap((text) => parseHandle(text) ?? []),
            )
          : await sessions.removeOfUser(
              sessionsOf(tenant, userId, revokeAcrossAllTenants, revokeSessionsForLinkedAccounts),
            );
      return { status: 'OK', sessionHandlesRevoked: texts(removed) };
    },
  };
}

function sessionsOf(
  { appNo, tenantNo }: Tenant,
  userId: string,
  isAcrossTenants: boolean,
  ofLinkedAccounts: boolean,
): SessionsOfUser {
  if (!isAcrossTenants) return { appNo, userId, ofLinkedAccounts, tenantNo };
  // As every operation of a whole app.
  if (tenantNo !== 0) throw new Refusal('APP_SPECIFIC_API');
  return { appNo, userId, ofLinkedAccounts };
}

/** @throws Refusal INVALID_FIELD */
function requireOneOf(input: SessionInputs['removeSessions']): void {
  if ((input.userId === undefined) === (input.sessionHandles === undefined))
    throw new Refusal('INVALID_FIELD', 'Invalid JSON input - use one of userId or sessionHandles array');
  if (input.userId !== undefined) return;
  for (const name of ['revokeAcrossAllTenants', 'revokeSessionsForLinkedAccounts'] as const)
    if (input[name] !== undefined)
      throw new Refusal('INVALID_FIELD', `Invalid JSON input - ${name} can only be set if userId is set`);
}

function texts(sessions: readonly SessionRef[]): string[] {
  return sessions.map(handleText);
}
