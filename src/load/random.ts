const modulus = 2_147_483_647;

/** Park and Miller's minimal standard generator: whole numbers from 1 to 2^31 - 2, the same for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % modulus;
    return state;
  };
}

/** The same numbers in (0, 1). */
export function randomFractions(seed: number): () => number {
  const next = randomNumbers(seed);
  return () => next() / modulus;
}
