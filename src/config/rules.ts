import type { Values } from './schema.ts';

const bytesPerMiB = 1_048_576;
/** Whether it holds, and what to say when it does not. */
type Rule = readonly [boolean, string];

/**
 * Checks what no setting can know alone.
 * @returns one line for the operator about the first rule that is broken, else undefined.
 */
export function brokenRule(values: Values): string | undefined {
  const budgetKb = values.hashing_memory_budget_mb * 1024;
  const needed = values.import_lanes + 2;
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
    ...ownHashRules(values),
  ];
  return rules.find(([holds]) => !holds)?.[1];
}

/** The ceilings hold at sign-in too: a hash made here above its own ceiling could never be used. */
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
