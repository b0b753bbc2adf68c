import { Refusal } from '../domain/errors.ts';
import type { Tenant } from '../domain/model.ts';
import type { PutAppInput, PutTenantInput, RemoveAppInput, RemoveTenantInput } from '../schema/requests.ts';
import {
  type CoreConfig,
  type CoreConfigChange,
  parseCoreConfig,
  presentCoreConfig,
} from '../config/tenant-settings.ts';
import type { OperationsContext } from './context.ts';
import type { FactorsChange, TenantFactors, TenantRecord } from './ports/ports.ts';

interface PresentedTenant extends TenantFactors {
  readonly tenantId: string;
  readonly thirdParty: { readonly providers: readonly [] };
  readonly coreConfig: CoreConfig;
}

export interface TenantOperations {
  putApp(tenant: Tenant, input: PutAppInput): Promise<{ status: 'OK'; createdNew: boolean }>;
  putTenant(tenant: Tenant, input: PutTenantInput): Promise<{ status: 'OK'; createdNew: boolean }>;
  getTenant(
    names: Pick<Tenant, 'appId' | 'tenantId'>,
  ): Promise<({ status: 'OK' } & PresentedTenant) | { status: 'TENANT_NOT_FOUND_ERROR' }>;
  listTenants(tenant: Tenant): Promise<{ status: 'OK'; tenants: PresentedTenant[] }>;
  listApps(tenant: Tenant): Promise<{ status: 'OK'; apps: { appId: string; tenants: PresentedTenant[] }[] }>;
  removeTenant(tenant: Tenant, input: RemoveTenantInput): Promise<{ status: 'OK'; didExist: boolean }>;
  removeApp(tenant: Tenant, input: RemoveAppInput): Promise<{ status: 'OK'; didExist: boolean }>;
}

/** An app's settings are those of its public tenant; its other tenants inherit them. */
export function tenantOperations({ stores: { tenants } }: OperationsContext): TenantOperations {
  return {
    async putApp(tenant, { appId, coreConfig, ...factors }) {
      requirePublicApp(tenant);
      const change = requireCoreConfig(coreConfig);
      const { created } = await tenants.putApp(appId, change, requireFactors(factors));
      return { status: 'OK', createdNew: created };
    },

    async putTenant({ appId }, { tenantId, coreConfig, ...factors }) {
      const change = requireCoreConfig(coreConfig);
      const { created } = await tenants.putTenant(appId, tenantId, change, requireFactors(factors));
      return { status: 'OK', createdNew: created };
    },

    async getTenant({ appId, tenantId }) {
      const record = await tenants.get(appId, tenantId);
      return record ? { status: 'OK', ...present(record) } : { status: 'TENANT_NOT_FOUND_ERROR' };
    },

    async listTenants({ appId }) {
      return { status: 'OK', tenants: (await tenants.listTenants(appId)).map(present) };
    },

    async listApps(tenant) {
      requirePublicApp(tenant);
      const apps = await tenants.listApps();
      return {
        status: 'OK',
        apps: apps.map((app) => ({ appId: app.appId, tenants: app.tenants.map(present) })),
      };
    },

    async removeTenant({ appId }, { tenantId }) {
      if (tenantId === 'public') throw new Refusal('PUBLIC_CANNOT_BE_REMOVED');
      return { status: 'OK', didExist: await tenants.removeTenant(appId, tenantId) };
    },

    async removeApp(tenant, { appId }) {
      requirePublicApp(tenant);
      if (appId === 'public') throw new Refusal('PUBLIC_CANNOT_BE_REMOVED');
      return { status: 'OK', didExist: await tenants.removeApp(appId) };
    },
  };
}

function requirePublicApp({ appId }: Tenant): void {
  if (appId !== 'public') throw new Refusal('PUBLIC_APP_ONLY');
}

function requireCoreConfig(raw: object = {}): CoreConfigChange {
  const parsed = parseCoreConfig(raw as Record<string, unknown>);
  if (!parsed.ok) throw new Refusal('INVALID_CORE_CONFIG', parsed.message);
  return parsed.value;
}

const factorName = /^[\w.()-]+$/;

/** @throws Refusal INVALID_FIELD for a name twice, or of other characters */
function requireFactors({ firstFactors, requiredSecondaryFactors }: FactorsChange): FactorsChange {
  const change = { firstFactors, requiredSecondaryFactors };
  for (const [field, factors] of Object.entries(change)) {
    if (!factors) continue;
    if (new Set(factors).size < factors.length)
      throw new Refusal('INVALID_FIELD', `${field} input should not contain duplicate values`);
    if (!factors.every((factor) => factorName.test(factor)))
      throw new Refusal('INVALID_FIELD', `${field} should contain only 0-9,a-z,A-Z,_,.,- characters`);
  }
  return change;
}

/** Factors that are not set are absent, not null: the SDK distinguishes them. */
function present({ tenantId, coreConfig, factors }: TenantRecord): PresentedTenant {
  return {
    tenantId,
    thirdParty: { providers: [] },
    ...factors,
    coreConfig: presentCoreConfig(coreConfig),
  };
}
