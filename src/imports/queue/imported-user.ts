import type { Tenant, User } from '../../domain/model.ts';
import type { AccountInfo, TenantStore, UserStore } from '../../operations/ports/ports.ts';
import type { NativeLoginMethod, NativeUser } from '../record/native-record.ts';

export interface ImportedUserStores {
  readonly users: Pick<UserStore, 'findUser' | 'findUsersByAccountInfo'>;
  readonly tenants: Pick<TenantStore, 'find'>;
}

/**
 * Finds the user of a record, by its external id, or else by its primary or first login method.
 * @param record one that has just been imported, so it is valid
 * @returns undefined when the user was removed or changed since
 */
export async function findImportedUser(
  { users, tenants }: ImportedUserStores,
  tenant: Tenant,
  record: NativeUser,
): Promise<User | undefined> {
  if (record.externalUserId !== undefined) return users.findUser(tenant.appNo, record.externalUserId.trim());
  const method = record.loginMethods.find(({ isPrimary }) => isPrimary === true) ?? record.loginMethods[0];
  const tenantId = method?.tenantIds?.[0]?.toLowerCase() ?? 'public';
  const where = await tenants.find(tenant.appId, tenantId);
  if (!where || !method) return undefined;
  const info = accountInfoOf(method);
  const found = await users.findUsersByAccountInfo(where, info, false);
  // An email alone may be that of a social user, too.
  return found.find(({ loginMethods }) =>
    loginMethods.some(
      (each) => each.recipeId === method.recipeId && (info.email === undefined || each.email === info.email),
    ),
  );
}

function accountInfoOf(method: NativeLoginMethod): AccountInfo {
  if (method.recipeId === 'thirdparty') {
    return { thirdParty: { id: method.thirdPartyId, userId: method.thirdPartyUserId } };
  }
  if (method.recipeId === 'emailpassword') return { email: method.email.trim().toLowerCase() };
  const { email, phoneNumber } = method;
  if (email !== undefined) return { email: email.trim().toLowerCase() };
  return phoneNumber === undefined ? {} : { phoneNumber: phoneNumber.trim() };
}
