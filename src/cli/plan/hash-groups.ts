import type { HashLimits, HashPolicy } from '../../domain/model.ts';
import { costOf, hashClass, isBelowPolicy, workOf } from '../../hashes/assess.ts';
import type { ClassCost } from '../../hashes/kind.ts';
import { parseStoredHash } from '../../hashes/recognise.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import { widestLimits } from '../../config/tenant-settings.ts';
import { neededCeilings } from './calibrate/ceilings.ts';

/** Hashes of a file of one kind and cost: one of them takes what any other does. */
export interface HashGroup {
  readonly kind: HashKindName;
  /** Parameters by their names. */
  readonly cost: ClassCost;
  readonly users: number;
  /** Bytes that one verification allocates at its peak. */
  readonly memoryBytes: number;
  /** Estimated ms of one verification on one core: to compare groups by. */
  readonly work: number;
  /** Whether a first sign-in replaces such a hash, where that is switched on. */
  readonly isBelowPolicy: boolean;
  /** Ceilings that refuse it as they are configured, each with the least value that lets it in. */
  readonly ceilings: Partial<HashLimits>;
  /** Some of its hashes, in the form that is stored. Secrets. */
  readonly samples: readonly string[];
}

export interface GroupingRules {
  readonly limits: HashLimits;
  readonly policy: HashPolicy;
}

/** Costs are few in any real system; where each row has its own, the rest of a kind counts with its first. */
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

  /** @param hash as it is stored */
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
