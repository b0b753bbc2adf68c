/**
 * An address in readable form. Optimised, because it is read for every counted request.
 * @param address its bytes as uWebSockets.js has them, 4 or 16, or the text from Node; empty after a disconnect
 */
export function readableAddress(address: ArrayBuffer | string): string | undefined {
  if (typeof address === 'string') return readableText(address);
  const bytes = new Uint8Array(address);
  if (bytes.length === 4) return dotted(bytes);
  if (bytes.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, n) => ((bytes[2 * n] ?? 0) << 8) | (bytes[2 * n + 1] ?? 0));
  return readableText(shortest(groups.map((group) => group.toString(16)).join(':')));
}

/** Without its zone, and an IPv4 address in IPv6 notation as IPv4. */
function readableText(text: string): string | undefined {
  const [bare = ''] = text.split('%', 1);
  if (bare === '') return undefined;
  if (!bare.startsWith(mapped)) return bare;
  const rest = bare.slice(mapped.length);
  if (rest.includes('.')) return rest;
  return dotted(rest.split(':').flatMap((group) => bytesOf(Number.parseInt(group, 16))));
}

const mapped = '::ffff:';

/** The URL parser produces the spelling that RFC 5952 recommends. */
function shortest(ipv6: string): string {
  return new URL(`http://[${ipv6}]`).hostname.slice(1, -1);
}

function dotted([a, b, c, d]: ArrayLike<number> & Iterable<number>): string {
  return `${a}.${b}.${c}.${d}`;
}

function bytesOf(group: number): number[] {
  return [group >> 8, group & 0xff];
}
