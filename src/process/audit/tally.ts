import type { Act } from '../../domain/access/act.ts';
import { coarser, kindOf } from './coarser.ts';

/** Acts that differ only in their time. */
export interface Counted {
  readonly act: Act;
  readonly outcome: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** Counts by who, what, address, tenant and outcome. With too many kinds, acts are counted less precisely: see coarser.ts. */
export class Tally {
  #counted = new Map<string, Counted>();

  add(act: Act, outcome: string, { count, at }: { readonly count: number; readonly at: number }): void {
    this.#merge({ act, outcome, count, firstAt: at, lastAt: at });
  }

  /** @returns all counts, which are removed here; a caller that stops early puts them back */
  *take(): Generator<Counted> {
    for (const [key, counted] of this.#counted) {
      this.#counted.delete(key);
      yield counted;
    }
  }

  putBack(counted: Counted): void {
    this.#merge(counted);
  }

  #merge(counted: Counted): void {
    const key = kindOf(counted.act, counted.outcome);
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count += counted.count;
      known.firstAt = Math.min(known.firstAt, counted.firstAt);
      known.lastAt = Math.max(known.lastAt, counted.lastAt);
      return;
    }
    const act = coarser(counted.act, this.#counted.size);
    if (act === undefined) this.#counted.set(key, { ...counted });
    else this.#merge({ ...counted, act });
  }
}
