import { Refusal } from '../../domain/errors.ts';
import type { TenantSettings } from '../../domain/model.ts';
import { brokenTenantRule, type CoreConfig, resolveTenantSettings } from '../../config/tenant-settings.ts';
import type { Sealer } from '../../process/sealer.ts';
import { openConfig, type StoredConfig } from './sealed-config.ts';
import type { Query } from '../../database/database.ts';

export interface TenantRules {
  /** Used unless the app or the tenant overrides them. */
  readonly defaults: TenantSettings;
  /** Allows keys and sessions that last for seconds. */
  readonly isTestMode: boolean;
  /** Seals secret settings; absent if they are not sealed. */
  readonly sealer?: Sealer;
}

/** @throws Refusal INVALID_CORE_CONFIG for settings that contradict each other */
export async function requireRules(
  query: Query,
  appNo: number,
  config: CoreConfig,
  { defaults, isTestMode, sealer }: TenantRules,
): Promise<void> {
  const [app] = await query<{ core_config: StoredConfig }>(
    'select core_config from tenants where app_no = $1 and tenant_no = 0',
    [appNo],
  );
  const ofApp = openConfig(app?.core_config ?? {}, { appNo, tenantId: 'public' }, sealer);
  const settings = resolveTenantSettings(defaults, ofApp, config);
  const problem = brokenTenantRule(settings, isTestMode);
  if (problem !== undefined) throw new Refusal('INVALID_CORE_CONFIG', problem);
}
