import { randomUUID } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { DashboardInputs } from './schema.ts';
import type { DashboardContext } from './context.ts';
import type { DashboardUser, DashboardUserRef } from './model.ts';
import { goneTenant } from '../../operations/users/removals.ts';
import { faultOfCredentials, type InvalidEmail, type WeakPassword } from './credentials.ts';

type Written =
  | { readonly status: 'OK'; readonly user: DashboardUser }
  | { readonly status: 'EMAIL_ALREADY_EXISTS_ERROR' }
  | InvalidEmail
  | WeakPassword;

/** People who operate an app by the dashboard. */
export interface DashboardUserOperations {
  /** @param signal aborted when the caller has disconnected: before the password is hashed, nothing is done then */
  addUser(tenant: Tenant, input: DashboardInputs['addDashboardUser'], signal?: AbortSignal): Promise<Written>;
  changeUser(
    tenant: Tenant,
    input: DashboardInputs['changeDashboardUser'],
    signal?: AbortSignal,
  ): Promise<Written | { status: 'UNKNOWN_USER_ERROR' }>;
  removeUser(
    tenant: Tenant,
    query: DashboardInputs['dashboardUser'],
  ): Promise<{ status: 'OK'; didUserExist: boolean }>;
  listUsers(tenant: Tenant): Promise<{ status: 'OK'; users: DashboardUser[] }>;
}

const emailTaken = { status: 'EMAIL_ALREADY_EXISTS_ERROR' } as const;

export function dashboardUserOperations({
  dashboardUsers: store,
  hasher,
  now,
}: DashboardContext): DashboardUserOperations {
  return {
    async addUser({ appNo }, { email, password }, signal) {
      const fault = faultOfCredentials(email, password);
      if (fault) return fault;
      const passwordHash = await hasher.hash(password, { signal, party: appNo });
      const user = { userId: randomUUID(), email, timeJoined: now() };
      const outcome = await store.add({ appNo, passwordHash, ...user });
      if (outcome === 'app-gone') throw goneTenant();
      return outcome === 'email-taken' ? emailTaken : { status: 'OK', user };
    },

    async changeUser({ appNo }, { newEmail, newPassword, ...named }, signal) {
      const email = newEmail ?? undefined;
      const password = newPassword ?? undefined;
      const fault = faultOfCredentials(email, password);
      if (fault) return fault;
      const ref = refOf(appNo, named);
      const passwordHash =
        password === undefined ? undefined : await hasher.hash(password, { signal, party: appNo });
      const outcome = await store.change(ref, { email, passwordHash });
      if (outcome === 'unknown-user') return { status: 'UNKNOWN_USER_ERROR' };
      return outcome === 'email-taken' ? emailTaken : { status: 'OK', user: outcome };
    },

    async removeUser({ appNo }, query) {
      return { status: 'OK', didUserExist: await store.remove(refOf(appNo, query)) };
    },

    async listUsers({ appNo }) {
      return { status: 'OK', users: await store.list(appNo) };
    },
  };
}

interface Named {
  readonly userId?: string | null | undefined;
  readonly email?: string | null | undefined;
}

/** The id takes precedence. @throws Refusal INVALID_FIELD when neither is given */
function refOf(appNo: number, { userId, email }: Named): DashboardUserRef {
  if (userId !== undefined && userId !== null) return { appNo, by: 'userId', value: userId };
  if (email !== undefined && email !== null) return { appNo, by: 'email', value: email };
  throw new Refusal('INVALID_FIELD', "Either field 'email' or 'userId' must be present");
}
