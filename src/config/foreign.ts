/** Settings of other programs' images. Ignoring them would start a core with an empty database, or an open one. */
import type { Key } from './schema.ts';

interface Foreign {
  /** If this one is set, the other is not meant for the core. */
  readonly unless?: Key;
  readonly cure: string;
}

const uri = (how = 'postgresql://user:password@host:5432/database'): Foreign => ({
  unless: 'postgresql_connection_uri',
  cure: `write POSTGRESQL_CONNECTION_URI=${how}`,
});
const named = (name: Key): Foreign => ({ unless: name, cure: `write ${name.toUpperCase()}` });
const ownSchema: Foreign = {
  unless: 'postgresql_connection_uri',
  cure: "the core's tables are in the schema carryover: remove it, and write POSTGRESQL_CONNECTION_URI",
};
const none = (cure: string): Foreign => ({ cure });

/** By environment variable; in config.yaml the same in lower case. */
const foreign: Readonly<Record<string, Foreign>> = {
  POSTGRESQL_HOST: uri(),
  POSTGRESQL_PORT: uri(),
  POSTGRESQL_USER: uri(),
  POSTGRESQL_PASSWORD: uri(),
  POSTGRESQL_PASSWORD_FILE: uri(
    'postgresql://user:password@host:5432/database, or POSTGRESQL_CONNECTION_URI_FILE with a file of it',
  ),
  POSTGRESQL_DATABASE_NAME: uri(),
  POSTGRESQL_TABLE_SCHEMA: ownSchema,
  POSTGRESQL_TABLE_NAMES_PREFIX: ownSchema,
  POSTGRES_CONNECTION_URI: uri('the same'),
  POSTGRES_URL: uri('the same'),
  POSTGRESQL_URL: uri('the same'),
  POSTGRESQL_URI: uri('the same'),
  DATABASE_URL: uri('the same'),
  DATABASE_URI: uri('the same'),
  POSTGRES_HOST: uri(),
  POSTGRES_USER: uri(),
  POSTGRES_PASSWORD: uri(),
  POSTGRES_PASSWORD_FILE: uri(
    'postgresql://user:password@host:5432/database, or POSTGRESQL_CONNECTION_URI_FILE with a file of it',
  ),
  POSTGRES_DB: uri(),
  DB_HOST: uri(),
  MYSQL_CONNECTION_URI: uri('postgresql://…: the core needs a PostgreSQL'),
  MYSQL_HOST: uri('postgresql://…: the core needs a PostgreSQL'),
  MONGODB_CONNECTION_URI: uri('postgresql://…: the core needs a PostgreSQL'),
  API_KEY: named('api_keys'),
  SUPERTOKENS_API_KEY: named('api_keys'),
  SUPERTOKENS_API_KEYS: named('api_keys'),
  SUPERTOKENS_HOST: named('host'),
  SUPERTOKENS_PORT: named('port'),
  ENCRYPTION_KEY: named('encryption_keys'),
  IP_ALLOW_REGEX: none('a proxy or a firewall allows addresses: configure it there, and remove this'),
  IP_DENY_REGEX: none('a proxy or a firewall blocks addresses: configure it there, and remove this'),
  BASE_PATH: none('the core answers at / only: let a proxy take the path away, and remove this'),
};

/**
 * @param environment the process's own
 * @param isSet whether one of our settings is set in the environment or the file
 * @returns a line about the first one found, without its value
 */
export function foreignSetting(
  environment: Readonly<Record<string, string | undefined>>,
  isSet: (key: Key) => boolean,
): string | undefined {
  for (const [name, { unless, cure }] of Object.entries(foreign)) {
    if ((environment[name] ?? '') === '' || (unless !== undefined && isSet(unless))) continue;
    return `${name} is no setting here: ${cure}`;
  }
  return undefined;
}

/** The cure for a key of config.yaml that belongs to another program. */
export function foreignCure(key: string): string | undefined {
  const name = key.toUpperCase();
  return Object.hasOwn(foreign, name) ? foreign[name]?.cure : undefined;
}
