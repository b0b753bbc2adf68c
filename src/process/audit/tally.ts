import type { Act } from '../../domain/access/act.ts';

/** Acts that are alike but for when. */
export interface Counted {
  readonly act: Act;
  readonly outcome: string;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** Kinds that are told apart between two writes: about a second of refusals from as many addresses, and 1 MB. */
const mostKinds = 1000;

/** Counts by who, what, address, tenant and outcome. Beyond a thousand kinds, addresses are not told apart any more. */
export class Tally {
  #counted = new Map<string, Counted>();

  add(act: Act, outcome: string, { count, at }: { readonly count: number; readonly at: number }): void {
    this.#merge({ act, outcome, count, firstAt: at, lastAt: at });
  }

  /** @returns all that was counted, which is forgotten; a caller that stops early puts back */
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
    const key = keyOf(counted);
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count += counted.count;
      known.firstAt = Math.min(known.firstAt, counted.firstAt);
      known.lastAt = Math.max(known.lastAt, counted.lastAt);
    } else if (this.#counted.size < mostKinds || counted.act.address === undefined)
      this.#counted.set(key, { ...counted });
    else this.#merge({ ...counted, act: { ...counted.act, address: undefined } });
  }
}

function keyOf({ act, outcome }: Counted): string {
  const { appId, tenantId, who, what, address = '' } = act;
  return [appId, tenantId, who, what, address, outcome].join('\n');
}
