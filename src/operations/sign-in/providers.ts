import type { Tenant } from '../../domain/model.ts';
import { sealedPurposes, type Sealer } from '../../process/sealer.ts';
import type { PutProviderInput, RemoveProviderInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { SealedProvider } from '../ports/ports.ts';
import { goneTenant } from '../users/removals.ts';
import { type ProviderConfig, providerConfig, requireProvider } from './provider-config.ts';

export interface ProviderOperations {
  put(tenant: Tenant, input: PutProviderInput): Promise<{ status: 'OK'; createdNew: boolean }>;
  remove(tenant: Tenant, input: RemoveProviderInput): Promise<{ status: 'OK'; didConfigExist: boolean }>;
}

/** Providers of a tenant. The core only stores them; the SDK talks to them. */
export function providerOperations({ stores, sealer }: OperationsContext): ProviderOperations {
  return {
    async put(tenant, { config, skipValidation = false }) {
      const kept = providerConfig(config);
      if (!skipValidation) requireProvider(config);
      const id = kept.thirdPartyId;
      const sealed = sealer.seal(placeOf(tenant, id), Buffer.from(JSON.stringify(kept))).toString('base64');
      const put = await stores.providers.put(tenant, { id, sealed });
      if (!put) throw goneTenant();
      return { status: 'OK', createdNew: put.created };
    },
    async remove(tenant, { thirdPartyId }) {
      return { status: 'OK', didConfigExist: await stores.providers.remove(tenant, thirdPartyId.trim()) };
    },
  };
}

type TenantNumbers = Pick<Tenant, 'appNo' | 'tenantNo'>;

/** Binds sealed bytes to their tenant. */
function placeOf({ appNo, tenantNo }: TenantNumbers, id: string) {
  return { purpose: sealedPurposes.provider, appNo, row: `${tenantNo}/${id}` };
}

export function openProviders(
  sealer: Sealer,
  tenant: TenantNumbers & { readonly providers: readonly SealedProvider[] },
): ProviderConfig[] {
  return tenant.providers.map(({ id, sealed }) => {
    const opened = sealer.open(placeOf(tenant, id), Buffer.from(sealed, 'base64'));
    return JSON.parse(opened.toString()) as ProviderConfig;
  });
}
