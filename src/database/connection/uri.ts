import { parse } from 'pg-connection-string';
import { cutUri, isPort, type UriParts } from '../../config/postgresql-uri.ts';
import { Parameters } from './parameters.ts';
import { addService } from './service.ts';
import { session } from './settings.ts';
import { takeTls, type Tls } from './tls.ts';

export interface Server {
  /** A name, an address without brackets, or the folder of a socket. */
  readonly host: string;
  readonly port: number;
  readonly ssl: Tls;
}

const kinds = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** As in libpq's `target_session_attrs`. */
export type ServerKind = (typeof kinds)[number];

export interface UriTarget {
  /** At least one, in the order of attempts. */
  readonly servers: readonly Server[];
  readonly kind: ServerKind;
  /** Absent: the name of the system's user, as in libpq. */
  readonly user?: string;
  readonly password?: string;
  /** Absent: the user's name. */
  readonly database?: string;
  /** 1 or more. */
  readonly connectTimeoutS?: number;
  /** TLS from the first byte on. */
  readonly isDirect: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** libpq's environment variables and their parameters (PostgreSQL 18 manual, 32.15). */
const variables = {
  PGHOST: 'host',
  PGPORT: 'port',
  PGDATABASE: 'dbname',
  PGUSER: 'user',
  PGPASSWORD: 'password',
  PGPASSFILE: 'passfile',
  PGSERVICE: 'service',
  PGSERVICEFILE: 'servicefile',
  PGOPTIONS: 'options',
  PGAPPNAME: 'application_name',
  PGCONNECT_TIMEOUT: 'connect_timeout',
  PGTARGETSESSIONATTRS: 'target_session_attrs',
  PGLOADBALANCEHOSTS: 'load_balance_hosts',
  PGHOSTADDR: 'hostaddr',
  PGREQUIREAUTH: 'require_auth',
  PGCHANNELBINDING: 'channel_binding',
  PGREQUIREPEER: 'requirepeer',
  PGGSSENCMODE: 'gssencmode',
  PGSSLMODE: 'sslmode',
  PGSSLNEGOTIATION: 'sslnegotiation',
  PGSSLCOMPRESSION: 'sslcompression',
  PGSSLCERT: 'sslcert',
  PGSSLKEY: 'sslkey',
  PGSSLCERTMODE: 'sslcertmode',
  PGSSLROOTCERT: 'sslrootcert',
  PGSSLCRL: 'sslcrl',
  PGSSLCRLDIR: 'sslcrldir',
  PGSSLSNI: 'sslsni',
  PGSSLMINPROTOCOLVERSION: 'ssl_min_protocol_version',
  PGSSLMAXPROTOCOLVERSION: 'ssl_max_protocol_version',
} as const;

/**
 * libpq's parameters that are not server settings, with the values for which omitting them changes nothing. The server would
 * refuse each as an unknown setting (PostgreSQL 18 manual, 32.1.2).
 */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  channel_binding: ['disable', 'prefer'],
  client_encoding: ['UTF8', 'utf8', 'UTF-8', 'utf-8', 'auto'],
  gssdelegation: ['0'],
  gssencmode: ['disable', 'prefer'],
  gsslib: [],
  hostaddr: [],
  keepalives: ['1'],
  keepalives_count: [],
  keepalives_idle: [],
  keepalives_interval: [],
  krbsrvname: [],
  load_balance_hosts: ['disable'],
  max_protocol_version: ['3.0', 'latest'],
  min_protocol_version: ['3.0'],
  passfile: [],
  replication: ['false', 'off', 'no', '0'],
  require_auth: [],
  requirepeer: [],
  ssl_max_protocol_version: [],
  ssl_min_protocol_version: ['TLSv1', 'TLSv1.1', 'TLSv1.2'],
  sslcertmode: ['allow', 'disable'],
  sslcompression: ['0'],
  sslcrl: [],
  sslcrldir: [],
  sslsni: ['1'],
  tcp_user_timeout: [],
};

const usualHost = 'localhost';
const usualPort = 5432;

/**
 * Reads a connection URI as libpq does; a service, then libpq's variables complete it.
 * @param environment with libpq's variables
 * @throws StartupError for an invalid URI, an unsupported parameter, or an unusable file; never with a part of the password
 */
export function readConnectionUri(
  uri: string,
  environment: Readonly<Record<string, string | undefined>> = {},
): UriTarget {
  const parameters = new Parameters();
  const cutIn = cutUri(uri);
  if (!cutIn.ok) throw parameters.refused('', cutIn.expected);
  addUri(parameters, cutIn.value);
  addVariables(parameters, environment, ['PGSERVICE', 'PGSERVICEFILE']);
  addService(parameters, environment);
  addVariables(parameters, environment, Object.keys(variables) as (keyof typeof variables)[]);
  return targetOf(parameters);
}

function addUri(parameters: Parameters, { account, servers, database, query }: UriParts): void {
  // The driver reads a plus sign as a blank, unlike libpq, and the files that takeTls reads.
  const { user, password } = parse(`postgresql://${account}host`);
  for (const [name, value] of new URLSearchParams(query.replaceAll('+', '%2B')))
    parameters.replace(name, value);
  const addresses = servers.map((server) => parse(`postgresql://${server}/`));
  parameters.offer('host', listed(addresses.map(({ host }) => host ?? '')));
  parameters.offer('port', listed(addresses.map(({ port }) => port ?? '')));
  parameters.offer('user', user);
  parameters.offer('password', password);
  parameters.offer('dbname', decodeURIComponent(database));
}

function listed(values: readonly string[]): string | undefined {
  return values.some((value) => value !== '') ? values.join(',') : undefined;
}

function addVariables(
  parameters: Parameters,
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly (keyof typeof variables)[],
): void {
  for (const name of names) parameters.offer(variables[name], environment[name], name);
}

function targetOf(parameters: Parameters): UriTarget {
  const [user, password, database] = ['user', 'password', 'dbname'].map((name) => parameters.take(name));
  // As in libpq, it is used only without another password.
  if (password !== undefined) parameters.take('passfile');
  leaveOut(parameters);
  const addresses = addressesOf(parameters);
  const kind = kindOf(parameters, addresses.length);
  const connectTimeoutS = timeoutOf(parameters);
  const tls = takeTls(parameters);
  const name = parameters.take('fallback_application_name');
  parameters.offer('application_name', name);
  const settings = parameters.rest;
  const own = Object.keys(session).find((each) => settings[each] !== undefined);
  if (own !== undefined) throw parameters.refused(own, "is the core's own: leave it out");
  return {
    servers: addresses.map((address) => ({ ...address, ssl: tls.ssl(address.host) })),
    kind,
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(connectTimeoutS !== undefined && { connectTimeoutS }),
    isDirect: tls.isDirect,
    settings,
  };
}

function leaveOut(parameters: Parameters): void {
  for (const [name, harmless] of Object.entries(leftOut)) {
    const value = parameters.get(name);
    if (value !== undefined && !harmless.includes(value)) {
      const all = harmless.length > 0 ? ` but for '${harmless.join("' and '")}'` : '';
      throw parameters.refused(name, `is not supported${all}: leave it out`);
    }
    parameters.take(name);
  }
}

function addressesOf(parameters: Parameters): { readonly host: string; readonly port: number }[] {
  const hosts = (parameters.get('host') ?? '').split(',').map((host) => (host === '' ? usualHost : host));
  const ports = (parameters.get('port') ?? '').split(',');
  if (ports.some((port) => port !== '' && !isPort(port)))
    throw parameters.refused('port', 'must be a whole number from 1 to 65535');
  if (ports.length > 1 && ports.length !== hosts.length)
    throw parameters.refused('port', 'must be one for all hosts, or one for each of them');
  for (const name of ['host', 'port']) parameters.take(name);
  const numbers = ports.map((port) => (port === '' ? usualPort : Number(port)));
  return hosts.map((host, place) => ({ host, port: numbers[place] ?? numbers[0] ?? usualPort }));
}

/** libpq takes the first server that answers. Writes need a primary, so among several a primary is searched. */
function kindOf(parameters: Parameters, servers: number): ServerKind {
  const written = parameters.get('target_session_attrs') ?? (servers > 1 ? 'read-write' : 'any');
  const kind = kinds.find((each) => each === written);
  if (kind === undefined)
    throw parameters.refused('target_session_attrs', `must be one of ${kinds.join(', ')}`);
  parameters.take('target_session_attrs');
  return kind;
}

/** As in libpq, empty, 0 and negative values count as unset. */
function timeoutOf(parameters: Parameters): number | undefined {
  const written = Number(parameters.get('connect_timeout') ?? '0');
  if (!Number.isInteger(written))
    throw parameters.refused('connect_timeout', 'must be a whole number of seconds');
  parameters.take('connect_timeout');
  return written > 0 ? written : undefined;
}
