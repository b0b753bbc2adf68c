/** Settings of an app or a tenant: stored as written, resolved over the core's own. */
import type { HashLimits, TenantSettings } from '../domain/model.ts';
import { digest } from '../domain/digests.ts';
import { ApiKeys } from '../process/keys/api-keys.ts';
import { closedSource, readSources } from './legacy/read-sources.ts';
import { aboveCeiling, beyondReach, type ReachKey, reachesOf, reachIn, withStatedReaches } from './reach.ts';
import { apiKeysOfApp, tenantProperties } from './schema-tenant.ts';
import { closedSessionSource, readSessionSources, withoutSecrets } from './sources/session-sources.ts';
import { readSetting, type SettingSchema, type ValueOf, valueOfText } from './setting.ts';

/** An alias that clients of the same interface already use. */
export const signerKeySetting = 'provider_password_hashing_signer_key';
export const signerKeyAlias = 'firebase_password_hashing_signer_key';
export const pepperSetting = 'bcrypt_pepper';

const aliases = new Map([
  [signerKeyAlias, signerKeySetting],
  ['access_token_signing_key_update_interval', 'access_token_dynamic_signing_key_update_interval'],
]);

function aliasOf(key: string): string {
  return [...aliases].find(([, meant]) => meant === key)?.[0] ?? '';
}

const properties = { ...tenantProperties, api_keys: apiKeysOfApp } as const;
type TenantKey = keyof typeof properties;
const schemaOf = (key: TenantKey): SettingSchema => properties[key];

export const hashLimitKeys = {
  bcryptMaxCost: 'bcrypt_max_cost',
  argon2MaxMemoryKb: 'argon2_max_memory_kb',
  argon2MaxIterations: 'argon2_max_iterations',
  argon2MaxParallelism: 'argon2_max_parallelism',
  scryptMaxMemoryMb: 'scrypt_max_memory_mb',
  scryptMaxParallelism: 'scrypt_max_parallelism',
  pbkdf2MaxIterations: 'pbkdf2_max_iterations',
  cryptMaxRounds: 'crypt_max_rounds',
  phpassMaxLogRounds: 'phpass_max_log_rounds',
  digestMaxIterations: 'digest_max_iterations',
} as const satisfies Readonly<Record<keyof HashLimits, TenantKey>>;

export function hashLimitsBy(limit: (name: keyof HashLimits) => number): HashLimits {
  const names = Object.keys(hashLimitKeys) as (keyof HashLimits)[];
  return Object.fromEntries(names.map((name) => [name, limit(name)])) as Record<keyof HashLimits, number>;
}

/** The maximum of each setting: with these limits a hash is parsed even if a ceiling refuses it today. */
export const widestLimits = hashLimitsBy((name) => tenantProperties[hashLimitKeys[name]].maximum);

type Value = string | number | boolean | readonly unknown[];

/** A stored `coreConfig`: {@link parseCoreConfig} accepted every value. */
export type CoreConfig = Readonly<Partial<Record<TenantKey | ReachKey, Value>>>;
/** A change to it: null removes the key. */
export type CoreConfigChange = Readonly<Partial<Record<TenantKey | ReachKey, Value | null>>>;

export type ParsedCoreConfig =
  { readonly ok: true; readonly value: CoreConfigChange } | { readonly ok: false; readonly message: string };

const refused = (why: string): ParsedCoreConfig => ({ ok: false, message: `Invalid core config: ${why}` });

function isTenantKey(key: string): key is TenantKey {
  return Object.hasOwn(properties, key);
}

/**
 * Checks a `coreConfig` from a request. Aliases are replaced by our names, and a list of sources becomes JSON text.
 * @param now ms since the epoch
 * @returns the change, or a public message that names the first wrong key and never repeats a value.
 */
export function parseCoreConfig(raw: Record<string, unknown>, now = Date.now()): ParsedCoreConfig {
  const change: Partial<Record<TenantKey, string | number | boolean | null>> = {};
  for (const [given, value] of Object.entries(raw)) {
    const key = aliases.get(given) ?? given;
    if (!isTenantKey(key)) return refused(`Invalid config key: ${printable(given)}`);
    const meant = typeof value === 'string' ? valueOfText(schemaOf(key), value) : value;
    const parsed = value === null ? undefined : readSetting(schemaOf(key), meant);
    if (parsed?.ok === false) return refused(`'${given}' ${parsed.expected}`);
    const kept = (Array.isArray(meant) ? JSON.stringify(meant) : meant) as string | number | boolean | null;
    if (key in change && change[key] !== kept)
      return refused(`'${key}' and its alias '${aliasOf(key)}' differ: give one`);
    change[key] = kept;
  }
  const closed = closedOf(change, now);
  return closed === undefined ? { ok: true, value: change } : refused(closed);
}

/** @returns the list and its expired source */
function closedOf(
  { legacy_sources: legacy, session_sources: sessions }: CoreConfigChange,
  now: number,
): string | undefined {
  const closed = closedIn(legacy ?? undefined, now);
  if (closed !== undefined) return `'legacy_sources' ${closed}`;
  const ended =
    typeof sessions === 'string' ? closedSessionSource(readSessionSources(sessions), now) : undefined;
  return ended && `'session_sources' ${ended}`;
}

function closedIn(sources: unknown, now: number): string | undefined {
  const read = sources === undefined ? undefined : readSources(sources);
  return read?.ok === true ? closedSource(read.value, now) : undefined;
}

/** @returns a problem with the resulting settings; nothing in test mode */
export function brokenTenantRule(settings: TenantSettings, isTestMode: boolean): string | undefined {
  if (isTestMode) return undefined;
  const problem =
    settings.signingKeyIntervalMs < 3_600_000
      ? "'access_token_dynamic_signing_key_update_interval' must be at least 1 (hours)"
      : settings.refreshTokenValidityMs <= settings.accessTokenValidityMs
        ? "'refresh_token_validity' (minutes) must be longer than 'access_token_validity' (seconds)"
        : undefined;
  return problem === undefined ? undefined : `Invalid core config: ${problem}`;
}

/** For messages and log lines: short, without control characters. */
function printable(key: string): string {
  return key.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

/** Given keys replace, null removes, the rest stays. */
export function mergeCoreConfig(stored: CoreConfig, change: CoreConfigChange): CoreConfig {
  const entries = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

/** The owner of the key that makes a change. An app's own key is limited to the core's own costs and addresses. */
export type Setter = { readonly is: 'core' } | { readonly is: 'app'; readonly highest: HashLimits };

/**
 * The change as stored, with the reach of its sources.
 * @returns a public message for a change that needs a key of the core
 */
export function changeBy(setter: Setter, change: CoreConfigChange): ParsedCoreConfig {
  if (setter.is === 'core') return { ok: true, value: { ...change, ...reachesOf(change, 'any') } };
  const problem = beyondReach(change) ?? aboveCeiling(change, hashLimitKeys, setter.highest);
  if (problem !== undefined) return refused(problem);
  return { ok: true, value: { ...change, ...reachesOf(change, 'public') } };
}

/** A secret is shown as "***", so that a client sees that it is set. */
export function presentCoreConfig(stored: CoreConfig): CoreConfig {
  const written = Object.entries(stored).filter(([key]) => isTenantKey(key));
  const shown = written.map(
    ([key, value]) =>
      [key, key === 'session_sources' ? withoutSecrets(value) : isSecret(key) ? '***' : value] as const,
  );
  return Object.fromEntries(shown);
}

function isSecret(key: string): boolean {
  return isTenantKey(key) && schemaOf(key).writeOnly === true;
}

/**
 * Resolves stored settings over the core's own, later ones winning: `resolveTenantSettings(defaults, app, tenant)`.
 * @throws Error when a stored value is invalid: the database was edited by hand.
 */
export function resolveTenantSettings(
  defaults: TenantSettings,
  ...overrides: readonly CoreConfig[]
): TenantSettings {
  const stated = overrides.map(withStatedReaches);
  const own = stated.reduce<CoreConfig>((below, above) => ({ ...below, ...above }), {});
  const pepper = stored(own, pepperSetting);
  const apiKeys = keysIn(own, 'api_keys');
  return {
    signerKey: stored(own, signerKeySetting) ?? defaults.signerKey,
    pepper: pepper === undefined ? defaults.pepper : Buffer.from(pepper, 'utf8'),
    ...(apiKeys && { apiKeys }),
    ...hookKeysOf(own, defaults),
    ...legacyOf(own, defaults),
    ...sessionSourcesOf(own, defaults),
    endSessionsOnPasswordChange:
      stored(own, 'end_sessions_on_password_change') ?? defaults.endSessionsOnPasswordChange,
    accessTokenValidityMs: scaled(own, 'access_token_validity', 1000) ?? defaults.accessTokenValidityMs,
    refreshTokenValidityMs: scaled(own, 'refresh_token_validity', 60_000) ?? defaults.refreshTokenValidityMs,
    signingKeyIntervalMs:
      scaled(own, 'access_token_dynamic_signing_key_update_interval', 3_600_000) ??
      defaults.signingKeyIntervalMs,
    emailVerificationTokenLifetimeMs:
      stored(own, 'email_verification_token_lifetime') ?? defaults.emailVerificationTokenLifetimeMs,
    passwordResetTokenLifetimeMs:
      stored(own, 'password_reset_token_lifetime') ?? defaults.passwordResetTokenLifetimeMs,
    totpMaxAttempts: stored(own, 'totp_max_attempts') ?? defaults.totpMaxAttempts,
    totpCooldownMs: scaled(own, 'totp_rate_limit_cooldown_sec', 1000) ?? defaults.totpCooldownMs,
    passwordlessCodeLifetimeMs:
      stored(own, 'passwordless_code_lifetime') ?? defaults.passwordlessCodeLifetimeMs,
    passwordlessMaxAttempts:
      stored(own, 'passwordless_max_code_input_attempts') ?? defaults.passwordlessMaxAttempts,
    hashLimits: hashLimitsBy((name) => stored(own, hashLimitKeys[name]) ?? defaults.hashLimits[name]),
  };
}

export const keyLists = ['api_keys', 'hook_keys'] as const;
type KeyList = (typeof keyLists)[number];

/** No list of keys from a request is stored like this. */
const digestMark = 'sha256:';

/** A list of keys as stored, digested. @param written as accepted, or as stored before */
export function digestedKeys(key: KeyList, written: Value): string {
  if (typeof written === 'string' && written.startsWith(digestMark)) return written;
  const keys = stored({ [key]: written }, key) ?? [];
  return digestMark + keys.map((each) => digest(each).toString('hex')).join(',');
}

function keysIn(own: CoreConfig, key: KeyList): ApiKeys | undefined {
  const written = own[key];
  if (typeof written !== 'string' || !written.startsWith(digestMark)) {
    const keys = stored(own, key);
    return keys && new ApiKeys(keys);
  }
  const digests = written.slice(digestMark.length).split(',');
  return new ApiKeys(digests.map((each) => Buffer.from(each, 'hex')));
}

/** Secrets that must be readable again, so they are sealed. */
export const sealedSettings: readonly string[] = Object.keys(properties).filter(
  (key) => isSecret(key) && !keyLists.some((each) => each === key),
);

function hookKeysOf(own: CoreConfig, defaults: TenantSettings): Pick<TenantSettings, 'hookKeys'> {
  const hookKeys = keysIn(own, 'hook_keys') ?? defaults.hookKeys;
  return hookKeys ? { hookKeys } : {};
}

function legacyOf(own: CoreConfig, defaults: TenantSettings): Pick<TenantSettings, 'legacySources'> {
  const reach = reachIn(own, 'legacy_sources', own.api_keys !== undefined);
  const ownSources = stored(own, 'legacy_sources')?.map((source) => ({ ...source, reach }));
  const legacySources = ownSources ?? defaults.legacySources;
  return legacySources ? { legacySources } : {};
}

function sessionSourcesOf(own: CoreConfig, defaults: TenantSettings): Pick<TenantSettings, 'sessionSources'> {
  const reach = reachIn(own, 'session_sources', own.api_keys !== undefined);
  const ownSources = stored(own, 'session_sources')?.map((source) => ({ ...source, reach }));
  const sessionSources = ownSources ?? defaults.sessionSources;
  return sessionSources ? { sessionSources } : {};
}

type NumberKey = {
  [K in TenantKey]: ValueOf<(typeof properties)[K]> extends number ? K : never;
}[TenantKey];

function scaled(own: CoreConfig, key: NumberKey, by: number): number | undefined {
  const value = stored(own, key);
  return value === undefined ? undefined : value * by;
}

function stored<K extends TenantKey>(own: CoreConfig, key: K): ValueOf<(typeof properties)[K]> | undefined {
  const written = own[key];
  if (written === undefined) return undefined;
  const parsed = readSetting(properties[key], written);
  if (!parsed.ok) throw new Error(`stored core config: '${key}' ${parsed.expected}`);
  return parsed.value;
}
