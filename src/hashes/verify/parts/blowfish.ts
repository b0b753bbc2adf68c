/** Subkeys, and words of one S-box (Schneier 1993, "Description of a New Variable-Length Key, 64-Bit Block Cipher"). */
const subkeys = 18;
const boxWords = 256;
const stateWords = subkeys + 4 * boxWords;

let initialState: Uint32Array | undefined;

/** A Blowfish state: 18 subkeys, then four S-boxes, in one array of 4,168 bytes. */
export class Blowfish {
  readonly #state: Uint32Array;
  /** The two halves of the last encrypted block. */
  left = 0;
  right = 0;

  constructor() {
    // Computed once a thread, when the first such hash arrives: about 50 ms.
    initialState ??= piFraction(stateWords);
    this.#state = initialState.slice();
  }

  /**
   * The key schedule of bcrypt, "ExpandKey" (Provos and Mazières 1999, section 4).
   * @param key 18 words @param salt 4 words, all zero for Blowfish's own schedule
   */
  expand(key: Uint32Array, salt: Uint32Array): void {
    const state = this.#state;
    for (let index = 0; index < subkeys; index += 1) state[index] = at(state, index) ^ at(key, index);
    this.left = 0;
    this.right = 0;
    for (let index = 0; index < stateWords; index += 2) {
      this.left ^= at(salt, index & 3);
      this.right ^= at(salt, (index + 1) & 3);
      this.encrypt();
      state[index] = this.left;
      state[index + 1] = this.right;
    }
  }

  /** Encrypts the block in `left` and `right` in place: 16 rounds and the final swap. */
  encrypt(): void {
    const state = this.#state;
    let left = this.left ^ at(state, 0);
    let right = this.right;
    for (let round = 1; round < 17; round += 2) {
      right ^= mixed(state, left) ^ at(state, round);
      left ^= mixed(state, right) ^ at(state, round + 1);
    }
    this.left = right ^ at(state, 17);
    this.right = left;
  }
}

/** Blowfish's F: the four bytes of a half through the four S-boxes. */
function mixed(state: Uint32Array, half: number): number {
  const first = at(state, subkeys + (half >>> 24)) + at(state, subkeys + 256 + ((half >>> 16) & 255));
  return (first ^ at(state, subkeys + 512 + ((half >>> 8) & 255))) + at(state, subkeys + 768 + (half & 255));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

const wordBits = 32n;
/** Extra bits, which absorb the rounding of the divisions. */
const guardBits = 64n;

/**
 * The first words of pi's fraction, 32 bits each, by Machin's formula of 1706: pi = 16 atan(1/5) − 4 atan(1/239). Blowfish's
 * initial tables are these (Schneier 1993), so they can be computed instead of copied.
 */
export function piFraction(words: number): Uint32Array {
  const bits = BigInt(words) * wordBits;
  const one = 1n << (bits + guardBits);
  const fraction = (16n * inverseTangent(5n, one) - 4n * inverseTangent(239n, one) - 3n * one) >> guardBits;
  const digits = fraction.toString(16).padStart(words * 8, '0');
  return Uint32Array.from({ length: words }, (_word, index) =>
    Number.parseInt(digits.slice(index * 8, index * 8 + 8), 16),
  );
}

/** atan(1/x) in units of 1/one: 1/x − 1/3x³ + 1/5x⁵ − … */
function inverseTangent(x: bigint, one: bigint): bigint {
  let power = one / x;
  let sum = power;
  for (let divisor = 3n; power !== 0n; divisor += 2n) {
    power /= -x * x;
    sum += power / divisor;
  }
  return sum;
}
