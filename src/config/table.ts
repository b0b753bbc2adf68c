/**
 * Every setting of the core, in the order of config.yaml: the one table that parsing, defaults and the file's text come from.
 */
import os from 'node:os';
import { tenantTable } from './tenant-settings.ts';
import type { PEPPER, SIGNER_KEY } from './tenant-settings.ts';
import { apiKeyList, boolean, integer, postgresqlUri, text, word } from './kinds.ts';
import type { Setting } from './kinds.ts';

const networkTable = {
  host: text({
    default: '127.0.0.1',
    why: 'address to listen on; 0.0.0.0 for all, behind a proxy that speaks TLS',
  }),
  port: integer({ default: 3567, min: 0, max: 65_535, why: 'port to listen on; 0 takes a free one' }),
  api_keys: apiKeyList({
    secret: true,
    defaultNote: 'none: the first start makes one and keeps it in data_dir',
    unit: 'keys between commas, 20 characters or more each',
    why: 'who may call the core; give the old and the new key while you rotate',
  }),
  max_body_bytes: integer({
    default: 65_536,
    min: 1024,
    max: 16_777_216,
    unit: 'bytes',
    why: 'largest JSON body of one request; bulk import streams have no such limit',
  }),
  wait_limit_ms: integer({
    default: 3000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    why: 'how long a request waits for a thread or the database before it is 503: less than your app waits for an answer',
  }),
  front_end: word({
    words: ['AUTO', 'UWEBSOCKETS', 'NODE_HTTP'],
    default: 'AUTO',
    why: 'what speaks HTTP, UWEBSOCKETS or NODE_HTTP; AUTO: the first where it has a binary for this platform and Node',
  }),
};

const storeTable = {
  postgresql_connection_uri: postgresqlUri({
    secret: true,
    defaultNote: 'none: the core runs a PostgreSQL of its own under data_dir',
    why: 'an existing PostgreSQL 15 or newer, for several cores or managed back-ups; on another host over TLS, best ?sslmode=verify-full',
  }),
  data_dir: text({
    default: './data',
    unit: "path; a relative one starts at the package's root",
    why: "the core's own PostgreSQL and the made API key live here: back it up",
  }),
  postgresql_connection_pool_size: integer({
    default: 10,
    min: 3,
    max: 1000,
    unit: 'connections',
    why: 'must exceed import_lanes by 2 or more, so that an import never starves sign-ins',
  }),
};

const hashingTable = {
  password_hashing_alg: word({
    words: ['ARGON2', 'BCRYPT'],
    default: 'ARGON2',
    why: 'for the hashes made here; imported ones keep their own',
  }),
  argon2_memory_kb: integer({
    default: 19_456,
    min: 8,
    max: 4_194_304,
    unit: 'KiB',
    why: 'memory of one hash made here: what an attacker needs for each guess, too',
  }),
  argon2_iterations: integer({
    default: 2,
    min: 1,
    max: 1000,
    unit: 'passes',
    why: 'passes over that memory; raise it where memory is scarce',
  }),
  argon2_parallelism: integer({
    default: 1,
    min: 1,
    max: 255,
    unit: 'lanes',
    why: 'lanes of one hash; 1 leaves the cores to other sign-ins',
  }),
  bcrypt_log_rounds: integer({
    default: 11,
    min: 4,
    max: 31,
    unit: 'log2 of the rounds',
    why: 'cost of the hashes made here when password_hashing_alg is BCRYPT',
  }),
  hashing_threads: integer({
    min: 1,
    max: 1024,
    unit: 'threads',
    defaultNote: 'the number of cores',
    why: 'how many passwords are computed at once; more than cores only makes each slower',
  }),
  hashing_memory_budget_mb: integer({
    default: 1024,
    min: 16,
    max: 1_048_576,
    unit: 'MiB',
    why: 'memory that all running hashes may take together; sign-ins over it wait',
  }),
  hashing_queue_limit: integer({
    default: 1024,
    min: 1,
    max: 1_000_000,
    unit: 'passwords',
    why: 'how many may wait before the core answers 503: waiting longer helps nobody',
  }),
};

const signInTable = {
  upgrade_password_hashes: boolean({
    default: true,
    why: 'after a right password, replace a hash that is weaker than those made here',
  }),
  guesses_per_account: integer({
    default: 10,
    min: 0,
    max: 1_000_000,
    unit: 'wrong passwords',
    why: 'what one address may try at one account before it is slowed down; 0 slows nobody down',
  }),
  guesses_per_address: integer({
    default: 100,
    min: 0,
    max: 1_000_000,
    unit: 'wrong passwords',
    why: 'what one address may try at all accounts together before it is slowed down; 0 slows nobody down',
  }),
  client_address_header: text({
    default: 'carryover-client-address',
    why: 'the request header in which your backend says where the person is: none that a proxy fills by itself',
  }),
  reveal_restrictions: boolean({
    default: false,
    why: 'tell who gives the right password why they may not sign in; otherwise it is answered as a wrong one',
  }),
};

const importTable = {
  import_lanes: integer({
    default: 3,
    min: 1,
    max: 64,
    unit: 'connections',
    why: 'how many chunks of a bulk import are written at once',
  }),
  import_chunk_bytes: integer({
    default: 1_048_576,
    min: 65_536,
    max: 16_777_216,
    unit: 'bytes',
    why: 'lines that are parsed, written and committed together: larger is faster, smaller resumes finer',
  }),
  import_memory_budget_mb: integer({
    default: 128,
    min: 8,
    max: 65_536,
    unit: 'MiB',
    why: 'memory for chunks in flight and what arrives meanwhile; the sender is paused when it is used up',
  }),
  job_retention_days: integer({
    default: 30,
    min: 0,
    max: 3650,
    unit: 'days',
    why: 'how long an ended job keeps its rejects and what its undo needs, and a failed entry of the queue stays; 0: for ever',
  }),
  allow_plain_text_import: boolean({
    default: false,
    why: 'accept plain-text passwords in bulk files and hash them: slow, and the file is a secret',
  }),
  allow_hash_export: boolean({
    default: false,
    why: 'let exports carry password hashes, for moving on to another system',
  }),
};

const processTable = {
  shutdown_timeout_ms: integer({
    default: 10_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    why: 'how long requests in flight may take after a stop signal',
  }),
  log_level: word({
    words: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    why: 'the least severe lines that are written',
  }),
};

export const table = {
  ...networkTable,
  ...storeTable,
  ...tenantTable,
  ...hashingTable,
  ...signInTable,
  ...importTable,
  ...processTable,
};

/** The same table under headings, for the text of config.yaml. */
export const sections: Readonly<Record<string, Readonly<Record<string, Setting<unknown>>>>> = {
  Requests: networkTable,
  Storage: storeTable,
  'Defaults that an app or a tenant may override': tenantTable,
  'Password hashing': hashingTable,
  'Signing in': signInTable,
  'Bulk import and export': importTable,
  Process: processTable,
};

export type Key = keyof typeof table;
type ValueOf<S> = S extends Setting<infer T> ? T : never;
/** One value for each key: what was written, else the default, else undefined. */
export type Values = { -readonly [K in Key]: ValueOf<(typeof table)[K]> | undefined };

/** After the defaults only these may still be absent. */
export type Complete = {
  readonly [K in Key]: K extends typeof SIGNER_KEY | typeof PEPPER | 'postgresql_connection_uri' | 'api_keys'
    ? Values[K]
    : NonNullable<Values[K]>;
};

/** @returns the default for a key; the number of threads is asked from the machine. */
export function defaultFor(key: Key): unknown {
  return key === 'hashing_threads' ? os.availableParallelism() : table[key].default;
}
