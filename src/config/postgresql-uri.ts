/** Splits a connection URI as PostgreSQL's own clients do, and finds faults. No message repeats a part of it. */
import net from 'node:net';
import { bad, good, inQuotes, isQuoted, type Parsed } from './parsed.ts';

/** Parts as written, percent-encoded (PostgreSQL 18 manual, 32.1.1.2). */
export interface UriParts {
  /** `user:password@`, or empty. */
  readonly account: string;
  /** At least one, which may be empty: `host:port`, `[::1]:5432`, `%2Frun%2Fpostgresql`. */
  readonly servers: readonly string[];
  /** Without its slash. */
  readonly database: string;
  /** Without its question mark. */
  readonly query: string;
}

const example = 'must be a URI such as postgresql://user:password@host:5432/database';
const unencoded =
  'user and password must be percent-encoded: write @ : / ? # % in them as %40 %3A %2F %3F %23 %25';

/**
 * @param written of any type
 * @returns its parts, or the problem and the cure
 */
export function cutUri(written: unknown): Parsed<UriParts> {
  if (typeof written !== 'string') return bad(example);
  const fault = faultAround(written);
  if (fault !== undefined) return bad(fault);
  const { account, host, database, query } = cut(written.replace(/^postgres(ql)?:\/\//, ''));
  const isEncoded = !/#|%(?![\da-f]{2})/i.test(written) && !account.slice(0, -1).includes('@');
  if (!isEncoded || database.includes('@') || !isPairs(query)) return bad(unencoded);
  if (written.includes('%00') || decoding(written) === undefined)
    return bad('has a %-escape that is not UTF-8: write each character as its bytes in UTF-8');
  const servers = host.split(',');
  const faultOfServers = servers.map(faultOfServer).find((each) => each !== undefined);
  if (faultOfServers === undefined) return good({ account, servers, database, query });
  // Without an account, the apparent port may be part of a password.
  return bad(account === '' ? `${faultOfServers}. And ${unencoded}` : faultOfServers);
}

/** Checks surrounding characters and the scheme. */
function faultAround(uri: string): string | undefined {
  if (uri !== uri.trim()) return 'begins or ends with a blank or a line end: remove that';
  if (isQuoted(uri)) return inQuotes;
  if (!/^postgres(ql)?:\/\//.test(uri)) return example;
  return /[\s\p{Cc}]/u.test(uri) ? 'has a blank or a line end in it: write a blank as %20' : undefined;
}

function cut(rest: string) {
  const [before = '', ...parameters] = rest.split('?');
  const slash = before.indexOf('/');
  const authority = slash === -1 ? before : before.slice(0, slash);
  const at = authority.lastIndexOf('@') + 1;
  return {
    account: authority.slice(0, at),
    host: authority.slice(at),
    database: slash === -1 ? '' : before.slice(slash + 1),
    query: parameters.join('?'),
  };
}

function isPairs(query: string): boolean {
  return query === '' || query.split('&').every((pair) => /^[\w.]+=[^=]*/.test(pair));
}

const needsBrackets = 'an IPv6 address in it needs brackets: [::1]:5432';

function faultOfServer(server: string): string | undefined {
  if (net.isIPv6(server)) return needsBrackets;
  const { host = '', port } = /^(?<host>\[[^\]]*\]|[^:]*)(:(?<port>.*))?$/.exec(server)?.groups ?? {};
  if (port !== undefined && port !== '' && !isPort(port))
    return 'the port in it must be a whole number from 1 to 65535';
  return isHost(host) ? undefined : 'the host in it is neither a name, an address nor the folder of a socket';
}

export function isPort(written: string): boolean {
  return /^\d{1,5}$/.test(written) && Number(written) >= 1 && Number(written) <= 65_535;
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return net.isIPv6(host.slice(1, -1));
  const decoded = decoding(host);
  return decoded !== undefined && (decoded.startsWith('/') || /^[\p{L}\p{N}_.-]*$/u.test(decoded));
}

/** @returns undefined for invalid UTF-8 */
function decoding(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
