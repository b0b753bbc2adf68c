/** The address of a database: the URL of the command line, and the password from elsewhere. */

import type { EngineName } from '../../providers/database.ts';
import { SourceFault } from '../fault.ts';

const engines: Readonly<Partial<Record<string, EngineName>>> = {
  'postgres:': 'postgres',
  'postgresql:': 'postgres',
  'mysql:': 'mysql',
  'mariadb:': 'mysql',
};

export interface Address {
  readonly url: URL;
  readonly engine: EngineName;
}

/** @param password replaces the URL's; undefined: the URL's is used @throws SourceFault without the text */
export function readAddress(text: string, password: string | undefined): Address {
  if (!URL.canParse(text))
    throw new SourceFault(
      'The address is no URL: write postgres://user@host:5432/database, with %-escapes for @ : / # ? in a password',
    );
  const url = new URL(text);
  const engine = engines[url.protocol];
  if (engine === undefined) throw new SourceFault('The address must begin with postgres:// or mysql://');
  // The setter does not change a URL without a host: a socket's, whose password is then put in the query.
  if (password !== undefined && url.hostname !== '') url.password = encodeURIComponent(password);
  else if (password !== undefined && engine === 'postgres') url.searchParams.set('password', password);
  return { url, engine };
}

const usualPorts: Readonly<Record<EngineName, string>> = { postgres: '5432', mysql: '3306' };

/** @returns what names the database, without user, password and options: `mysql://db.example.com:3306/shop` */
export function identityOf({ url, engine }: Address): string {
  const { hostname, port, pathname } = url;
  const where = hostname === '' ? '' : `${hostname.toLowerCase()}:${port === '' ? usualPorts[engine] : port}`;
  return `${engine}://${where}${pathname}`;
}

/** A name as the server accepts it, whatever it contains. */
export function quoteWith(mark: '"' | '`'): (name: string) => string {
  return (name) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}
