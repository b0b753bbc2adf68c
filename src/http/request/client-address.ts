import { isIP } from 'node:net';

/** Longer than any address, in any spelling. */
const maxLength = 64;

/**
 * The guesser's address, as the backend reports it: the first entry of its header.
 *
 * An IPv6 address stands for its /64, which is what one customer gets: else one guesser would have 2^64 of them. A port
 * is left out. Whatever is no IP address is taken as it is.
 * @param header its value; undefined when it did not come
 * @returns undefined when nothing usable was reported
 */
export function clientAddressOf(header: string | undefined): string | undefined {
  const entry = header?.split(',', 1)[0]?.trim() ?? '';
  if (entry === '' || entry.length > maxLength) return undefined;
  const host = withoutPort(entry);
  return isIP(host) === 6 ? groupOf(host) : host;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies have it. */
function withoutPort(entry: string): string {
  const bracketed = /^\[(?<host>[^\]]*)\](?::\d+)?$/.exec(entry)?.groups?.host;
  if (bracketed !== undefined && isIP(bracketed) === 6) return bracketed;
  const host = /^(?<host>[^:]*):\d+$/.exec(entry)?.groups?.host;
  return host !== undefined && isIP(host) === 4 ? host : entry;
}

/** The first four of the eight groups; an IPv4 address that is spelt as IPv6 is that IPv4 address. */
function groupOf(ip: string): string {
  const groups = groupsOf(ip);
  const isIpv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (isIpv4) return groups.slice(6).flatMap(bytesOf).join('.');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** The URL parser knows every spelling and gives one: lower case, no leading zeros, no dotted end. */
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
