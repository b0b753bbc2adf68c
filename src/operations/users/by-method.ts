import type { LoginMethod, RecipeId, Tenant, ThirdPartyId, User } from '../../domain/model.ts';
import type { OperationsContext } from '../context.ts';
import { spellPhone } from './phone.ts';

/** Criteria for a login method: its id in the app, or its identity in the tenant. */
export type MethodSought =
  | { readonly userId: string }
  | { readonly email: string }
  | { readonly phoneNumber: string }
  | { readonly thirdParty: ThirdPartyId };

/** A user with the login method that was found. */
export interface FoundMethod {
  readonly user: User;
  readonly recipeUserId: string;
}

export interface MethodOperations {
  /** Only a login method of this recipe matches, not another one of the user. */
  findMethod(tenant: Tenant, recipeId: RecipeId, sought: MethodSought): Promise<FoundMethod | undefined>;
  /** All login methods of the recipe with this normalised email in the tenant. */
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
