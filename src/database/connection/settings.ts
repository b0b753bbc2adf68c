/** Where the tables live, so that a shared database's own `users` is left alone. */
export const schemaName = 'carryover';

/**
 * What the statements rely on, for each connection.
 *
 * Every statement here is a look-up by index on tables that may grow from nothing to millions of rows within one
 * connection's life and long before the server gathers statistics. A plan that was made on empty tables and kept reads
 * all of an app for each item, as an index on the app alone then looks as good as the whole key. So most statements are
 * sent unnamed and planned again (0.2 to 1 ms, shared by the items of a batch), at costs by which touching few rows is
 * everything. Only those that leave the planner no choice are named, and then keep the plan of their first time.
 * test/store/plans.test.ts looks at every plan.
 *
 * Values are written as the server shows them: server-check.ts compares.
 */
export const session: Readonly<Record<string, string>> = {
  search_path: schemaName,
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_material: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  cpu_tuple_cost: '10',
  random_page_cost: '0.1',
  jit: 'off',
  // For any values: five plans for those of the moment would come before one that is kept.
  plan_cache_mode: 'force_generic_plan',
  // A role or a database may have these otherwise, for people at a prompt. Serializable, an import takes eight times as long.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_session_timeout: '0',
  // Longer than a statement may take here: then its core is gone, and must not go on holding its locks.
  idle_in_transaction_session_timeout: '2min',
};

/** The driver takes a key that is there for one that is set. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
