/** Where a database is: the URL of the command line, and the password that stands elsewhere. */

import { type EngineName, SourceFault } from '../source.ts';

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

/** @param password takes the place of the URL's; undefined: the URL's stays @throws SourceFault without the text */
export function readAddress(text: string, password: string | undefined): Address {
  if (!URL.canParse(text))
    throw new SourceFault(
      'The address is no URL: write postgres://user@host:5432/database, with %-escapes for @ : / # ? in a password',
    );
  const url = new URL(text);
  const engine = engines[url.protocol];
  if (engine === undefined) throw new SourceFault('The address must begin with postgres:// or mysql://');
  // The setter leaves a URL without a host as it is: a socket's, whose password then goes by the query.
  if (password !== undefined && url.hostname !== '') url.password = encodeURIComponent(password);
  else if (password !== undefined && engine === 'postgres') url.searchParams.set('password', password);
  return { url, engine };
}

/** A name as the server takes it, whatever is in it. */
export function quoteWith(mark: '"' | '`'): (name: string) => string {
  return (name) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
}
