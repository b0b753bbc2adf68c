import path from 'node:path';
import type { GuessLimits, HashPolicy, TenantSettings } from '../domain/model.ts';
import { ApiKeys } from '../process/keys/api-keys.ts';
import { tenantProperties } from './schema-tenant.ts';
import type { JudgedMemory } from './memory.ts';
import { type CoreConfig, hashLimitKeys, hashLimitsBy } from './tenant-settings.ts';
import type { Values } from './schema.ts';

export type LogLevel = Values['log_level'];
export type FrontEndChoice = Values['front_end'];

/** The checked settings, with units in the names. Frozen. */
export type Config = Readonly<ReturnType<typeof grouped>>;

const bytesPerMiB = 1_048_576;
const secondMs = 1000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** Groups and renames the checked values. `base`: the folder of a relative `data_dir`. */
export function toConfig(values: Values, base: string, memory: JudgedMemory): Config {
  const config = grouped(values, base, memory);
  [
    config.memory,
    config.connectionLimits,
    config.apiKeys,
    config.hashPolicy,
    config.guesses,
    config.defaults,
    config.defaults.hashLimits,
  ].forEach(Object.freeze);
  return Object.freeze(config);
}

function grouped(values: Values, base: string, memory: JudgedMemory) {
  const guesses: GuessLimits = {
    perAccount: values.guesses_per_account,
    perAddress: values.guesses_per_address,
  };
  return {
    host: values.host,
    /** 0: the system chooses a free one. */
    port: values.port,
    /** Empty: the first start generates one. */
    apiKeys: values.api_keys ?? [],
    namedKeys: values.named_keys ?? [],
    /** Empty: the first start generates one. */
    encryptionKeys: values.encryption_keys ?? [],
    /** false: every client that reaches the core may call it. */
    requireApiKey: values.require_api_key,
    /** undefined: all. */
    cdiVersions: values.cdi_versions,
    maxBodyBytes: values.max_body_bytes,
    frontEnd: values.front_end,
    connectionLimits: { keepAliveMs: values.keep_alive_timeout_ms, maxHeadBytes: values.max_header_bytes },
    /** Absent: the core runs its own PostgreSQL under `dataDir`. */
    postgresqlConnectionUri: values.postgresql_connection_uri,
    /** After the first one, which is `postgresqlConnectionUri`. */
    places: values.places ?? [],
    /** Absolute. */
    dataDir: path.resolve(base, values.data_dir),
    connectionPoolSize: values.postgresql_connection_pool_size,
    hashPolicy: toHashPolicy(values),
    hashingThreads: values.hashing_threads,
    hashingMemoryBudgetBytes: values.hashing_memory_budget_mb * bytesPerMiB,
    hashingQueueLimit: values.hashing_queue_limit,
    waitLimitMs: values.wait_limit_ms,
    upgradePasswordHashes: values.upgrade_password_hashes,
    guesses,
    clientAddressHeader: values.client_address_header.toLowerCase(),
    importLanes: values.import_lanes,
    importChunkBytes: values.import_chunk_bytes,
    importMemoryBudgetBytes: values.import_memory_budget_mb * bytesPerMiB,
    /** undefined: unlimited. */
    jobRetentionMs: values.job_retention_days === 0 ? undefined : values.job_retention_days * dayMs,
    /** undefined: unlimited. */
    auditRetentionMs: values.audit_retention_days === 0 ? undefined : values.audit_retention_days * dayMs,
    allowPlainTextImport: values.allow_plain_text_import,
    allowHashExport: values.allow_hash_export,
    revealRestrictions: values.reveal_restrictions,
    testMode: values.test_mode,
    /** Whether the core serves the pages of the console. */
    console: values.console ?? values.postgresql_connection_uri === undefined,
    /** 0: a stop begins at once. */
    drainDelayMs: values.drain_delay_ms,
    shutdownTimeoutMs: values.shutdown_timeout_ms,
    logLevel: values.log_level,
    memory,
    /** For apps and tenants without their own values. */
    defaults: toDefaults(values),
    /** The defaults as an app or a tenant would write them. */
    coreConfig: toCoreConfig(values),
  };
}

function toHashPolicy(values: Values): HashPolicy {
  if (values.password_hashing_alg === 'BCRYPT')
    return { algorithm: 'BCRYPT', logRounds: values.bcrypt_log_rounds, prefix: values.bcrypt_prefix };
  return {
    algorithm: 'ARGON2',
    memoryKb: values.argon2_memory_kb,
    iterations: values.argon2_iterations,
    parallelism: values.argon2_parallelism,
  };
}

function toCoreConfig(values: Values): CoreConfig {
  const names = Object.keys(tenantProperties) as (keyof typeof tenantProperties)[];
  const set = names.map((name) => [name, textOfBytes(values[name])] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined));
}

function textOfBytes<Value>(value: Value | Buffer): Value | string {
  return Buffer.isBuffer(value) ? value.toString('base64') : value;
}

function toDefaults(values: Values): TenantSettings {
  return {
    signerKey: values.provider_password_hashing_signer_key,
    pepper: values.bcrypt_pepper === undefined ? undefined : Buffer.from(values.bcrypt_pepper, 'utf8'),
    accessTokenValidityMs: values.access_token_validity * secondMs,
    refreshTokenValidityMs: values.refresh_token_validity * minuteMs,
    signingKeyIntervalMs: values.access_token_dynamic_signing_key_update_interval * hourMs,
    endSessionsOnPasswordChange: values.end_sessions_on_password_change,
    emailVerificationTokenLifetimeMs: values.email_verification_token_lifetime,
    passwordResetTokenLifetimeMs: values.password_reset_token_lifetime,
    totpMaxAttempts: values.totp_max_attempts,
    totpCooldownMs: values.totp_rate_limit_cooldown_sec * secondMs,
    passwordlessCodeLifetimeMs: values.passwordless_code_lifetime,
    passwordlessMaxAttempts: values.passwordless_max_code_input_attempts,
    ...(values.hook_keys && { hookKeys: new ApiKeys(values.hook_keys) }),
    ...(values.legacy_sources && { legacySources: values.legacy_sources }),
    ...(values.session_sources && { sessionSources: values.session_sources }),
    hashLimits: hashLimitsBy((name) => values[hashLimitKeys[name]]),
  };
}
