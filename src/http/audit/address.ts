import { isIPv6 } from 'node:net';

/** An address as people write it. uWebSockets.js gives an IPv6 one with all its zeros. */
export function readableAddress(text: Uint8Array): string | undefined {
  const address = Buffer.from(text).toString('latin1');
  if (address === '') return undefined;
  if (!isIPv6(address)) return address;
  const [bare = ''] = address.split('%', 1);
  const short = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short) ?? [];
  if (high === undefined || low === undefined) return short;
  return [high, low].flatMap((group) => bytesOf(Number.parseInt(group, 16))).join('.');
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}
