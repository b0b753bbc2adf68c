import { isIP } from 'node:net';

/** Longer than any spelling of an address. */
const maxLength = 64;

/**
 * The end user's address from the first entry of the backend's header.
 *
 * An IPv6 address is reduced to its /64, the size of one customer's network: otherwise an attacker would have 2^64 addresses. A
 * port is removed. Other texts are unchanged.
 * @param header its value, if present
 * @returns undefined for an unusable value
 */
export function clientAddressOf(header: string | undefined): string | undefined {
  const entry = header?.split(',', 1)[0]?.trim() ?? '';
  if (entry === '' || entry.length > maxLength) return undefined;
  const host = withoutPort(entry);
  return isIP(host) === 6 ? groupOf(host) : host;
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const bracketed = /^\[(?<host>[^\]]*)\](?::\d+)?$/.exec(entry)?.groups?.host;
  if (bracketed !== undefined && isIP(bracketed) === 6) return bracketed;
  const host = /^(?<host>[^:]*):\d+$/.exec(entry)?.groups?.host;
  return host !== undefined && isIP(host) === 4 ? host : entry;
}

/** The first four of the eight groups; an IPv4-mapped address becomes IPv4. */
function groupOf(ip: string): string {
  const groups = groupsOf(ip);
  const isIpv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isIpv4) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The URL parser normalises every spelling: lower case, no leading zeros, no dotted end. */
function groupsOf(ip: string): string[] {
  const [address = ''] = ip.split('%', 1);
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [front = '', back] = canonical.split('::');
  const before = front === '' ? [] : front.split(':');
  if (back === undefined) return before;
  const after = back === '' ? [] : back.split(':');
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

function bytesOf(group: string): number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
