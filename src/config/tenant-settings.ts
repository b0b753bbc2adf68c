/**
 * What an app or a tenant may set for itself (`coreConfig`), kept as written and resolved over the core's own defaults.
 * The same table gives the core's configuration file its keys of these names.
 */
import { base64Key, integer, text } from './kinds.ts';
import type { HashLimits, TenantSettings } from '../domain/model.ts';

/** An alias that clients of the same interface already use. */
export const SIGNER_KEY = 'provider_password_hashing_signer_key';
export const SIGNER_KEY_ALIAS = 'firebase_password_hashing_signer_key';
export const PEPPER = 'bcrypt_pepper';

const DAY_MS = 86_400_000;
const TEN_YEARS_MS = 3650 * DAY_MS;

export const tenantTable = {
  provider_password_hashing_signer_key: base64Key({
    secret: true,
    unit: 'base64',
    why: `signer key of the scrypt variant, from the provider's export page; alias ${SIGNER_KEY_ALIAS}`,
  }),
  bcrypt_pepper: text({
    secret: true,
    why: 'what the old system added to the end of each password before bcrypt (Devise: config.pepper)',
  }),
  email_verification_token_lifetime: integer({
    default: DAY_MS,
    min: 1,
    max: TEN_YEARS_MS,
    unit: 'ms',
    why: 'how long a verification link works: long enough for a mail that is read tomorrow',
  }),
  password_reset_token_lifetime: integer({
    default: 3_600_000,
    min: 1,
    max: TEN_YEARS_MS,
    unit: 'ms',
    why: 'how long a reset link works: short, because it hands over the account',
  }),
  bcrypt_max_cost: integer({
    default: 15,
    min: 4,
    max: 31,
    unit: 'log2 of the rounds',
    why: 'ceiling for imported bcrypt hashes: each step doubles what a sign-in costs',
  }),
  argon2_max_memory_kb: integer({
    default: 1_048_576,
    min: 8,
    max: 4_194_304,
    unit: 'KiB',
    why: 'ceiling for imported Argon2 hashes: the memory that one sign-in takes',
  }),
  argon2_max_iterations: integer({
    default: 10,
    min: 1,
    max: 1000,
    unit: 'passes',
    why: 'ceiling for imported Argon2 hashes: time grows with it',
  }),
  argon2_max_parallelism: integer({
    default: 16,
    min: 1,
    max: 255,
    unit: 'lanes',
    why: 'ceiling for imported Argon2 hashes: lanes are threads while a hash is computed',
  }),
  scrypt_max_memory_mb: integer({
    default: 256,
    min: 1,
    max: 4096,
    unit: 'MiB of 128 * N * r * p',
    why: 'ceiling for imported scrypt hashes, the scrypt variant included',
  }),
  scrypt_max_parallelism: integer({
    default: 16,
    min: 1,
    max: 255,
    unit: 'p',
    why: 'ceiling for imported scrypt hashes: their lanes are computed one after the other',
  }),
  pbkdf2_max_iterations: integer({
    default: 10_000_000,
    min: 1,
    max: 2_147_483_647,
    unit: 'iterations',
    why: 'ceiling for imported PBKDF2 hashes: time grows with it',
  }),
  crypt_max_rounds: integer({
    default: 1_000_000,
    min: 1000,
    max: 999_999_999,
    unit: 'rounds',
    why: 'ceiling for imported sha512-crypt and sha256-crypt hashes: time grows with it, and with the password',
  }),
  phpass_max_log_rounds: integer({
    default: 20,
    min: 7,
    max: 30,
    unit: 'log2 of the rounds',
    why: 'ceiling for imported phpass hashes: each step doubles what a sign-in costs',
  }),
  digest_max_iterations: integer({
    default: 10_000,
    min: 1,
    max: 10_000_000,
    unit: 'iterations',
    why: 'ceiling for imported digests that are iterated: time grows with it',
  }),
};

type TenantKey = keyof typeof tenantTable;
/** Secrets, which may be absent; the others are numbers and have defaults. */
type SecretKey = typeof SIGNER_KEY | typeof PEPPER;

/** The key that sets each ceiling. */
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

/** Each ceiling as `limit` says. */
export function hashLimitsBy(limit: (name: keyof HashLimits) => number): HashLimits {
  const names = Object.keys(hashLimitKeys) as (keyof HashLimits)[];
  return Object.fromEntries(names.map((name) => [name, limit(name)])) as Record<keyof HashLimits, number>;
}

/** The largest values that the settings take: under them a hash that a ceiling refuses today is still read. */
export const widestLimits = hashLimitsBy((name) => tenantTable[hashLimitKeys[name]].max);

/** A `coreConfig` as stored: every value was accepted by {@link parseCoreConfig}. */
export type CoreConfig = Readonly<Partial<Record<TenantKey, string | number>>>;
/** A change to it: null removes the key. */
export type CoreConfigChange = Readonly<Partial<Record<TenantKey, string | number | null>>>;

export type ParsedCoreConfig =
  { readonly ok: true; readonly value: CoreConfigChange } | { readonly ok: false; readonly message: string };

const refused = (why: string): ParsedCoreConfig => ({ ok: false, message: `Invalid core config: ${why}` });

function isTenantKey(key: string): key is TenantKey {
  return Object.hasOwn(tenantTable, key);
}

/**
 * Checks a `coreConfig` from a request. The alias of the signer key is accepted and comes back under its own name.
 * @returns the change, or a public message that names the first key that is wrong and never repeats a value.
 */
export function parseCoreConfig(raw: Record<string, unknown>): ParsedCoreConfig {
  const change: Partial<Record<TenantKey, string | number | null>> = {};
  for (const [given, value] of Object.entries(raw)) {
    const key = given === SIGNER_KEY_ALIAS ? SIGNER_KEY : given;
    if (!isTenantKey(key))
      return refused(`'${printable(given)}' is not a key that an app or a tenant can set`);
    const parsed = value === null ? undefined : tenantTable[key].parse(value);
    if (parsed?.ok === false) return refused(`'${given}' ${parsed.expected}`);
    const kept = value as string | number | null;
    if (key in change && change[key] !== kept)
      return refused(`'${SIGNER_KEY}' and its alias '${SIGNER_KEY_ALIAS}' differ: give one`);
    change[key] = kept;
  }
  return { ok: true, value: change };
}

/** The unknown key stands in a message and a log line: keep it short and free of control characters. */
function printable(key: string): string {
  return key.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 64);
}

/** The stored settings after a change: given keys replace, null removes, the rest stays. */
export function mergeCoreConfig(stored: CoreConfig, change: CoreConfigChange): CoreConfig {
  const entries = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries);
}

/** What may be shown to a client: a secret reads back as "***", so that it can be seen to be set. */
export function presentCoreConfig(stored: CoreConfig): CoreConfig {
  const shown = Object.entries(stored).map(([key, value]) => [key, isSecret(key) ? '***' : value] as const);
  return Object.fromEntries(shown);
}

function isSecret(key: string): boolean {
  return isTenantKey(key) && tenantTable[key].secret === true;
}

/**
 * Lays stored settings over the core's own, later ones winning: `resolveTenantSettings(defaults, app, tenant)`.
 * @throws Error when a stored value no longer fits the table: somebody wrote to the database by hand.
 */
export function resolveTenantSettings(
  defaults: TenantSettings,
  ...overrides: readonly CoreConfig[]
): TenantSettings {
  const own = overrides.reduce((below, above) => ({ ...below, ...above }), {});
  return {
    signerKey: own[SIGNER_KEY] === undefined ? defaults.signerKey : decodedSignerKey(own[SIGNER_KEY]),
    pepper: own[PEPPER] === undefined ? defaults.pepper : pepperBytes(own[PEPPER]),
    emailVerificationTokenLifetimeMs: number(
      own,
      'email_verification_token_lifetime',
      defaults.emailVerificationTokenLifetimeMs,
    ),
    passwordResetTokenLifetimeMs: number(
      own,
      'password_reset_token_lifetime',
      defaults.passwordResetTokenLifetimeMs,
    ),
    hashLimits: hashLimitsBy((name) => number(own, hashLimitKeys[name], defaults.hashLimits[name])),
  };
}

function number(own: CoreConfig, key: Exclude<TenantKey, SecretKey>, fallback: number): number {
  const value = own[key] ?? fallback;
  const parsed = tenantTable[key].parse(value);
  if (!parsed.ok) throw new Error(`stored core config: '${key}' ${parsed.expected}`);
  return parsed.value;
}

function decodedSignerKey(written: string | number): Buffer {
  const parsed = tenantTable[SIGNER_KEY].parse(written);
  if (!parsed.ok) throw new Error(`stored core config: '${SIGNER_KEY}' ${parsed.expected}`);
  return parsed.value;
}

function pepperBytes(written: string | number): Buffer {
  const parsed = tenantTable[PEPPER].parse(written);
  if (!parsed.ok) throw new Error(`stored core config: '${PEPPER}' ${parsed.expected}`);
  return Buffer.from(parsed.value, 'utf8');
}
