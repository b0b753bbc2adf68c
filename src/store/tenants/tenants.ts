import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type {
  FactorsChange,
  FactorsDecision,
  TenantFactors,
  TenantRecord,
  TenantStore,
} from '../../operations/ports/ports.ts';
import {
  type CoreConfigChange,
  mergeCoreConfig,
  resolveTenantSettings,
} from '../../config/tenant-settings.ts';
import type { Database, Query } from '../../database/database.ts';
import { movingMessage } from '../../database/sqlstate.ts';
import { lockApp, removeApp, removeTenant } from '../removal/remove-tenant.ts';
import type { Sealer } from '../../process/sealer.ts';
import { requireRules, type TenantRules } from './rules.ts';
import { openConfig, sealConfig, type StoredConfig } from './sealed-config.ts';
import { RecentCache, usualTtlMs } from '../recent-cache.ts';

interface FoundRow {
  readonly held: boolean;
  readonly app_no: number;
  readonly tenant_no: number;
  readonly app_config: StoredConfig;
  readonly tenant_config: StoredConfig;
  readonly first_factors: readonly string[] | null;
  readonly required_secondary_factors: readonly string[] | null;
}

const find = `
  select t.app_no, t.tenant_no, p.core_config as app_config, t.core_config as tenant_config,
    t.first_factors, t.required_secondary_factors, a.held
  from apps a
  join tenants t on t.app_no = a.app_no and t.tenant_id = $2
  join tenants p on p.app_no = a.app_no and p.tenant_no = 0
  where a.app_id = $1`;

const list = `
  select a.app_id, t.app_no, t.tenant_no, t.tenant_id, t.core_config, t.providers, t.first_factors,
    t.required_secondary_factors
  from apps a join tenants t using (app_no)
  where ($1::text is null or a.app_id = $1) and ($2::text is null or t.tenant_id = $2)
  order by a.app_no, t.tenant_no`;

interface ListedRow extends Pick<TenantRecord, 'providers'> {
  readonly app_id: string;
  readonly app_no: number;
  readonly tenant_no: number;
  readonly tenant_id: string;
  readonly core_config: StoredConfig;
  readonly first_factors: readonly string[] | null;
  readonly required_secondary_factors: readonly string[] | null;
}

/** One statement removes all users, possibly millions. */
const removing = { statementTimeoutMs: 1_800_000 };

/** The rows here only follow those of another place, or are about to. */
export class HeldApp extends Refusal {
  constructor() {
    super('DATABASE_UNAVAILABLE', movingMessage);
  }
}

/** Tenants of the apps in one place. */
export interface TenantsOfPlace extends Omit<TenantStore, 'putApp'> {
  /** @param appNo drawn by the first place; without it, this one draws it */
  putApp(
    appId: string,
    change: CoreConfigChange,
    factors?: FactorsChange,
    appNo?: number,
  ): Promise<{ created: boolean }>;
}

/** @param ttlMs for how long a tenant is used without being read again */
export function tenantStore(database: Database, rules: TenantRules, ttlMs = usualTtlMs): TenantsOfPlace {
  const { defaults, sealer } = rules;
  const { read } = database;
  const cache = new RecentCache<Tenant>(ttlMs);
  const changed = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } finally {
      cache.clear(); // an app's settings are those of all its tenants
    }
  };
  return {
    // Ids have no slash.
    find: (appId, tenantId) => cache.find(`${appId}/${tenantId}`, () => load(appId, tenantId)),
    putApp: (appId, change, factors = {}, appNo) =>
      changed(database.transaction((tx) => putApp(tx, { appId, appNo }, { change, factors, rules }))),
    putTenant: (appId, tenantId, change, factors = {}) =>
      changed(database.transaction((tx) => putTenant(tx, appId, tenantId, { change, factors, rules }))),
    get: async (appId, tenantId) => (await records(appId, tenantId))[0],
    listTenants: (appId) => records(appId),
    listApps: async () => byApp(await read<ListedRow>(list, [null, null]), sealer),
    removeTenant: (appId, tenantId) =>
      changed(database.transaction((tx) => removeTenant(tx, appId, tenantId), removing)),
    removeApp: (appId) => changed(database.transaction((tx) => removeApp(tx, appId), removing)),
  };

  async function load(appId: string, tenantId: string): Promise<Tenant | undefined> {
    const [row] = await read<FoundRow>(find, [appId, tenantId]);
    if (!row) return undefined;
    if (row.held) throw new HeldApp();
    const appNo = row.app_no;
    const ofApp = openConfig(row.app_config, { appNo, tenantId: 'public' }, sealer);
    const own = openConfig(row.tenant_config, { appNo, tenantId }, sealer);
    const settings = resolveTenantSettings(defaults, ofApp, own);
    return { appId, tenantId, appNo, tenantNo: row.tenant_no, settings, ...factorsOf(row) };
  }

  async function records(appId: string, tenantId?: string): Promise<TenantRecord[]> {
    return byApp(await read<ListedRow>(list, [appId, tenantId ?? null]), sealer)[0]?.tenants ?? [];
  }
}

function byApp(
  rows: readonly ListedRow[],
  sealer: Sealer | undefined,
): { appId: string; tenants: TenantRecord[] }[] {
  const apps = new Map<string, TenantRecord[]>();
  for (const row of rows) {
    const tenants = apps.get(row.app_id) ?? [];
    const { tenant_id: tenantId, app_no: appNo, tenant_no: tenantNo, core_config: config, providers } = row;
    const coreConfig = openConfig(config, { appNo, tenantId }, sealer);
    tenants.push({ tenantId, appNo, tenantNo, coreConfig, providers, factors: factorsOf(row) });
    apps.set(row.app_id, tenants);
  }
  return [...apps].map(([appId, tenants]) => ({ appId, tenants }));
}

type FactorsRow = Pick<ListedRow, 'first_factors' | 'required_secondary_factors'>;

function factorsOf({
  first_factors: first,
  required_secondary_factors: required,
}: FactorsRow): TenantFactors {
  return {
    ...(first && { firstFactors: first }),
    ...(required && { requiredSecondaryFactors: required }),
  };
}

interface Said {
  readonly change: CoreConfigChange;
  readonly factors: FactorsChange | FactorsDecision;
  readonly rules: TenantRules;
}

interface NamedApp {
  readonly appId: string;
  /** Undefined: drawn here. */
  readonly appNo: number | undefined;
}

async function putApp(query: Query, { appId, appNo }: NamedApp, said: Said): Promise<{ created: boolean }> {
  const [app] =
    appNo === undefined
      ? await query<{ app_no: number }>(
          'insert into apps (app_id) values ($1) on conflict do nothing returning app_no',
          [appId],
        )
      : await query<{ app_no: number }>(
          'insert into apps (app_no, app_id) values ($1, $2) on conflict do nothing returning app_no',
          [appNo, appId],
        );
  if (app) {
    await query(`insert into tenants (app_no, tenant_no, tenant_id) values ($1, 0, 'public')`, [app.app_no]);
  }
  await putTenant(query, appId, 'public', said);
  return { created: app !== undefined };
}

/** Cores that create or change tenants of an app lock the app's row. */
async function putTenant(
  query: Query,
  appId: string,
  tenantId: string,
  { change, factors, rules }: Said,
): Promise<{ created: boolean }> {
  const [app] = await query<{ app_no: number }>(lockApp, [appId]);
  if (!app) return { created: false };
  const place = { appNo: app.app_no, tenantId };
  const [stored] = await query<{ core_config: StoredConfig }>(
    'select core_config from tenants where app_no = $1 and tenant_id = $2 for update',
    [app.app_no, tenantId],
  );
  if (!stored) await query(makeTenant, [app.app_no, tenantId]);
  const merged = mergeCoreConfig(openConfig(stored?.core_config ?? {}, place, rules.sealer), change);
  await requireRules(query, app.app_no, merged, rules);
  await query('update tenants set core_config = $3::text::jsonb where app_no = $1 and tenant_id = $2', [
    app.app_no,
    tenantId,
    JSON.stringify(sealConfig(merged, place, rules.sealer)),
  ]);
  const decided = typeof factors === 'function' ? factors(await factorsNow(query, place)) : factors;
  await setFactors(query, place, decided);
  return { created: !stored };
}

async function factorsNow(
  query: Query,
  { appNo, tenantId }: { readonly appNo: number; readonly tenantId: string },
): Promise<TenantFactors> {
  const [row] = await query<FactorsRow>(
    'select first_factors, required_secondary_factors from tenants where app_no = $1 and tenant_id = $2',
    [appNo, tenantId],
  );
  return row === undefined ? {} : factorsOf(row);
}

/** An empty list of required secondary factors counts as unset; an empty list of first factors allows no sign-in. */
async function setFactors(
  query: Query,
  { appNo, tenantId }: { readonly appNo: number; readonly tenantId: string },
  { firstFactors, requiredSecondaryFactors: required }: FactorsChange,
): Promise<void> {
  const set = (column: string, factors: readonly string[] | null): Promise<unknown> =>
    query(`update tenants set ${column} = $3::text::jsonb where app_no = $1 and tenant_id = $2`, [
      appNo,
      tenantId,
      factors && JSON.stringify(factors),
    ]);
  if (firstFactors !== undefined) await set('first_factors', firstFactors);
  if (required !== undefined)
    await set('required_secondary_factors', required?.length === 0 ? null : required);
}

const makeTenant = `
  with numbered as (
    update apps set next_tenant_no = next_tenant_no + 1 where app_no = $1 returning next_tenant_no - 1 as tenant_no
  )
  insert into tenants (app_no, tenant_no, tenant_id, first_factors) select $1, tenant_no, $2, '[]' from numbered`;
