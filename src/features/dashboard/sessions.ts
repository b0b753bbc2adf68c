import { randomUUID } from 'node:crypto';
import { widestLimits } from '../../config/tenant-settings.ts';
import { halfDigest } from '../../domain/digests.ts';
import type { Tenant } from '../../domain/model.ts';
import type { DashboardInputs } from './schema.ts';
import type { DashboardContext } from './context.ts';
import type { Caller } from '../../operations/sign-in/sign-in.ts';
import { countedGuess, type Guess } from '../../operations/sign-in/guess.ts';

interface SessionView {
  readonly userId: string;
  readonly sessionId: string;
  /** ms since the epoch */
  readonly timeCreated: number;
  readonly expiry: number;
}

type SignedIn = { readonly status: 'OK'; readonly sessionId: string } | WrongCredentials;

interface WrongCredentials {
  readonly status: 'INVALID_CREDENTIALS_ERROR';
}

/**
 * Signing in to the dashboard. The id that opens a session is returned once. Its digest is stored, the handle, which is listed
 * instead and also ends the session, but opens nothing.
 */
export interface DashboardSessionOperations {
  signIn(tenant: Tenant, input: DashboardInputs['dashboardSignIn'], caller?: Caller): Promise<SignedIn>;
  verifySession(
    tenant: Tenant,
    input: DashboardInputs['verifyDashboardSession'],
  ): Promise<{ status: 'OK'; email: string } | { status: 'INVALID_SESSION_ERROR' }>;
  endSession(tenant: Tenant, query: DashboardInputs['dashboardSession']): Promise<{ status: 'OK' }>;
  listSessions(
    tenant: Tenant,
    query: DashboardInputs['dashboardSessions'],
  ): Promise<{ status: 'OK'; sessions: SessionView[] }>;
}

const lifetimeMs = 2_592_000_000;
const wrong: WrongCredentials = { status: 'INVALID_CREDENTIALS_ERROR' };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** These hashes are made here, by the policy: a ceiling for imported ones must not lock operators out. */
const secrets = { signerKey: undefined, pepper: undefined, limits: widestLimits };

export function dashboardSessionOperations(context: DashboardContext): DashboardSessionOperations {
  const { now } = context;
  const store = context.dashboardSessions;
  return {
    signIn: (tenant, input, caller = {}) => counted(context, tenant, input, caller),

    async verifySession({ appNo }, { sessionId }) {
      const email = await store.find(appNo, halfDigest(sessionId), now());
      return email === undefined ? { status: 'INVALID_SESSION_ERROR' } : { status: 'OK', email };
    },

    async endSession({ appNo }, { sessionId }) {
      await store.end(appNo, [halfDigest(sessionId), ...(uuid.test(sessionId) ? [sessionId] : [])]);
      return { status: 'OK' };
    },

    async listSessions({ appNo }, { userId }) {
      const sessions = await store.list(appNo, userId, now());
      const shown = sessions.map(({ handle, createdAt, expiresAt, ...rest }) => ({
        userId: rest.userId,
        sessionId: handle,
        timeCreated: createdAt,
        expiry: expiresAt,
      }));
      return { status: 'OK', sessions: shown };
    },
  };
}

/** Counted like a guess at a user's password, before anything is looked up. */
async function counted(
  context: DashboardContext,
  tenant: Tenant,
  input: DashboardInputs['dashboardSignIn'],
  { address, signal }: Caller,
): Promise<SignedIn> {
  context.hasher.requireRoom({ party: tenant.appNo });
  const { appNo } = tenant;
  const account = `dashboard ${appNo} ${input.email}`;
  const verify = async (guess: Guess | undefined) => {
    await guess?.learn();
    return signIn(context, tenant, input, signal);
  };
  return countedGuess(context.throttle, { appNo, account, address }, verify, ({ status }) => status === 'OK');
}

/** An unknown email costs the same as a known one. */
async function signIn(
  { dashboardSessions, hasher, now }: DashboardContext,
  { appNo }: Tenant,
  { email, password }: DashboardInputs['dashboardSignIn'],
  signal: AbortSignal | undefined,
): Promise<SignedIn> {
  const { user, neighbour } = await dashboardSessions.findCredential(appNo, email);
  const isRight = user
    ? await hasher.verify(password, user.passwordHash, secrets, { signal, party: appNo })
    : await hasher.verifyDecoy(password, neighbour, secrets, { signal, party: appNo });
  if (!user || !isRight) return wrong;
  const sessionId = randomUUID();
  const createdAt = now();
  const expiresAt = createdAt + lifetimeMs;
  const handle = halfDigest(sessionId);
  const isOpen = await dashboardSessions.open({ appNo, handle, ...user, email, createdAt, expiresAt });
  return isOpen ? { status: 'OK', sessionId } : wrong;
}
