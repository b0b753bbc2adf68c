/** Environments in which people host the core, drawn at random, and the same again for the same seed. */

export interface Environment {
  readonly index: number;
  readonly memoryMb: number;
  readonly cpus: number;
  /** The embedded PostgreSQL 18, inside of the limits, or Debian's 15 outside of them. */
  readonly postgresql: 'own 18' | 'external 15';
  readonly frontEnd: 'UWEBSOCKETS' | 'NODE_HTTP';
  readonly through: 'direct' | 'nginx' | 'haproxy';
}

/** @returns an element of an endless list; each can be computed without the previous ones */
export function environmentOf(seed: number, index: number): Environment {
  const random = mulberry32(seed * 1_000_003 + index);
  const between = (low: number, high: number): number => low * (high / low) ** random();
  const oneOf = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  return {
    index,
    memoryMb: Math.round(between(192, 4096)),
    cpus: Math.round(between(0.25, 4) * 100) / 100,
    postgresql: oneOf(['own 18', 'external 15']),
    frontEnd: oneOf(['UWEBSOCKETS', 'NODE_HTTP']),
    through: oneOf(['direct', 'nginx', 'haproxy']),
  };
}

/** Tommy Ettinger's generator of 32 bits: small, and good enough for this. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
