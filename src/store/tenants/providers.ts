import type { Tenant } from '../../domain/model.ts';
import type { ProviderStore, SealedProvider } from '../../operations/ports/providers.ts';
import type { Database, Query } from '../../database/database.ts';

const lock = `
  select t.providers from tenants t where t.app_no = $1::int and t.tenant_no = $2::int for no key update`;

const keep = `
  update tenants set providers = $3::text::jsonb where app_no = $1::int and tenant_no = $2::int`;

/** Providers of tenants, a list in each tenant's row. */
export function providerStore(database: Database): ProviderStore {
  return {
    put: (tenant, provider) =>
      database.transaction(async (query) => {
        const stored = await locked(query, tenant);
        if (!stored) return undefined;
        const isThere = stored.some(({ id }) => id === provider.id);
        const changed = stored.map((each) => (each.id === provider.id ? provider : each));
        await write(query, tenant, isThere ? changed : [...stored, provider]);
        return { created: !isThere };
      }),
    remove: (tenant, id) =>
      database.transaction(async (query) => {
        const stored = (await locked(query, tenant)) ?? [];
        const left = stored.filter((each) => each.id !== id);
        if (left.length < stored.length) await write(query, tenant, left);
        return left.length < stored.length;
      }),
  };
}

async function locked(
  query: Query,
  { appNo, tenantNo }: Tenant,
): Promise<readonly SealedProvider[] | undefined> {
  return (await query<{ providers: SealedProvider[] }>(lock, [appNo, tenantNo]))[0]?.providers;
}

async function write(query: Query, { appNo, tenantNo }: Tenant, list: readonly SealedProvider[]) {
  await query(keep, [appNo, tenantNo, JSON.stringify(list)]);
}
