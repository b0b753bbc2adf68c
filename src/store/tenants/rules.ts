import { Refusal } from '../../domain/errors.ts';
import type { TenantSettings } from '../../domain/model.ts';
import { brokenTenantRule, type CoreConfig, resolveTenantSettings } from '../../config/tenant-settings.ts';
import type { Query } from '../database/database.ts';

export interface TenantRules {
  /** What holds where neither the app nor the tenant says otherwise. */
  readonly defaults: TenantSettings;
  /** Lets keys and sessions last for seconds. */
  readonly isTestMode: boolean;
}

/** @throws Refusal INVALID_CORE_CONFIG when the settings do not go together */
export async function requireRules(
  query: Query,
  appNo: number,
  config: CoreConfig,
  { defaults, isTestMode }: TenantRules,
): Promise<void> {
  const [app] = await query<{ core_config: CoreConfig }>(
    'select core_config from tenants where app_no = $1 and tenant_no = 0',
    [appNo],
  );
  const settings = resolveTenantSettings(defaults, app?.core_config ?? {}, config);
  const problem = brokenTenantRule(settings, isTestMode);
  if (problem !== undefined) throw new Refusal('INVALID_CORE_CONFIG', problem);
}
