/** Hash strings damaged at random, the same for the same seed: sent to the parsers by fuzzing tests and benchmarks. */
import { kindNames } from '../../src/hashes/registry.ts';
import type { HashKindName } from '../../src/hashes/registry.ts';
import { mutated, randomNumbers } from './mutations.ts';
import { usualHashes } from './usual-hashes.ts';
import { readVectors } from './vectors.ts';

export interface FuzzedHash {
  readonly hash: string;
  /** The kind that the caller names, a wrong one half of the time. */
  readonly given: HashKindName | undefined;
}

/** From every vector, every kind at its usual cost, and every tag: damaged, with other costs, or very long. */
export function* fuzzedHashes(count: number, seed: number): Generator<FuzzedHash, undefined> {
  const random = randomNumbers(seed);
  const usual = kindNames.map((kind) => usualHashes[kind]);
  const tagged = kindNames.map((kind) => `$carryover$${kind}$${usualHashes[kind]}`);
  const seeds = [...readVectors().map(({ hash }) => hash), ...usual, ...tagged];
  for (let round = 0; round < count; round += 1) {
    const whole = seeds[random(seeds.length)] ?? '';
    const change = random(8);
    const hash = change === 0 ? stretched(whole, random) : (change < 4 ? renumbered : mutated)(whole, random);
    yield { hash, given: random(2) === 0 ? undefined : kindNames[random(kindNames.length)] };
  }
}

type Random = (bound: number) => number;

/** With each number in it of up to 10 digits changed, or not: to costs below and above the ceilings. */
function renumbered(hash: string, random: Random): string {
  return hash.replaceAll(/(?<=[$=:])\d{1,10}(?=[$,:]|$)/g, (number) =>
    random(2) === 0 ? number : String(random(10 ** (1 + random(9)))),
  );
}

/** With one character repeated, up to beyond the longest string that is examined. */
function stretched(hash: string, random: Random): string {
  const at = random(hash.length + 1);
  const characters = `$,=:{}/+.0aA\n ${hash.charAt(at)}`;
  const run = characters.charAt(random(characters.length)).repeat(random(4500));
  return hash.slice(0, at) + run + hash.slice(at);
}
