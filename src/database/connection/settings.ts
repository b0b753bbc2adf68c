/** The schema of the tables, so that a shared database's own `users` stays untouched. */
export const schemaName = 'carryover';

/**
 * Session settings that the statements rely on, written as the server shows them: server-check.ts compares.
 *
 * Tables may grow from empty to millions of rows on one connection, and a cached plan from an empty table may read a whole app
 * for each item. So most statements are planned each time (0.2 to 1 ms, shared by a batch), with costs that favour few rows; only
 * statements with one possible plan are cached. test/store/plans.test.ts checks every plan.
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
  // As many times the default as a row costs: otherwise workers start for each page of a large table.
  parallel_setup_cost: '1e+06',
  parallel_tuple_cost: '100',
  jit: 'off',
  // Otherwise five custom plans would precede the cached one.
  plan_cache_mode: 'force_generic_plan',
  // A role or a database may set these differently. With serializable, an import takes eight times as long.
  default_transaction_isolation: 'read committed',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_session_timeout: '0',
  // Longer than a statement may take: then the core is gone, and its locks must be released.
  idle_in_transaction_session_timeout: '2min',
};

/** The driver treats a key with the value undefined as set. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
