import type { SealedProvider } from '../../operations/ports/providers.ts';
import type { Resealing } from '../../operations/ports/sealed.ts';
import { sealedPurposes } from '../../process/sealer.ts';
import type { Query } from '../../database/database.ts';

interface TenantRow {
  readonly appNo: number;
  readonly tenantNo: number;
  readonly providers: readonly SealedProvider[];
}

const withProviders = `
  select t.app_no as "appNo", t.tenant_no as "tenantNo", t.providers from tenants t where t.providers <> '[]'
  order by t.app_no, t.tenant_no
  for no key update`;

const keep = `
  update tenants set providers = $3::text::jsonb where app_no = $1::int and tenant_no = $2::int`;

/** @returns number of resealed configurations */
export async function resealProviders(query: Query, { keyId, again }: Resealing): Promise<number> {
  let count = 0;
  for (const { appNo, tenantNo, providers } of await query<TenantRow>(withProviders)) {
    const resealed = providers.map(({ id, sealed }) => {
      const former = Buffer.from(sealed, 'base64');
      if (former.toString('hex', 1, 5) === keyId) return { id, sealed };
      count++;
      const place = { purpose: sealedPurposes.provider, appNo, row: `${tenantNo}/${id}` };
      return { id, sealed: Buffer.from(again({ ...place, sealed: former })).toString('base64') };
    });
    await query(keep, [appNo, tenantNo, JSON.stringify(resealed)]);
  }
  return count;
}
