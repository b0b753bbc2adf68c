import { type CoreConfig, presentCoreConfig } from '../../config/tenant-settings.ts';
import { tenantProperties } from '../../config/schema-tenant.ts';
import type { SettingSchema } from '../../config/setting.ts';
import type { Tenant } from '../../domain/model.ts';
import type { DashboardContext } from './context.ts';

type Value = string | number | boolean | null;

/** A setting that a tenant may override, as the dashboard shows it. */
export interface ShownSetting {
  readonly key: string;
  readonly valueType: 'string' | 'boolean' | 'number' | 'enum';
  /** The value in the tenant; null when nothing is set. A secret is "***". */
  readonly value: Value;
  readonly description: string;
  /** Whether a tenant may have another value than its app. */
  readonly isDifferentAcrossTenants: boolean;
  readonly possibleValues: readonly string[] | null;
  readonly isNullable: boolean;
  /** The value if neither the tenant nor its app sets one. */
  readonly defaultValue: Value;
  readonly isPluginProperty: false;
  readonly isPluginPropertyEditable: false;
}

export interface CoreConfigOperations {
  /** All settings of the tenant, including inherited ones. */
  coreConfig(tenant: Tenant): Promise<{ status: 'OK'; config: ShownSetting[] }>;
}

/** Sessions and passwords are the app's: the settings of its public tenant apply to them. */
const ofApp: ReadonlySet<string> = new Set<keyof typeof tenantProperties>([
  'access_token_validity',
  'refresh_token_validity',
  'access_token_dynamic_signing_key_update_interval',
  'access_token_signing_key_dynamic',
  'access_token_blacklisting',
  'end_sessions_on_password_change',
]);

export function coreConfigOperations({
  stores: { tenants },
  coreConfig: ofCore,
}: Pick<DashboardContext, 'stores' | 'coreConfig'>): CoreConfigOperations {
  return {
    async coreConfig({ appId, tenantId }) {
      const [app, own] = await Promise.all([tenants.get(appId, 'public'), tenants.get(appId, tenantId)]);
      const defaults = shownValues(ofCore);
      const values = new Map([...defaults, ...shownValues({ ...app?.coreConfig, ...own?.coreConfig })]);
      const config = Object.entries<SettingSchema>(tenantProperties).map(([key, schema]) =>
        shown(key, schema, { value: values.get(key) ?? null, defaultValue: defaults.get(key) ?? null }),
      );
      return { status: 'OK', config };
    },
  };
}

/** Lists may contain secrets as well. */
function shownValues(config: CoreConfig): Map<string, Value> {
  const shown = Object.entries(presentCoreConfig(config));
  return new Map(shown.map(([key, value]) => [key, typeof value === 'object' ? '***' : value]));
}

function shown(
  key: string,
  schema: SettingSchema,
  values: Pick<ShownSetting, 'value' | 'defaultValue'>,
): ShownSetting {
  const { description, default: usual, enum: words, 'x-unit': unit } = schema;
  return {
    key,
    ...values,
    valueType: valueTypeOf(schema),
    description: unit === undefined ? description : `${description} (${unit})`,
    isDifferentAcrossTenants: !ofApp.has(key),
    possibleValues: words ?? null,
    isNullable: usual === undefined,
    isPluginProperty: false,
    isPluginPropertyEditable: false,
  };
}

function valueTypeOf({ type, enum: words }: SettingSchema): ShownSetting['valueType'] {
  if (words !== undefined) return 'enum';
  return type === 'integer' ? 'number' : type;
}
