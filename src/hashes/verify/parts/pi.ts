const wordBits = 32n;
/** Bits beyond those asked for, which take up what the divisions cut off. */
const guardBits = 64n;

/**
 * The first words of pi's fraction, 32 bits each, by Machin's formula of 1706: pi = 16 atan(1/5) − 4 atan(1/239).
 * Blowfish takes its initial tables from here (Schneier 1993), so they can be computed instead of copied.
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
