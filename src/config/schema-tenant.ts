import { type SettingSchema, type SettingSchemas, text } from './setting.ts';

export const apiKeysOfApp = {
  type: 'string',
  format: 'api-keys',
  writeOnly: true,
  'x-unit': 'keys between commas, 20 characters or more each',
  description:
    'keys that may call the core; give the old and the new key while you rotate; an app may set its own instead',
} as const satisfies SettingSchema;

/** Settings that an app or a tenant may override (`coreConfig`). */
export const tenantProperties = {
  provider_password_hashing_signer_key: {
    type: 'string',
    format: 'base64',
    writeOnly: true,
    'x-unit': 'base64',
    description:
      "signer key of the scrypt variant, from the provider's export page; alias firebase_password_hashing_signer_key",
  },
  bcrypt_pepper: {
    ...text,
    writeOnly: true,
    description: 'a text that the old system appended to each password before bcrypt (Devise: config.pepper)',
  },
  hook_keys: {
    type: 'string',
    format: 'api-keys',
    writeOnly: true,
    'x-unit': 'keys between commas, 20 characters or more each',
    description:
      'keys of other systems that may ask /hooks whether a password is right; without one, no system may: see the guide hooks',
  },
  legacy_sources: {
    type: 'string',
    format: 'legacy-sources',
    writeOnly: true,
    'x-unit': 'a list of sources, in an environment variable as JSON',
    description:
      'old systems that are asked about passwords for which no hash could be had, until a date: see the guide without-hashes',
  },
  email_verification_token_lifetime: {
    type: 'integer',
    default: 86_400_000,
    minimum: 1,
    maximum: 315_360_000_000,
    'x-unit': 'ms',
    description: 'how long a verification link works: long enough for a mail that is read tomorrow',
  },
  password_reset_token_lifetime: {
    type: 'integer',
    default: 3_600_000,
    minimum: 1,
    maximum: 315_360_000_000,
    'x-unit': 'ms',
    description: 'how long a reset link works: short, because it hands over the account',
  },
  passwordless_code_lifetime: {
    type: 'integer',
    default: 900_000,
    minimum: 1,
    maximum: 315_360_000_000,
    'x-unit': 'ms',
    description: 'how long a code or link for signing in without a password works',
  },
  passwordless_max_code_input_attempts: {
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 1000,
    description: 'how many wrong codes end a sign-in without a password: six digits are soon guessed',
  },
  access_token_validity: {
    type: 'integer',
    default: 3600,
    minimum: 1,
    maximum: 86_400_000,
    'x-unit': 's',
    description:
      'how long an access token is believed without a refresh: as long, a session that has ended seems alive',
  },
  refresh_token_validity: {
    type: 'number',
    default: 144_000,
    minimum: 0.001,
    maximum: 5_256_000,
    'x-unit': 'minutes',
    description: 'how long an unused session lasts; longer than an access token',
  },
  access_token_dynamic_signing_key_update_interval: {
    type: 'number',
    default: 168,
    minimum: 0.0001,
    maximum: 87_600,
    'x-unit': 'hours, at least 1 but in test_mode',
    description:
      'after how long access tokens get another signing key; alias access_token_signing_key_update_interval',
  },
  access_token_signing_key_dynamic: {
    type: 'boolean',
    default: true,
    description:
      'taken from configurations of the same interface, without effect: each session says which key it wants',
  },
  access_token_blacklisting: {
    type: 'boolean',
    default: false,
    description:
      'taken from configurations of the same interface, without effect: each verification says whether to look',
  },
  totp_max_attempts: {
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 1000,
    description: 'how many wrong one-time codes in a row are looked at before a user has to wait',
  },
  totp_rate_limit_cooldown_sec: {
    type: 'integer',
    default: 900,
    minimum: 1,
    maximum: 31_536_000,
    'x-unit': 's',
    description: 'how long a user waits after the last of too many wrong one-time codes',
  },
  end_sessions_on_password_change: {
    type: 'boolean',
    default: false,
    description: 'whether all sessions of a user end when a password of theirs is changed or reset',
  },
  session_sources: {
    type: 'string',
    format: 'session-sources',
    writeOnly: true,
    'x-unit': 'a list of sources, in an environment variable as JSON',
    description:
      'old systems whose sessions are exchanged for new ones, so that no user is logged out: see the guide keep-sessions',
  },
  bcrypt_max_cost: {
    type: 'integer',
    default: 15,
    minimum: 4,
    maximum: 31,
    'x-unit': 'log2 of the rounds',
    description: 'ceiling for imported bcrypt hashes: each step doubles what a sign-in costs',
  },
  argon2_max_memory_kb: {
    type: 'integer',
    default: 1_048_576,
    'x-by-memory': true,
    minimum: 8,
    maximum: 4_194_304,
    'x-unit': 'KiB',
    description: 'ceiling for imported Argon2 hashes: the memory that one sign-in takes',
  },
  argon2_max_iterations: {
    type: 'integer',
    default: 10,
    minimum: 1,
    maximum: 1000,
    'x-unit': 'passes',
    description: 'ceiling for imported Argon2 hashes: time grows with it',
  },
  argon2_max_parallelism: {
    type: 'integer',
    default: 16,
    minimum: 1,
    maximum: 255,
    'x-unit': 'lanes',
    description: 'ceiling for imported Argon2 hashes: lanes are threads while a hash is computed',
  },
  scrypt_max_memory_mb: {
    type: 'integer',
    default: 256,
    'x-by-memory': true,
    minimum: 1,
    maximum: 4096,
    'x-unit': 'MiB of 128 * N * r * p',
    description: 'ceiling for imported scrypt hashes, the scrypt variant included',
  },
  scrypt_max_parallelism: {
    type: 'integer',
    default: 16,
    minimum: 1,
    maximum: 255,
    'x-unit': 'p',
    description: 'ceiling for imported scrypt hashes: their lanes are computed one after the other',
  },
  pbkdf2_max_iterations: {
    type: 'integer',
    default: 10_000_000,
    minimum: 1,
    maximum: 2_147_483_647,
    'x-unit': 'iterations',
    description: 'ceiling for imported PBKDF2 hashes: time grows with it',
  },
  crypt_max_rounds: {
    type: 'integer',
    default: 1_000_000,
    minimum: 1000,
    maximum: 999_999_999,
    'x-unit': 'rounds',
    description:
      'ceiling for imported sha512-crypt and sha256-crypt hashes: time grows with it, and with the password',
  },
  phpass_max_log_rounds: {
    type: 'integer',
    default: 20,
    minimum: 7,
    maximum: 30,
    'x-unit': 'log2 of the rounds',
    description: 'ceiling for imported phpass hashes: each step doubles what a sign-in costs',
  },
  digest_max_iterations: {
    type: 'integer',
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    'x-unit': 'iterations',
    description: 'ceiling for imported digests that are iterated: time grows with it',
  },
} as const satisfies SettingSchemas;
