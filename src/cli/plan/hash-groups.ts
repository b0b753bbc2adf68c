import type { HashLimits, HashPolicy } from '../../domain/model.ts';
import { costOf, workOf, hashClass, isBelowPolicy } from '../../hashes/assess.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import type { ClassCost } from '../../hashes/kind.ts';
import { widestLimits } from '../../config/tenant-settings.ts';
import type { HashKindName } from '../../hashes/registry.ts';

/** Hashes of a file of one kind and cost: verifying any of them costs the same. */
export interface HashGroup {
  readonly kind: HashKindName;
  /** Parameters by their names. */
  readonly cost: ClassCost;
  readonly users: number;
  /** Bytes that one verification allocates at its peak. */
  readonly memoryBytes: number;
  /** Estimated ms of one verification on one core: to compare groups. */
  readonly work: number;
  /** Whether a first sign-in replaces such a hash, if that is switched on. */
  readonly isBelowPolicy: boolean;
  /** Ceilings that refuse it as configured, each with the least value that accepts it. */
  readonly ceilings: Partial<HashLimits>;
  /** Some of its hashes, in stored form. Secrets. */
  readonly samples: readonly string[];
}

export interface GroupingRules {
  readonly limits: HashLimits;
  readonly policy: HashPolicy;
}

/** Real systems have few costs; if each row has its own, the rest of a kind counts with its first. */
const maxGroups = 256;
const samplesKept = 32;

interface Growing extends HashGroup {
  users: number;
  readonly samples: string[];
}

/** Counts hashes by kind and cost, in bounded memory. */
export class HashGroups {
  readonly #rules: GroupingRules;
  readonly #groups = new Map<string, Growing>();

  /** @param rules as configured; hashes over the ceilings are counted all the same */
  constructor(rules: GroupingRules) {
    this.#rules = rules;
  }

  /** @param hash in stored form */
  add(hash: string): void {
    const result = parseStoredHash(hash, widestLimits);
    if (!result.ok) return;
    const { parsed } = result;
    const { kind, cost } = hashClass(parsed);
    const key = JSON.stringify([kind, cost]);
    const group = this.#groups.get(key) ?? (this.#groups.size < maxGroups ? undefined : this.#firstOf(kind));
    if (group) {
      group.users += 1;
      if (group.samples.length < samplesKept) group.samples.push(hash);
      return;
    }
    this.#groups.set(key, {
      kind,
      cost,
      users: 1,
      memoryBytes: costOf(parsed).memoryBytes,
      work: workOf(parsed),
      isBelowPolicy: isBelowPolicy(parsed, this.#rules.policy),
      ceilings: neededCeilings(hash, this.#rules.limits),
      samples: [hash],
    });
  }

  /** The most frequent first. */
  get all(): readonly HashGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.users - a.users);
  }

  #firstOf(kind: HashKindName): Growing | undefined {
    return [...this.#groups.values()].find((each) => each.kind === kind);
  }
}

/**
 * The ceilings that refuse a hash, each with the least value that accepts it. Determined by the parsers themselves, so that the
 * meaning of a ceiling is defined in one place.
 * @param hash in stored form
 */
export function neededCeilings(hash: string, configured: HashLimits): Partial<HashLimits> {
  if (isReadUnder(hash, configured)) return {};
  const needed = (Object.keys(widestLimits) as (keyof HashLimits)[])
    .filter((name) => !isReadUnder(hash, { ...widestLimits, [name]: configured[name] }))
    .map((name) => [name, leastValue(hash, name, configured[name])] as const);
  return Object.fromEntries(needed);
}

function leastValue(hash: string, name: keyof HashLimits, refused: number): number {
  let [low, high] = [refused, widestLimits[name]];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isReadUnder(hash, { ...widestLimits, [name]: middle })) high = middle;
    else low = middle;
  }
  return high;
}

function isReadUnder(hash: string, limits: HashLimits): boolean {
  return parseStoredHash(hash, limits).ok;
}
