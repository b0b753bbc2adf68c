/** Connects to the database of an old system. */

import { type Address, readAddress } from './engines/address.ts';
import type { Engine, WritingEngine } from './engines/engine.ts';
import type { DatabaseProvider } from '../providers/provider.ts';
import { SourceFault } from './fault.ts';

export interface DatabaseAddress {
  /** A URL. */
  readonly text: string;
  /** Instead of the URL's. */
  readonly password: string | undefined;
  /** The values of libpq's variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** @throws SourceFault for an invalid address, or a database that the provider does not support */
export async function openDatabase(
  { name, database }: DatabaseProvider,
  where: DatabaseAddress,
): Promise<Engine> {
  const address = readAddress(where.text, where.password);
  if (!database.engines.includes(address.engine))
    throw new SourceFault(
      `${name} is read from ${database.engines.map((each) => titles[each]).join(' or ')} only: export its users into a file, and import that`,
    );
  return connect(address, where.environment ?? {});
}

const titles = { postgres: 'PostgreSQL', mysql: 'MySQL' } as const;

/** As openDatabase, to change rows. @throws SourceFault */
export async function openToWrite(
  { name, database }: DatabaseProvider,
  where: DatabaseAddress,
): Promise<WritingEngine> {
  const { url, engine } = readAddress(where.text, where.password);
  if (!database.engines.includes(engine))
    throw new SourceFault(`${name} is in ${database.engines.map((each) => titles[each]).join(' or ')} only`);
  if (engine === 'mysql') return (await import('./engines/mysql.ts')).openMysqlToWrite(url);
  return (await import('./engines/postgres.ts')).openPostgresToWrite(url, where.environment ?? {});
}

/** Loads only the driver that is needed. */
async function connect(
  { url, engine }: Address,
  environment: NonNullable<DatabaseAddress['environment']>,
): Promise<Engine> {
  if (engine === 'postgres') return (await import('./engines/postgres.ts')).openPostgres(url, environment);
  return (await import('./engines/mysql.ts')).openMysql(url);
}
