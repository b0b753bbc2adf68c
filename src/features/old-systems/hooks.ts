import type { Tenant, User } from '../../domain/model.ts';
import type { Stores } from '../../operations/ports/ports.ts';
import type { Operations } from '../../operations/operations.ts';
import type { Caller } from '../../operations/sign-in/sign-in.ts';

/** The data that another system receives about one of our users. */
export interface HookUser {
  readonly id: string;
  readonly email: string;
  readonly isVerified: boolean;
  /** ms since the epoch */
  readonly timeJoined: number;
}

interface Pair {
  readonly email: string;
  readonly password: string;
}

/** Another system asks about our users, as ours asks old ones: for users who move on, or back. */
export interface HookOperations {
  /** The user with an email and password who has this email or id. */
  find(tenant: Tenant, emailOrId: string): Promise<HookUser | undefined>;
  /**
   * As checkPassword: at the price and in the time of a sign-in, and counted as one guess. A user who may not sign in here is
   * wrong.
   * @throws Refusal as a sign-in
   */
  check(tenant: Tenant, pair: Pair, caller: Caller): Promise<HookUser | 'wrong' | 'unknown'>;
}

/** Looks up users for the answers to hooks. */
export interface UserLookup {
  findByEmail(tenant: Tenant, email: string): Promise<HookUser | undefined>;
  /** By the id that callers know the user by. */
  findById(tenant: Tenant, id: string): Promise<HookUser | undefined>;
}

export function userLookup({ users }: Pick<Stores, 'users'>): UserLookup {
  return {
    async findByEmail(tenant, email) {
      const found = await users.findUsersByAccountInfo(tenant, { email }, false);
      return found.map((user) => asHookUser(user, tenant, email)).find((user) => user !== undefined);
    },

    async findById(tenant, id) {
      const user = await users.findUser(tenant.appNo, id);
      return user && asHookUser(user, tenant);
    },
  };
}

/** @param heart verifies the password as for a sign-in */
export function hookOperations(lookup: UserLookup, heart: Pick<Operations, 'passwords'>): HookOperations {
  return {
    find: (tenant, emailOrId) =>
      emailOrId.includes('@')
        ? lookup.findByEmail(tenant, emailOrId.toLowerCase())
        : lookup.findById(tenant, emailOrId),

    async check(tenant, pair, caller) {
      const { status } = await heart.passwords.checkPassword(tenant, pair, caller);
      const user = await lookup.findByEmail(tenant, pair.email);
      return status === 'OK' && user !== undefined ? user : user === undefined ? 'unknown' : 'wrong';
    },
  };
}

/** @param email which of the user's, if there are several */
function asHookUser(user: User, { tenantId }: Tenant, email?: string): HookUser | undefined {
  const method = user.loginMethods.find(
    (each) =>
      each.recipeId === 'emailpassword' &&
      each.tenantIds.includes(tenantId) &&
      (email === undefined || each.email === email),
  );
  if (method?.email === undefined) return undefined;
  return {
    id: user.id,
    email: method.email,
    isVerified: method.verified,
    timeJoined: user.timeJoined,
  };
}
