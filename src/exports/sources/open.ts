/** Connects to the database of an old system. */

import { type Address, readAddress } from './engines/address.ts';
import type { Engine } from './engines/engine.ts';
import { type Source, SourceFault } from './source.ts';

export interface DatabaseAddress {
  /** A URL. */
  readonly text: string;
  /** Instead of the URL's. */
  readonly password: string | undefined;
  /** The values of libpq's variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** @throws SourceFault for an invalid address, or a database that the source's system does not support */
export async function openDatabase(source: Source, where: DatabaseAddress): Promise<Engine> {
  const address = readAddress(where.text, where.password);
  if (!source.engines.includes(address.engine))
    throw new SourceFault(
      `${source.provider} is read from ${source.engines.map((name) => titles[name]).join(' or ')} only: export its users into a file, and import that`,
    );
  return connect(address, where.environment ?? {});
}

const titles = { postgres: 'PostgreSQL', mysql: 'MySQL' } as const;

/** Loads only the driver that is needed. */
async function connect(
  { url, engine }: Address,
  environment: NonNullable<DatabaseAddress['environment']>,
): Promise<Engine> {
  if (engine === 'postgres') return (await import('./engines/postgres.ts')).openPostgres(url, environment);
  return (await import('./engines/mysql.ts')).openMysql(url);
}
