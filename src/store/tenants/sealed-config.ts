/**
 * Secrets of a coreConfig in `tenants.core_config`: keys as digests, others as `{"sealed"}`. Without an encryption key the others stay
 * in clear, and the core logs a warning at its start.
 */

import { type CoreConfig, digestedKeys, keyLists, sealedSettings } from '../../config/tenant-settings.ts';
import type { Resealing } from '../../operations/ports/sealed.ts';
import { sealedPurposes, type SealedPlace, type Sealer } from '../../process/sealer.ts';
import type { Database, Query } from '../../database/database.ts';

/** The tenant of the settings. */
export interface TenantPlace {
  readonly appNo: number;
  readonly tenantId: string;
}

/** A value in clear, or base64. */
type StoredValue = CoreConfig[keyof CoreConfig] | { readonly sealed: string };
export type StoredConfig = Readonly<Record<string, StoredValue>>;

function placeOf({ appNo, tenantId }: TenantPlace, key: string): SealedPlace {
  return { purpose: sealedPurposes.setting, appNo, row: `${tenantId}/${key}` };
}

function isSealed(value: StoredValue): value is { readonly sealed: string } {
  return typeof value === 'object' && 'sealed' in value;
}

/** @param config as accepted, or stored before */
export function sealConfig(
  config: StoredConfig,
  place: TenantPlace,
  sealer: Sealer | undefined,
): StoredConfig {
  const stored = (key: string, value: StoredValue): StoredValue => {
    if (value === undefined || isSealed(value)) return value;
    const list = keyLists.find((each) => each === key);
    if (list !== undefined) return digestedKeys(list, value);
    if (!sealedSettings.includes(key) || sealer?.canSeal !== true) return value;
    const secret = Buffer.from(JSON.stringify(value));
    return { sealed: sealer.seal(placeOf(place, key), secret).toString('base64') };
  };
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, stored(key, value)]));
}

/** @throws SealedOtherwise if no key opens a secret */
export function openConfig(stored: StoredConfig, place: TenantPlace, sealer: Sealer | undefined): CoreConfig {
  const opened = (key: string, value: StoredValue): unknown => {
    if (!isSealed(value)) return value;
    if (sealer === undefined) throw new Error('a sealed setting is read without a sealer');
    return JSON.parse(
      sealer.open(placeOf(place, key), Buffer.from(value.sealed, 'base64')).toString(),
    ) as unknown;
  };
  return Object.fromEntries(Object.entries(stored).map(([key, value]) => [key, opened(key, value)]));
}

interface TenantRow extends TenantPlace {
  readonly tenantNo: number;
  readonly config: StoredConfig;
}

/** $1: names of settings that are secrets. */
const withSecrets = `
  select t.app_no as "appNo", t.tenant_no as "tenantNo", t.tenant_id as "tenantId", t.core_config as config from tenants t
  where t.core_config ?| $1::text[]
  order by t.app_no, t.tenant_no`;
const names = `{${sealedSettings.join(',')}}`;

const keep = `
  update tenants set core_config = $3::text::jsonb where app_no = $1::int and tenant_no = $2::int`;

/**
 * Seals what a core without a key stored in clear.
 * @returns settings that stay in clear, because there is no key
 */
export async function sealStoredConfigs(
  { read, transaction }: Pick<Database, 'read' | 'transaction'>,
  sealer: Sealer,
): Promise<number> {
  const isInClear = ({ config }: TenantRow): boolean =>
    Object.entries(config).some(([key, value]) => isPlainSecret(key, value));
  if (!(await read<TenantRow>(withSecrets, [names])).some(isInClear)) return 0;
  return transaction(async (query) => {
    let left = 0;
    for (const row of await query<TenantRow>(`${withSecrets} for no key update`, [names])) {
      const config = sealConfig(row.config, row, sealer);
      left += Object.entries(config).filter(([key, value]) => isPlainSecret(key, value)).length;
      if (isInClear(row)) await query(keep, [row.appNo, row.tenantNo, JSON.stringify(config)]);
    }
    return left;
  });
}

function isPlainSecret(key: string, value: StoredValue): boolean {
  return value !== undefined && !isSealed(value) && sealedSettings.includes(key);
}

/** @returns number of values resealed */
export async function resealConfigs(query: Query, { keyId, again }: Resealing): Promise<number> {
  let count = 0;
  for (const row of await query<TenantRow>(`${withSecrets} for no key update`, [names])) {
    const reseal = (key: string, value: StoredValue): StoredValue => {
      if (!isSealed(value)) return value;
      const sealed = Buffer.from(value.sealed, 'base64');
      if (sealed.toString('hex', 1, 5) === keyId) return value;
      count++;
      return { sealed: Buffer.from(again({ ...placeOf(row, key), sealed })).toString('base64') };
    };
    const config = Object.fromEntries(
      Object.entries(row.config).map(([key, value]) => [key, reseal(key, value)]),
    );
    await query(keep, [row.appNo, row.tenantNo, JSON.stringify(config)]);
  }
  return count;
}

/** Ids of keys by which settings are sealed. */
export const keysOfConfigs = `
  select distinct encode(substring(decode(s.value ->> 'sealed', 'base64') from 2 for 4), 'hex') as id
  from tenants t cross join lateral jsonb_each(t.core_config) s (key, value)
  where jsonb_typeof(s.value) = 'object' and s.value ? 'sealed'`;
