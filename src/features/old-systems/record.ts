import type { LegacySource, Tenant, User } from '../../domain/model.ts';
import { spellEmail } from '../../domain/email.ts';
import type { LegacyPerson } from './dialect.ts';
import { externalIdOf } from './identity.ts';

/** Data of the person that is here already. */
export interface Known {
  readonly user: User | undefined;
  readonly hasMetadata: boolean;
  readonly hasRoles: boolean;
}

/**
 * The record of a person whose password was right, for an import: by the typed email, with the mark that the user has or gets.
 * Names and roles are stated only if the user has none, so that an export remains their source.
 */
export function recordOf(
  tenant: Tenant,
  source: LegacySource,
  { email, person, known }: { readonly email: string; readonly person: LegacyPerson; readonly known: Known },
): object {
  const { isVerified, metadata, roles, secondFactors, requiredActions } = person;
  const isSameEmail = spellEmail(person.email ?? email) === email;
  return {
    externalUserId: externalIdOf(source, person),
    userMetadata: known.hasMetadata ? undefined : metadata,
    userRoles: known.hasRoles ? undefined : roles?.map((role) => ({ role, tenantIds: [tenant.tenantId] })),
    secondFactors,
    requiredActions,
    loginMethods: [
      {
        recipeId: 'emailpassword',
        email,
        legacy: source.name,
        tenantIds: tenantsOf(known.user, email) ?? [tenant.tenantId],
        // The flag does not apply to another address.
        isVerified: isVerified === true && isSameEmail,
      },
    ],
  };
}

function tenantsOf(user: User | undefined, email: string): readonly string[] | undefined {
  return user?.loginMethods.find((each) => each.recipeId === 'emailpassword' && each.email === email)
    ?.tenantIds;
}

/** The remains of a rejected record: its identity and its restrictions. */
export function bareRecord(record: object): object {
  return { ...record, externalUserId: undefined, userMetadata: undefined, userRoles: undefined };
}
