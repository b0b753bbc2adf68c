import type { ParsedHash } from './outcome.ts';
import { scryptVariantBytes } from './scrypt-variant.ts';

export interface HashCost {
  /** Bytes that one verification allocates. */
  readonly memoryBytes: number;
}

/** Blowfish's state: 18 subkeys and four S-boxes of 256 words, 32 bits each. */
export const bcryptBytes = (18 + 4 * 256) * 4;

/** Blocks of 128 · r bytes that scrypt needs beside its N large ones: B, X and Y (RFC 7914 section 4). */
export const scryptExtraBlocks = 3;

/** How many bytes verifying `parsed` allocates at its peak, as the algorithms define it. */
export function costOf(parsed: ParsedHash): HashCost {
  switch (parsed.kind) {
    case 'bcrypt':
      return { memoryBytes: bcryptBytes };
    case 'argon2':
      return { memoryBytes: parsed.memoryKb * 1024 };
    case 'provider_scrypt': {
      const { memoryCost, rounds } = parsed;
      return { memoryBytes: scryptVariantBytes(memoryCost, rounds) + scryptExtraBlocks * 128 * rounds };
    }
  }
}
