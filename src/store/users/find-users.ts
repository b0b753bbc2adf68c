import type { Tenant } from '../../domain/model.ts';
import type { AccountInfo } from '../../operations/ports/ports.ts';
import type { Query } from '../../database/database.ts';
import { identityKey, identityKind, thirdPartyKey } from '../../domain/identity.ts';

interface FoundRow {
  readonly criterion: string;
  readonly head: string;
}

/** Emails of social users are not identities: they are found by the users' own index. */
const byEmail = `
  select 'email' as criterion, coalesce(u.primary_user_id, u.user_id) as head
  from identities i join users u on u.app_no = i.app_no and u.user_id = i.user_id and u.email = $4
  where i.app_no = $1 and i.kind in (${identityKind.email}, ${identityKind.passwordlessEmail})
    and i.key = $3 and i.tenant_no = $2
  union all
  select 'email', coalesce(u.primary_user_id, u.user_id)
  from users u
  where u.app_no = $1 and u.recipe = 2 and u.email = $4
    and exists (select 1 from identities_of($1, u) i where i.tenant_no = $2)`;

const byIdentity = `
  select 'identity' as criterion, coalesce(u.primary_user_id, u.user_id) as head
  from identities i join users u on u.app_no = i.app_no and u.user_id = i.user_id
  where i.app_no = $1 and i.kind = $3 and i.key = $4 and i.tenant_no = $2`;

/** @returns the core's ids of the users of the tenant that match every given criterion, or any with `union` */
export async function findHeads(
  query: Query,
  tenant: Tenant,
  info: AccountInfo,
  union: boolean,
): Promise<string[]> {
  const sets = await Promise.all(searches(query, tenant, info));
  const heads = sets.map((rows) => new Set(rows.map((row) => row.head)));
  const combined = heads.reduce(
    (a, b) => (union ? a.union(b) : a.intersection(b)),
    heads[0] ?? new Set<string>(),
  );
  return [...combined].sort();
}

function searches(query: Query, { appNo, tenantNo }: Tenant, info: AccountInfo): Promise<FoundRow[]>[] {
  const { email, phoneNumber, thirdParty } = info;
  const found: Promise<FoundRow[]>[] = [];
  if (email !== undefined) found.push(query(byEmail, [appNo, tenantNo, identityKey(email), email]));
  if (phoneNumber !== undefined) {
    const key = identityKey(phoneNumber);
    found.push(query(byIdentity, [appNo, tenantNo, identityKind.passwordlessPhone, key]));
  }
  if (thirdParty) {
    const key = thirdPartyKey(thirdParty.id, thirdParty.userId);
    found.push(query(byIdentity, [appNo, tenantNo, identityKind.thirdParty, key]));
  }
  return found;
}
