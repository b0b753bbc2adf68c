import type { LoginMethod, RecipeId, Tenant, ThirdPartyId, User } from '../../domain/model.ts';
import type { OperationsContext } from '../context.ts';
import { spellPhone } from './phone.ts';

/** By what a login method is sought: its id in the whole app, or what one signs in with in the tenant. */
export type MethodSought =
  | { readonly userId: string }
  | { readonly email: string }
  | { readonly phoneNumber: string }
  | { readonly thirdParty: ThirdPartyId };

/** A user, and which of the login methods was found. */
export interface FoundMethod {
  readonly user: User;
  readonly recipeUserId: string;
}

export interface MethodOperations {
  /** The login method of this recipe alone: another one of the same user does not count. */
  findMethod(tenant: Tenant, recipeId: RecipeId, sought: MethodSought): Promise<FoundMethod | undefined>;
  /** All login methods of the recipe with this email in the tenant; the email normalised. */
  findMethods(tenant: Tenant, recipeId: RecipeId, email: string): Promise<readonly FoundMethod[]>;
}

export function methodOperations({ stores: { users } }: OperationsContext): MethodOperations {
  const byContact = async (tenant: Tenant, recipeId: RecipeId, sought: Contact): Promise<FoundMethod[]> => {
    const found = await users.findUsersByAccountInfo(tenant, sought, false);
    return found.flatMap((user) =>
      user.loginMethods
        .filter((method) => method.recipeId === recipeId && isIn(method, tenant) && fits(method, sought))
        .map(({ recipeUserId }) => ({ user, recipeUserId })),
    );
  };
  return {
    async findMethod(tenant, recipeId, sought) {
      if ('userId' in sought) return byId(tenant, recipeId, sought.userId);
      return (await byContact(tenant, recipeId, spelt(sought)))[0];
    },

    findMethods: (tenant, recipeId, email) => byContact(tenant, recipeId, { email }),
  };

  async function byId(
    { appNo }: Tenant,
    recipeId: RecipeId,
    userId: string,
  ): Promise<FoundMethod | undefined> {
    const method = await users.findLoginMethod(appNo, userId);
    if (method?.recipeId !== recipeId) return undefined;
    const user = await users.findUser(appNo, method.userId);
    const ids = [userId, method.shownId];
    const found = user?.loginMethods.find(
      (each) => each.recipeId === recipeId && ids.includes(each.recipeUserId),
    );
    return user && found && { user, recipeUserId: found.recipeUserId };
  }
}

type Contact = Exclude<MethodSought, { userId: string }>;

function spelt(sought: Contact): Contact {
  return 'phoneNumber' in sought ? { phoneNumber: spellPhone(sought.phoneNumber) } : sought;
}

function isIn({ tenantIds }: LoginMethod, { tenantId }: Tenant): boolean {
  return tenantIds.includes(tenantId);
}

function fits(method: LoginMethod, sought: Contact): boolean {
  if ('email' in sought) return method.email === sought.email;
  if ('phoneNumber' in sought) return method.phoneNumber === sought.phoneNumber;
  return (
    method.thirdParty?.id === sought.thirdParty.id && method.thirdParty.userId === sought.thirdParty.userId
  );
}
