import { isMark } from '../../config/legacy/mark.ts';
import type { Database } from '../../database/database.ts';

/** Users whose password an old system still knows, in all apps of a database. */
export interface MarkedUsers {
  readonly source: string;
  readonly users: number;
}

/** Reads the index of marks and nothing else. */
const countAll = `
  select substr(password_hash, length('$legacy$') + 1) as source, count(*)::int as users
  from users where ${isMark('password_hash')} group by password_hash`;

export async function countMarked(
  databases: readonly Pick<Database, 'read'>[],
): Promise<readonly MarkedUsers[]> {
  const counts = await Promise.all(databases.map(({ read }) => read<MarkedUsers>(countAll, [])));
  return counts.flat();
}
