import type { Tenant, User } from '../../domain/model.ts';
import type { Stores } from '../ports/ports.ts';
import type { Caller, SignInOperations } from './sign-in.ts';

/** What another system receives about one of our users. */
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

/** Another system asks about our users, as ours asks old ones: users who move on, or back, are served as well. */
export interface HookOperations {
  /** The user with an email and password who is known by this email or id. */
  find(tenant: Tenant, emailOrId: string): Promise<HookUser | undefined>;
  /**
   * As checkPassword: at the price and in the time of a sign-in, and counted as one guess. A user who may not sign in here is wrong.
   * @throws Refusal as a sign-in
   */
  check(tenant: Tenant, pair: Pair, caller: Caller): Promise<HookUser | 'wrong' | 'unknown'>;
}

export function hookOperations(
  { users }: Pick<Stores, 'users'>,
  { checkPassword }: Pick<SignInOperations, 'checkPassword'>,
): HookOperations {
  const byEmail = async (tenant: Tenant, email: string): Promise<HookUser | undefined> => {
    const found = await users.findUsersByAccountInfo(tenant, { email }, false);
    return found.map((user) => asHookUser(user, tenant, email)).find((user) => user !== undefined);
  };
  return {
    async find(tenant, emailOrId) {
      if (emailOrId.includes('@')) return byEmail(tenant, emailOrId.toLowerCase());
      const user = await users.findUser(tenant.appNo, emailOrId);
      return user && asHookUser(user, tenant);
    },

    async check(tenant, pair, caller) {
      const { status } = await checkPassword(tenant, pair, caller);
      const user = await byEmail(tenant, pair.email);
      return status === 'OK' && user !== undefined ? user : user === undefined ? 'unknown' : 'wrong';
    },
  };
}

/** @param email which of the user's, where there are several */
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
