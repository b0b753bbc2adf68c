import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashRawSync, type Algorithm, type Version } from '@node-rs/argon2';
import type { ParsedArgon2 } from '../kinds/argon2.ts';

/** The library's `Algorithm` and `Version` by value: const enums vanish with the types and cannot be imported. */
/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment -- the numbers are those of the library's index.d.ts */
const algorithmOf = { d: 0 as Algorithm, i: 1 as Algorithm, id: 2 as Algorithm };
const versionOf = { 16: 0 as Version, 19: 1 as Version };
/* eslint-enable @typescript-eslint/no-unsafe-enum-assignment */

/** RFC 9106 section 4: 128 bits of salt, 256 bits of tag. */
const saltBytes = 16;
const tagBytes = 32;

/** The cost of a new hash. */
export interface Argon2Costs {
  /** KiB */
  readonly memoryKb: number;
  readonly iterations: number;
  readonly parallelism: number;
}

/** Whether `password` has this hash. Allocates `memoryKb` and blocks; the comparison takes constant time. */
export function verifyArgon2(parsed: ParsedArgon2, password: Buffer): boolean {
  return timingSafeEqual(argon2Tag(parsed, password), Buffer.from(parsed.tag, 'base64'));
}

/** The tag of `password` with the parameters and the salt of a hash, as long as its tag. */
export function argon2Tag(parsed: ParsedArgon2, password: Buffer): Buffer {
  return hashRawSync(password, {
    algorithm: algorithmOf[parsed.variant],
    version: versionOf[parsed.version],
    memoryCost: parsed.memoryKb,
    timeCost: parsed.iterations,
    parallelism: parsed.parallelism,
    salt: Buffer.from(parsed.salt, 'base64'),
    outputLen: Buffer.byteLength(parsed.tag, 'base64'),
  });
}

/** A new argon2id hash, version 19, in the PHC string format. */
export function hashArgon2id(password: Buffer, costs: Argon2Costs): string {
  const { memoryKb, iterations, parallelism } = costs;
  const salt = randomBytes(saltBytes);
  const tag = hashRawSync(password, {
    algorithm: algorithmOf.id,
    version: versionOf[19],
    memoryCost: memoryKb,
    timeCost: iterations,
    parallelism,
    salt,
    outputLen: tagBytes,
  });
  return `$argon2id$v=19$m=${memoryKb},t=${iterations},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
