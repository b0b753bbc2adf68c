import { digest } from '../domain/digests.ts';
import { closedSource } from './legacy/read-sources.ts';
import type { Values } from './schema.ts';
import { closedSessionSource } from './sources/session-sources.ts';

const bytesPerMiB = 1_048_576;
type Rule = readonly [boolean, string];

/**
 * Checks rules between several settings.
 * @param now ms since the epoch
 * @returns one line for the operator about the first broken rule
 */
export function brokenRule(values: Values, now: number): string | undefined {
  const budgetKb = values.hashing_memory_budget_mb * 1024;
  const needed = values.import_lanes + 2;
  const closed = closedSource(values.legacy_sources ?? [], now);
  const closedSessions = closedSessionSource(values.session_sources ?? [], now);
  const rules: readonly Rule[] = [
    [
      values.postgresql_connection_pool_size >= needed,
      `postgresql_connection_pool_size: must be at least import_lanes + 2 = ${needed}: raise it or lower import_lanes`,
    ],
    [
      values.argon2_memory_kb >= 8 * values.argon2_parallelism,
      'argon2_memory_kb: must be at least 8 for each lane of argon2_parallelism: raise it',
    ],
    [
      values.argon2_max_memory_kb <= budgetKb,
      'argon2_max_memory_kb: is more than hashing_memory_budget_mb holds: lower it or raise the budget',
    ],
    [
      values.scrypt_max_memory_mb <= values.hashing_memory_budget_mb,
      'scrypt_max_memory_mb: is more than hashing_memory_budget_mb: lower it or raise the budget',
    ],
    [
      values.import_lanes * values.import_chunk_bytes <= values.import_memory_budget_mb * bytesPerMiB,
      'import_memory_budget_mb: does not hold import_lanes chunks of import_chunk_bytes: raise it',
    ],
    [closed === undefined, `legacy_sources: ${closed ?? ''}`],
    [closedSessions === undefined, `session_sources: ${closedSessions ?? ''}`],
    [
      values.places === undefined || values.postgresql_connection_uri !== undefined,
      'places: needs postgresql_connection_uri, the database with the names of all apps: set it',
    ],
    keyRule(values),
    ...ownHashRules(values),
    ...sessionRules(values),
    ...loopbackRules(values),
  ];
  return rules.find(([holds]) => !holds)?.[1];
}

/** A key with all scopes that also had a name would be ambiguous. */
function keyRule({ api_keys: keys = [], named_keys: named = [] }: Values): Rule {
  const plain = keys.map(digest);
  const both = named.find(({ digests }) => digests.some((each) => plain.some((other) => other.equals(each))));
  return [
    both === undefined,
    `named_keys: key '${both?.name ?? ''}': is in api_keys too: remove it from one`,
  ];
}

/** Ceilings apply at sign-in too: a hash made here above its ceiling could never be used. */
function ownHashRules(values: Values): readonly Rule[] {
  const pairs = [
    ['bcrypt_log_rounds', 'bcrypt_max_cost'],
    ['argon2_memory_kb', 'argon2_max_memory_kb'],
    ['argon2_iterations', 'argon2_max_iterations'],
    ['argon2_parallelism', 'argon2_max_parallelism'],
  ] as const;
  return pairs.map(([cost, ceiling]) => [
    values[cost] <= values[ceiling],
    `${cost}: is above the ceiling ${ceiling}: lower it or raise the ceiling`,
  ]);
}

/** Rules between the lifetimes of keys and tokens; tests need lifetimes of seconds and skip them. */
function sessionRules(values: Values): readonly Rule[] {
  if (values.test_mode) return [];
  return [
    [
      values.access_token_dynamic_signing_key_update_interval >= 1,
      'access_token_dynamic_signing_key_update_interval: must be at least 1 (hours): raise it',
    ],
    [
      values.refresh_token_validity * 60 > values.access_token_validity,
      'refresh_token_validity: must be longer (in minutes) than access_token_validity (in seconds): raise it',
    ],
  ];
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

function loopbackRules({ host, require_api_key: required, test_mode: isTest }: Values): readonly Rule[] {
  const isLoopback = loopback.test(host);
  const cure = 'is for a core on a loopback address: set host to 127.0.0.1, or leave it out';
  return [
    [required || isLoopback, `require_api_key: false ${cure}`],
    [!isTest || isLoopback, `test_mode: true ${cure}`],
  ];
}
