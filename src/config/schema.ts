/**
 * Every setting of the core as JSON Schema: the source of parsing, checks, types, config.yaml and docs/reference/settings.md
 * (`npm run generate`).
 */
import { type SettingSchemas, text, type ValueOf } from './setting.ts';
import { requests } from './schema-requests.ts';
import { tenantProperties } from './schema-tenant.ts';

const storage = {
  postgresql_connection_uri: {
    type: 'string',
    format: 'postgresql-uri',
    writeOnly: true,
    'x-default': 'none: the core runs its own PostgreSQL under data_dir',
    description:
      'an existing PostgreSQL 15 or newer, for several cores or managed back-ups; on another host over TLS, best ?sslmode=verify-full',
  },
  places: {
    type: 'string',
    format: 'places',
    writeOnly: true,
    'x-unit': 'a list of name and uri, in an environment variable as JSON',
    'x-default': 'none: all apps are in one database',
    description:
      'further databases, each of which holds whole apps; postgresql_connection_uri has the names of all, and apps that are nowhere else: see the page places',
  },
  data_dir: {
    ...text,
    default: './data',
    'x-unit': "path; a relative one starts at the package's root",
    description: "the core's own PostgreSQL and the made API key live here: back it up",
  },
  postgresql_connection_pool_size: {
    type: 'integer',
    default: 10,
    'x-by-memory': true,
    minimum: 3,
    maximum: 1000,
    'x-unit': 'connections',
    description: 'must exceed import_lanes by 2 or more, so that an import never starves sign-ins',
  },
} as const satisfies SettingSchemas;

const hashing = {
  password_hashing_alg: {
    type: 'string',
    enum: ['ARGON2', 'BCRYPT'],
    default: 'ARGON2',
    description: 'for hashes made here; imported hashes keep theirs',
  },
  argon2_memory_kb: {
    type: 'integer',
    default: 19_456,
    minimum: 8,
    maximum: 4_194_304,
    'x-unit': 'KiB',
    description: 'memory of one hash made here, which an attacker needs for each guess, too',
  },
  argon2_iterations: {
    type: 'integer',
    default: 2,
    minimum: 1,
    maximum: 1000,
    'x-unit': 'passes',
    description: 'passes over that memory; raise it where memory is scarce',
  },
  argon2_parallelism: {
    type: 'integer',
    default: 1,
    minimum: 1,
    maximum: 255,
    'x-unit': 'lanes',
    description: 'lanes of one hash; 1 leaves the cores to other sign-ins',
  },
  bcrypt_log_rounds: {
    type: 'integer',
    default: 11,
    minimum: 4,
    maximum: 31,
    'x-unit': 'log2 of the rounds',
    description: 'cost of the hashes made here when password_hashing_alg is BCRYPT',
  },
  bcrypt_prefix: {
    type: 'string',
    enum: ['2b', '2y'],
    default: '2b',
    description:
      'how the bcrypt hashes made here begin; 2y where PHP (Laravel, WordPress) has to read them after a way back',
  },
  hashing_threads: {
    type: 'integer',
    'x-by-memory': true,
    minimum: 1,
    maximum: 1024,
    'x-unit': 'threads',
    'x-default': 'the number of cores',
    description: 'how many passwords are computed at once; more than cores only makes each slower',
  },
  hashing_memory_budget_mb: {
    type: 'integer',
    default: 1024,
    'x-by-memory': true,
    minimum: 16,
    maximum: 1_048_576,
    'x-unit': 'MiB',
    description: 'memory that all running hashes may take together; sign-ins over it wait',
  },
  hashing_queue_limit: {
    type: 'integer',
    default: 1024,
    minimum: 1,
    maximum: 1_000_000,
    'x-unit': 'passwords',
    description: 'how many may wait before the core answers 503: waiting longer does not help',
  },
} as const satisfies SettingSchemas;

const signIn = {
  upgrade_password_hashes: {
    type: 'boolean',
    default: true,
    description: 'after a right password, replace a hash that is weaker than those made here',
  },
  guesses_per_account: {
    type: 'integer',
    default: 10,
    minimum: 0,
    maximum: 1_000_000,
    'x-unit': 'wrong passwords',
    description:
      'wrong passwords from one address for one account before it is slowed down; 0 slows nothing down',
  },
  guesses_per_address: {
    type: 'integer',
    default: 100,
    minimum: 0,
    maximum: 1_000_000,
    'x-unit': 'wrong passwords',
    description:
      'wrong passwords from one address for all accounts together before it is slowed down; 0 slows nothing down',
  },
  client_address_header: {
    ...text,
    default: 'carryover-client-address',
    description:
      'the request header in which your backend states the address of the user: not one that a proxy fills in',
  },
  reveal_restrictions: {
    type: 'boolean',
    default: false,
    description:
      'report to a client with the right password why the user may not sign in; otherwise it is answered as a wrong one',
  },
} as const satisfies SettingSchemas;

const bulk = {
  import_lanes: {
    type: 'integer',
    default: 3,
    minimum: 1,
    maximum: 64,
    'x-unit': 'connections',
    description: 'how many chunks of a bulk import are written at once',
  },
  import_chunk_bytes: {
    type: 'integer',
    default: 1_048_576,
    minimum: 65_536,
    maximum: 16_777_216,
    'x-unit': 'bytes',
    description:
      'lines that are parsed, written and committed together: larger is faster, smaller resumes finer',
  },
  import_memory_budget_mb: {
    type: 'integer',
    default: 128,
    'x-by-memory': true,
    minimum: 8,
    maximum: 65_536,
    'x-unit': 'MiB',
    description:
      'memory for chunks in flight and bytes that arrive meanwhile; the sender is paused when it is used up',
  },
  job_retention_days: {
    type: 'integer',
    default: 30,
    minimum: 0,
    maximum: 3650,
    'x-unit': 'days',
    description:
      'how long an ended job keeps its rejects and what its undo needs, and a failed entry of the queue stays; 0: for ever',
  },
  allow_plain_text_import: {
    type: 'boolean',
    default: false,
    description: 'accept plain-text passwords in bulk files and hash them: slow, and the file is a secret',
  },
  allow_hash_export: {
    type: 'boolean',
    default: false,
    description: 'let exports carry password hashes, for moving on to another system',
  },
} as const satisfies SettingSchemas;

const process = {
  console: {
    type: 'boolean',
    'x-default': "true with the core's own PostgreSQL, else false",
    description:
      'serve pages at /console: to import, to watch a move, to help users; they ask for a key or a dashboard user',
  },
  test_mode: {
    type: 'boolean',
    default: false,
    description:
      'for test suites of applications, on a loopback address only: lifts the lower bounds of how long keys and sessions last',
  },
  drain_delay_ms: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 600_000,
    'x-unit': 'ms',
    description:
      'how long the core continues to serve after SIGTERM, not ready by /readyz, until balancers have noticed; 0 for none',
  },
  shutdown_timeout_ms: {
    type: 'integer',
    default: 10_000,
    minimum: 0,
    maximum: 600_000,
    'x-unit': 'ms',
    description: 'how long requests in flight may take after a stop signal',
  },
  audit_retention_days: {
    type: 'integer',
    default: 400,
    minimum: 0,
    maximum: 36_500,
    'x-unit': 'days',
    description: 'how long the audit log keeps who did what; 0: for ever',
  },
  log_level: {
    type: 'string',
    enum: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    description: 'the least severe lines that are written',
  },
} as const satisfies SettingSchemas;

/** In the order of config.yaml, under its headings. */
export const sections = {
  Requests: requests,
  Storage: storage,
  'Defaults that an app or a tenant may override': tenantProperties,
  'Password hashing': hashing,
  'Signing in': signIn,
  'Bulk import and export': bulk,
  Process: process,
} as const;

export const settings = {
  type: 'object',
  additionalProperties: false,
  properties: { ...requests, ...storage, ...tenantProperties, ...hashing, ...signIn, ...bulk, ...process },
} as const;

type Properties = (typeof settings)['properties'];
export type Key = keyof Properties;

/** One value for each key; absent only without a default. The machine decides the number of threads. */
export type Values = {
  readonly [K in Key]: Properties[K] extends { default: unknown } | { 'x-default': 'the number of cores' }
    ? ValueOf<Properties[K]>
    : ValueOf<Properties[K]> | undefined;
};
