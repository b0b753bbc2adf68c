/** Addresses to which the core may connect for a setting; depends on the key that set it. */
import { BlockList, isIP } from 'node:net';

/** `public`: no loopback, link-local or private addresses. */
export type Reach = 'any' | 'public';

/** IANA's special-purpose addresses that are not globally reachable, multicast and reserved ones: RFC 6890, RFC 5771. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** Within 2000::/3: Teredo and other protocols, documentation, and 6to4, which holds an IPv4 address. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const special = blockListOf(special4, special6);

function blockListOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList();
  const add = (subnet: string, family: 'ipv4' | 'ipv6'): void => {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  };
  for (const subnet of ipv4) add(subnet, 'ipv4');
  for (const subnet of ipv6) add(subnet, 'ipv6');
  return list;
}

/** False for a text that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const [text = ''] = address.split('%');
  if (isIP(text) === 4) return !special.check(text, 'ipv4');
  if (isIP(text) !== 6) return false;
  const groups = groupsOf(text);
  const embedded = embeddedIPv4(groups);
  if (embedded !== undefined) return !special.check(embedded, 'ipv4');
  return ((groups[0] ?? 0) & 0xe000) === 0x2000 && !special.check(text, 'ipv6');
}

/**
 * True for names: their addresses are checked on connecting.
 * @param hostname as in a URL, IPv6 in brackets
 */
export function mayBePublic(hostname: string): boolean {
  // Schemes other than HTTP leave numeric hosts as written: 127.1, 0x7f000001.
  const canonical = URL.canParse(`http://${hostname}`) ? new URL(`http://${hostname}`).hostname : hostname;
  const host = canonical.replaceAll(/[[\]]/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host !== 'localhost' && !host.endsWith('.localhost');
}

/** The 8 groups of an IPv6 address. */
function groupsOf(text: string): number[] {
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(head), tail === undefined ? [] : read(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** From ::ffff:0:0/96, as sockets show IPv4, and 64:ff9b::/96, as DNS64 makes them: RFC 4291, RFC 6052. */
function embeddedIPv4(groups: readonly number[]): string | undefined {
  const [prefix, high = 0, low = 0] = [groups.slice(0, 6).join(), groups[6], groups[7]];
  if (prefix !== `0,0,0,0,0,65535` && prefix !== `100,65435,0,0,0,0`) return undefined;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
