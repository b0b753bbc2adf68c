import { refused, take } from './parameters.ts';
import { session } from './settings.ts';
import { takeTls, type Tls } from './tls.ts';

/** A connection URI for the driver, which takes some of its parameters otherwise than libpq does. */
export interface UriTarget {
  readonly uri: string;
  /** Of a socket whose folder stands in the query, as libpq has it: `?host=/run/postgresql`. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly ssl?: Tls | undefined;
}

/**
 * What libpq knows beside a server's settings, and at which values leaving it out changes nothing. The server would refuse
 * each of them as a setting that it does not know (PostgreSQL 18 manual, 32.1.2).
 */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  channel_binding: ['disable', 'prefer'],
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
  passfile: [],
  require_auth: [],
  requirepeer: [],
  service: [],
  ssl_max_protocol_version: [],
  ssl_min_protocol_version: ['TLSv1', 'TLSv1.1', 'TLSv1.2'],
  sslcertmode: ['allow', 'disable'],
  sslcompression: ['0'],
  sslcrl: [],
  sslcrldir: [],
  sslsni: ['1'],
  tcp_user_timeout: [],
};

/**
 * @param uri that `URL` can parse
 * @throws StartupError for a parameter that cannot be honoured, or a file that one of them names and that cannot be used
 */
export function readConnectionUri(uri: string): UriTarget {
  const url = new URL(uri);
  const parameters = url.searchParams;
  leaveOut(parameters);
  const own = Object.keys(session).find((name) => parameters.has(name));
  if (own !== undefined) throw refused(own, "is the core's own: leave it out");
  const [host, port] = [take(parameters, 'host'), take(parameters, 'port')];
  const tls = takeTls(parameters, host ?? url.hostname);
  return {
    uri: url.href,
    host,
    port: port === undefined ? undefined : portOf(port),
    // As in libpq, a socket has none.
    ssl: host?.startsWith('/') === true ? false : tls,
  };
}

function portOf(written: string): number {
  const port = Number(written);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw refused('port', 'must be a whole number from 1 to 65535');
  return port;
}

function leaveOut(parameters: URLSearchParams): void {
  for (const [name, harmless] of Object.entries(leftOut)) {
    const value = take(parameters, name);
    if (value === undefined || harmless.includes(value)) continue;
    const all = harmless.length > 0 ? ` but for '${harmless.join("' and '")}'` : '';
    throw refused(name, `is not supported${all}: leave it out`);
  }
}
