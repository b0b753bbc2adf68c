import { StartupError } from '../startup-error.ts';
import type { Database } from './database.ts';

const oldest = 15;

/** Settings by which a server forgets, in a crash, what it has said is committed; and the value that does it. */
const forgetful = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } as const;

/**
 * Looks at a server before anything is made there.
 * @returns which of its settings let it lose what it has acknowledged
 * @throws StartupError for one that is too old, or a database that cannot hold every text
 */
export async function checkServer({ read }: Database): Promise<string[]> {
  const names = ['server_version', 'server_version_num', 'server_encoding', ...Object.keys(forgetful)];
  const rows = await read<{ name: string; setting: string }>(
    `select name, current_setting(name) as setting from unnest($1::text[]) name`,
    [`{${names.join(',')}}`],
  );
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]));
  if (Number(settings.get('server_version_num')) < oldest * 10_000)
    throw new StartupError(
      `The database's PostgreSQL is ${settings.get('server_version') ?? 'unknown'}: the core needs ${oldest} or newer`,
    );
  const encoding = settings.get('server_encoding') ?? 'unknown';
  if (encoding !== 'UTF8')
    throw new StartupError(
      `The database's encoding is ${encoding}, which cannot hold every email: give the core one made by "create database … encoding 'UTF8' template template0"`,
    );
  return Object.entries(forgetful)
    .filter(([name, value]) => settings.get(name) === value)
    .map(([name]) => name);
}
