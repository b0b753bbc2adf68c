import { Refusal } from '../domain/errors.ts';
import type { Tenant } from '../domain/model.ts';
import type {
  PutAppInput,
  PutTenantInput,
  RemoveAppInput,
  RemoveTenantInput,
  RecipeUserInput,
} from '../schema/requests.ts';
import {
  changeBy,
  type CoreConfig,
  type CoreConfigChange,
  hashLimitKeys,
  hashLimitsBy,
  parseCoreConfig,
  presentCoreConfig,
  type Setter,
} from '../config/tenant-settings.ts';
import type { Sealer } from '../process/sealer.ts';
import type { OperationsContext } from './context.ts';
import type {
  FactorsChange,
  FactorsDecision,
  TenantFactors,
  TenantRecord,
  TenantUserAdded,
} from './ports/ports.ts';
import type { ProviderConfig } from './sign-in/provider-config.ts';
import { openProviders } from './sign-in/providers.ts';
import { sharedInfoReason } from './users/linking.ts';
import { goneTenant } from './users/removals.ts';

/** Without the factors. */
interface TenantInput {
  readonly tenantId: string;
  readonly coreConfig?: object | undefined;
}

interface PresentedTenant extends TenantFactors {
  readonly tenantId: string;
  readonly thirdParty: { readonly providers: readonly ProviderConfig[] };
  readonly coreConfig: CoreConfig;
}

/** A status with its fields. */
interface TenantUserReply {
  readonly status: string;
  readonly [field: string]: unknown;
}

export interface TenantOperations {
  putApp(tenant: Tenant, input: PutAppInput): Promise<{ status: 'OK'; createdNew: boolean }>;
  putTenant(tenant: Tenant, input: PutTenantInput): Promise<{ status: 'OK'; createdNew: boolean }>;
  /** As putTenant, with factors that depend on the present ones. */
  putTenantBy(
    tenant: Tenant,
    input: TenantInput,
    decide: FactorsDecision,
  ): Promise<{ status: 'OK'; createdNew: boolean }>;
  getTenant(
    names: Pick<Tenant, 'appId' | 'tenantId'>,
  ): Promise<({ status: 'OK' } & PresentedTenant) | { status: 'TENANT_NOT_FOUND_ERROR' }>;
  listTenants(tenant: Tenant): Promise<{ status: 'OK'; tenants: PresentedTenant[] }>;
  listApps(
    tenant: Tenant,
  ): Promise<{ status: 'OK'; apps: { appId: string; place?: string; tenants: PresentedTenant[] }[] }>;
  removeTenant(tenant: Tenant, input: RemoveTenantInput): Promise<{ status: 'OK'; didExist: boolean }>;
  removeApp(tenant: Tenant, input: RemoveAppInput): Promise<{ status: 'OK'; didExist: boolean }>;
  addUser(tenant: Tenant, input: RecipeUserInput): Promise<TenantUserReply>;
  removeUser(tenant: Tenant, input: RecipeUserInput): Promise<TenantUserReply>;
}

/** An app's settings are those of its public tenant; the other tenants inherit them. */
export function tenantOperations(context: OperationsContext): TenantOperations {
  const { stores, sealer, now } = context;
  const { tenants, tenantUsers } = stores;
  const shown = (record: TenantRecord) => present(sealer, record);
  const putTenant = async (
    tenant: Tenant,
    { tenantId, coreConfig }: TenantInput,
    factors: FactorsChange | FactorsDecision,
  ) => {
    const { appId } = tenant;
    const change = requireCoreConfig(coreConfig, now(), setterOf(context, tenant));
    requireOwnKeys(change, { appId, tenantId });
    const { created } = await tenants.putTenant(appId, tenantId, change, factors);
    return { status: 'OK', createdNew: created } as const;
  };
  return {
    async putApp(tenant, { appId, coreConfig, place, ...factors }) {
      requirePublicApp(tenant);
      const change = requireCoreConfig(coreConfig, now(), { is: 'core' });
      requireOwnKeys(change, { appId, tenantId: 'public' });
      const { created } = await tenants.putApp(appId, change, requireFactors(factors), place);
      return { status: 'OK', createdNew: created };
    },

    putTenant: async (tenant, { tenantId, coreConfig, ...factors }) =>
      putTenant(tenant, { tenantId, coreConfig }, requireFactors(factors)),

    putTenantBy: (tenant, input, decide) =>
      putTenant(tenant, input, (current) => requireFactors(decide(current))),

    async getTenant({ appId, tenantId }) {
      const record = await tenants.get(appId, tenantId);
      return record ? { status: 'OK', ...shown(record) } : { status: 'TENANT_NOT_FOUND_ERROR' };
    },

    async listTenants({ appId }) {
      return { status: 'OK', tenants: (await tenants.listTenants(appId)).map(shown) };
    },

    async listApps(tenant) {
      requirePublicApp(tenant);
      const apps = await tenants.listApps();
      return { status: 'OK', apps: apps.map((app) => ({ ...app, tenants: app.tenants.map(shown) })) };
    },

    async removeTenant({ appId }, { tenantId }) {
      if (tenantId === 'public') throw publicTenantStays();
      return { status: 'OK', didExist: await tenants.removeTenant(appId, tenantId) };
    },

    async removeApp(tenant, { appId }) {
      requirePublicApp(tenant);
      if (appId === 'public') throw new Refusal('PUBLIC_CANNOT_BE_REMOVED');
      return { status: 'OK', didExist: await tenants.removeApp(appId) };
    },

    addUser: async (tenant, { recipeUserId }) => addedReply(await tenantUsers.add({ tenant, recipeUserId })),

    async removeUser(tenant, { recipeUserId }) {
      const outcome = await tenantUsers.remove({ tenant, recipeUserId });
      if (outcome === 'unknown-user') return addedReplies['unknown-user'];
      return { status: 'OK', wasAssociated: outcome === 'removed' };
    },
  };
}

const addedReplies = {
  'unknown-user': { status: 'UNKNOWN_USER_ID_ERROR' },
  'email-taken': { status: 'EMAIL_ALREADY_EXISTS_ERROR' },
  'phone-taken': { status: 'PHONE_NUMBER_ALREADY_EXISTS_ERROR' },
  'third-party-taken': { status: 'THIRD_PARTY_USER_ALREADY_EXISTS_ERROR' },
} as const;

function addedReply(added: TenantUserAdded): TenantUserReply {
  if (added.outcome === 'added') return { status: 'OK', wasAlreadyAssociated: added.wasThere };
  if (added.outcome === 'tenant-gone') throw goneTenant();
  if (added.outcome !== 'info-taken') return addedReplies[added.outcome];
  return { status: 'ASSOCIATION_NOT_ALLOWED_ERROR', reason: sharedInfoReason(added.info) };
}

function publicTenantStays(): Refusal {
  return new Refusal('PUBLIC_CANNOT_BE_REMOVED', 'Cannot delete public tenant, use remove app API instead');
}

/** @throws Refusal PUBLIC_APP_ONLY */
export function requirePublicApp({ appId }: Tenant): void {
  if (appId !== 'public') throw new Refusal('PUBLIC_APP_ONLY');
}

function requireCoreConfig(raw: object = {}, now: number, setter: Setter): CoreConfigChange {
  const parsed = parseCoreConfig(raw as Record<string, unknown>, now);
  const change = parsed.ok ? changeBy(setter, parsed.value) : parsed;
  if (!change.ok) throw new Refusal('INVALID_CORE_CONFIG', change.message);
  return change.value;
}

/** An app with its own keys accepts only those. */
function setterOf({ coreConfig }: OperationsContext, { settings }: Tenant): Setter {
  if (settings.apiKeys === undefined) return { is: 'core' };
  const { hashLimits: ofApp } = settings;
  const highest = hashLimitsBy((name) => Math.max(Number(coreConfig[hashLimitKeys[name]]), ofApp[name]));
  return { is: 'app', highest };
}

/** The public app uses the core's keys, or it could lock all callers out. */
function requireOwnKeys(
  { api_keys: keys }: CoreConfigChange,
  { appId, tenantId }: Pick<Tenant, 'appId' | 'tenantId'>,
): void {
  if (keys === undefined) return;
  const where = appId === 'public' ? "the core's own configuration" : 'the app, not in one of its tenants';
  if (appId === 'public' || tenantId !== 'public')
    throw new Refusal('INVALID_CORE_CONFIG', `Invalid core config: set 'api_keys' in ${where}`);
}

const factorName = /^[\w.()-]+$/;

/** @throws Refusal INVALID_FIELD for a repeated name, or one with other characters */
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

/** Factors that are not set are absent, not null, because the SDK distinguishes them. */
function present(sealer: Sealer, record: TenantRecord): PresentedTenant {
  const { tenantId, coreConfig, factors } = record;
  return {
    tenantId,
    thirdParty: { providers: openProviders(sealer, record) },
    ...factors,
    coreConfig: presentCoreConfig(coreConfig),
  };
}
