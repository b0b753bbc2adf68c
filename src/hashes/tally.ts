/** Counts stored hashes by kind and cost. */

import type { HashLimits, HashPolicy } from '../domain/model.ts';
import { hashClass, isBelowPolicy, isWeak } from './assess.ts';
import type { ClassCost } from './kind.ts';
import { parseStoredHash } from './recognise.ts';
import type { HashKindName } from './registry.ts';

export interface ClassCount {
  readonly kind: HashKindName;
  /** Empty for the rest of a kind with more costs than the limit: these are counted together. */
  readonly cost: ClassCost;
  readonly isWeak: boolean;
  readonly isBelowPolicy: boolean;
  readonly users: number;
}

export interface HashTally {
  /** All hashes, including unreadable ones. */
  readonly users: number;
  /** Over the ceilings of the configuration, or damaged: no user can sign in with them. */
  readonly unreadable: number;
  readonly classes: readonly ClassCount[];
}

/**
 * The number of kinds and costs that a tally distinguishes: real databases have some dozens, a hostile import could have
 * millions.
 */
const maxClasses = 1000;

/** The sum of several pages. */
export class TallySum {
  #users = 0;
  #unreadable = 0;
  readonly #classes = new Map<string, Counted>();

  add({ users, unreadable, classes }: HashTally): void {
    this.#users += users;
    this.#unreadable += unreadable;
    for (const each of classes) this.count(each);
  }

  count(each: ClassCount): void {
    const key = keyOf(each);
    const counted = this.#classes.get(key);
    if (counted !== undefined) counted.users += each.users;
    else if (this.#classes.size < maxClasses) this.#classes.set(key, { each, users: each.users });
    else this.#countTogether({ ...each, cost: {} });
  }

  get total(): HashTally {
    const classes = [...this.#classes.values()].map(({ each, users }) => ({ ...each, users }));
    return { users: this.#users, unreadable: this.#unreadable, classes };
  }

  /** One class for a kind and its flags, beyond the limit. */
  #countTogether(each: ClassCount): void {
    const key = keyOf(each);
    const users = each.users + (this.#classes.get(key)?.users ?? 0);
    this.#classes.set(key, { each, users });
  }
}

interface Counted {
  readonly each: ClassCount;
  users: number;
}

function keyOf({ kind, cost, isWeak: weak, isBelowPolicy: below }: ClassCount): string {
  return JSON.stringify([kind, cost, weak, below]);
}

/** The hashes to count. */
export interface HashPage {
  /** A stored hash each; empty text for none. */
  readonly lines: string;
  readonly limits: HashLimits;
  readonly policy: HashPolicy;
}

/** Parses every line: 20,000 of all kinds take a thread some 80 ms. */
export function tallyHashes({ lines, limits, policy }: HashPage): HashTally {
  const sum = new TallySum();
  const hashes = lines === '' ? [] : lines.split('\n');
  let unreadable = 0;
  for (const hash of hashes) {
    const result = parseStoredHash(hash, limits);
    if (!result.ok) unreadable += 1;
    else {
      const { parsed } = result;
      const flags = { isWeak: isWeak(parsed), isBelowPolicy: isBelowPolicy(parsed, policy) };
      sum.count({ ...hashClass(parsed), ...flags, users: 1 });
    }
  }
  return { users: hashes.length, unreadable, classes: sum.total.classes };
}
