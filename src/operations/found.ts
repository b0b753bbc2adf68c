import { Refusal } from '../errors.ts';
import type { Tenant, User } from '../model.ts';
import type { UserStore } from './ports.ts';

/** The tenant was removed between the request's look-up and its write; nothing was written. */
export function goneTenant(): Refusal {
  return new Refusal('APP_OR_TENANT_NOT_FOUND');
}

/**
 * A user who was there when the statement before this one committed.
 * @throws Error when the user was removed in between: rare enough to be asked again by the caller
 */
export async function requireUser(users: UserStore, tenant: Tenant, userId: string): Promise<User> {
  const user = await users.findUser(tenant.appNo, userId);
  if (!user) throw new Refusal('OVERLOADED', 'The user was removed at the same time: try again');
  return user;
}
