/** What the algorithms take, as they define it, and how long that is: the times are of one core of 2023. */

/** Blowfish's state: 18 subkeys and four S-boxes of 256 words, 32 bits each. */
export const bcryptBytes = (18 + 4 * 256) * 4;

/** Blocks of 128 · r bytes that scrypt needs beside its N large ones: B, X and Y (RFC 7914 section 4). */
const scryptExtraBlocks = 3;

/** Milliseconds of bcrypt: 57 at cost 10. */
export function bcryptMs(cost: number): number {
  return 57 * 2 ** (cost - 10);
}

/** Milliseconds of `$2x$`, which no library has: this core's own code takes 1.5 times as long. */
export function bcrypt2xMs(cost: number): number {
  return 1.5 * bcryptMs(cost);
}

interface Argon2Cost {
  /** KiB */
  readonly memoryKb: number;
  readonly iterations: number;
}

/** Milliseconds of Argon2: 23 for two passes over 19 MiB. */
export function argon2Ms({ memoryKb, iterations }: Argon2Cost): number {
  return (memoryKb * iterations * 23) / (19_456 * 2);
}

/** Bytes of scrypt with its N, r and p. */
export function scryptBytes(iterations: number, blockSize: number, parallelism: number): number {
  return 128 * blockSize * (iterations + scryptExtraBlocks - 1 + parallelism);
}

/** Milliseconds of scrypt: 43 at N = 2^14, r = 8, p = 1. */
export function scryptMs(iterations: number, blockSize: number, parallelism: number): number {
  return (iterations * blockSize * parallelism * 43) / (2 ** 14 * 8);
}

/** Milliseconds of one digest of a short message in rounds of them: see digest-rounds.ts. */
export const digestMs = 0.45e-3;

/** Milliseconds of one round of crypt(3), which digests two to four times as many bytes, from several places. */
export const cryptRoundMs = { sha512: 0.9e-3, sha256: 0.57e-3, md5: 0.75e-3 } as const;

/** Bytes that a digest takes: its state and a short message, generously. */
export const digestStateBytes = 8192;

/** Bytes of sha512-crypt at its peak: a password of 511 bytes is written as often as it is long. */
export const cryptBytes = 512 * 512 + digestStateBytes;
