import type { Database } from '../../database/database.ts';

/** @returns the numbers of an app's tenants by their names */
export async function tenantNumbers(
  { read }: Pick<Database, 'read'>,
  appNo: number,
): Promise<Readonly<Record<string, number>>> {
  const rows = await read<{ tenant_id: string; tenant_no: number }>(
    'select tenant_id, tenant_no from tenants where app_no = $1',
    [appNo],
  );
  return Object.fromEntries(rows.map((row) => [row.tenant_id, row.tenant_no]));
}
