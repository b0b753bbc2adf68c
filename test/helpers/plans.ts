/** Plans of the server, and parts of them that would take time in proportion to the size of a table. */
import type { Database, Parameter, Planned } from '../../src/database/database.ts';

export interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Function Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Parent Relationship'?: string;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
}

export interface Statement {
  readonly name: string;
  readonly planned: Planned;
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** Those that are planned once, as the driver does: prepared, and run with every value given. */
export async function prepare(database: Database, statements: readonly Statement[]): Promise<void> {
  for (const [n, { planned, text }] of statements.entries()) {
    if (planned === 'once') await database.read(`prepare planned_${n} as ${text}`);
    await planOf(database, statements, n);
  }
}

/** The cached plan, or a new one. On the one connection of a database, so that it is the prepared one. */
export async function planOf(database: Database, statements: readonly Statement[], n: number): Promise<Plan> {
  const { planned, text = '', parameters = [] } = statements[n] ?? {};
  const literals = parameters.map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  );
  const values = literals.length > 0 ? `(${literals.join(', ')})` : '';
  if (planned === 'once') return explain(database, `execute planned_${n} ${values}`);
  await database.read(`prepare planned_now as ${text}`);
  const plan = await explain(database, `execute planned_now ${values}`);
  await database.read('deallocate planned_now');
  return plan;
}

export async function explain({ read }: Database, text: string): Promise<Plan> {
  const [row] = await read<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (verbose, format json) ${text}`);
  if (!row) throw new Error('no plan');
  return row['QUERY PLAN'][0].Plan;
}

export const largeTables = [
  'users',
  'identities',
  'tokens',
  'verified_emails',
  'external_id_info',
  'own_external_ids',
  'user_details',
  'former_heads',
  'tombstones',
  'awaited_ids',
  'sign_ins',
  'sessions',
  'carried_sessions',
  'opaque_tokens',
  'roles',
  'role_permissions',
  'text_metadata',
  'user_roles',
  'totp_devices',
  'totp_codes',
  'passwordless_devices',
  'passwordless_codes',
  'dashboard_users',
  'dashboard_sessions',
  'former_identities',
  'import_claims',
  'import_met',
  'import_conflicts',
  'import_rejects',
  'import_before_images',
  'import_queue',
  'import_series',
  'move_outcomes',
  'move_changes',
  'move_written',
  'move_passwords',
];

/**
 * Every index begins with the app. The column that narrows it down to few rows, or at which a page of a list begins: without a
 * condition on it, all rows of an app, of a tenant or of a job would be read.
 */
const narrowingColumn: Readonly<Record<string, string>> = {
  users_pkey: 'user_id',
  carried_sessions_pkey: 'token_digest',
  opaque_tokens_pkey: 'token_digest',
  opaque_tokens_of_user: 'user_id',
  users_external_id: 'external_id',
  users_linked: 'primary_user_id',
  users_third_party_email: 'email',
  identities_pkey: 'key',
  identities_of_tenant: 'user_id',
  identities_of_tenant_by_key: 'key',
  verified_emails_pkey: 'user_id',
  tokens_pkey: 'token_hash',
  tokens_of_user: 'user_id',
  external_id_info_pkey: 'user_id',
  own_external_ids_pkey: 'external_id',
  own_external_ids_of_user: 'user_id',
  user_details_pkey: 'user_id',
  former_heads_pkey: 'user_id',
  tombstones_pkey: 'digest',
  tombstones_of_person: 'person',
  tombstones_made_in: 'made_in',
  awaited_ids_pkey: 'mark',
  awaited_ids_made_in: 'made_in',
  user_details_restricted: 'user_id',
  user_details_unsealed: 'user_id',
  sign_ins_pkey: 'user_id',
  sign_ins_active: 'active_at',
  sessions_pkey: 'handle',
  roles_pkey: 'role',
  role_permissions_pkey: 'role',
  role_permissions_by_permission: 'permission',
  text_metadata_pkey: 'user_key',
  user_roles_pkey: 'user_key',
  user_roles_by_role: 'role',
  // Apps have hardly any of these.
  user_roles_bare: 'app_no',
  totp_devices_bare: 'app_no',
  sessions_of_user: 'user_key',
  totp_devices_pkey: 'user_key',
  totp_codes_pkey: 'user_key',
  passwordless_devices_pkey: 'device_hash',
  passwordless_devices_of_email: 'email',
  passwordless_devices_of_phone: 'phone',
  passwordless_codes_pkey: 'code_id',
  passwordless_codes_link: 'link_hash',
  passwordless_codes_of_device: 'device_hash',
  dashboard_users_pkey: 'user_id',
  dashboard_users_email: 'email',
  dashboard_sessions_pkey: 'handle',
  dashboard_sessions_of_user: 'user_id',
  former_identities_pkey: 'key',
  former_identities_of_user: 'user_id',
  import_claims_pkey: 'key',
  import_met_pkey: 'job_id',
  import_conflicts_pkey: 'line',
  import_conflicts_of_user: 'user_id',
  import_conflicts_of_person: 'external_user_id',
  import_absent_of_user: 'user_id',
  import_rejects_pkey: 'line',
  import_rejects_of_person: 'external_user_id',
  import_before_images_pkey: 'user_id',
  import_before_images_of_user: 'user_id',
  import_queue_pkey: 'entry_id',
  import_series_pkey: 'series',
  import_queue_traces: 'traces',
  move_outcomes_pkey: 'person',
  move_changes_pkey: 'move_no',
  move_changes_refused: 'user_id',
  move_changes_removals: 'user_id',
  move_written_pkey: 'user_id',
  move_passwords_pkey: 'mark',
  move_passwords_written: 'user_id',
};

/** The column that an index begins with if it is not that of its kind. */
const leadingColumn: Readonly<Record<string, string>> = {
  former_identities_of_user: 'user_id',
  opaque_tokens_of_user: 'user_id',
  import_queue_traces: 'traces',
  sign_ins_active: 'active_at',
  import_before_images_of_user: 'user_id',
  move_passwords_written: 'user_id',
  // For all apps together, few were added since the last look.
  tombstones_made_in: 'made_in',
  awaited_ids_made_in: 'made_in',
};

/** Functions of PostgreSQL that read only their arguments. */
const harmlessFunctions = ['jsonb_array_elements_text', 'unnest', 'jsonb_each_text', 'jsonb_array_elements'];

/** Parts that would take time in proportion to the size of a table. */
export function faultsOf(plan: Plan): string[] {
  const own = faultOf(plan);
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(faultsOf)];
}

function faultOf(plan: Plan): string | undefined {
  const type = plan['Node Type'];
  // Several arrays in one unnest have no name.
  const called = type === 'Function Scan' ? (plan['Function Name'] ?? 'unnest') : 'unnest';
  if (!harmlessFunctions.includes(called)) return `${called} is not inlined, so its plan is hidden`;
  const relation = plan['Relation Name'] ?? '';
  if (type.startsWith('Gather'))
    return 'workers of its own, which take longer to start than its rows to read';
  if (type === 'Seq Scan' && largeTables.includes(relation)) return `sequential scan of ${relation}`;
  // A bitmap index scan names only its index.
  const index = plan['Index Name'];
  // Small tables, the last one with rows that live for minutes, by their whole key.
  if (
    index === undefined ||
    /^(apps|tenants|import_jobs|moves|move_leases|move_rounds|guess_buckets)_/.test(index)
  )
    return undefined;
  const condition = plan['Index Cond'] ?? 'nothing';
  const narrowing = narrowingColumn[index] ?? 'a column that this test does not know';
  const leading = leadingColumn[index] ?? 'app_no';
  const bounded = [leading, narrowing].every((column) =>
    new RegExp(`\\b${column} (=|>=|<=|>|@>) `).test(condition),
  );
  return bounded ? undefined : `${type} by ${index} along ${condition}`;
}

/** Parts that would read all rows of the batch again for each row of it. */
export function squaresOf(plan: Plan, whole = JSON.stringify(plan)): string[] {
  const own = (plan.Plans ?? []).filter(readsBatch).flatMap((child) => {
    const name = child['Subplan Name'] ?? '';
    const relationship = child['Parent Relationship'];
    if (relationship === 'SubPlan' && !whole.includes(`hashed ${name}`)) return [`${name} for each row`];
    const isRepeated = plan['Node Type'] === 'Nested Loop' && relationship === 'Inner';
    return isRepeated ? ['a nested loop over the batch'] : [];
  });
  return [...own, ...(plan.Plans ?? []).flatMap((child) => squaresOf(child, whole))];
}

function readsBatch({ 'Node Type': type, Plans = [] }: Plan): boolean {
  const isLookUp = Plans.some((child) => child['Node Type'].includes('Index'));
  return type === 'CTE Scan' || type === 'Function Scan' || (!isLookUp && Plans.some(readsBatch));
}
