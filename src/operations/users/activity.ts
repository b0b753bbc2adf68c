import { LRUCache } from 'lru-cache';
import { Refusal } from '../../domain/errors.ts';
import { activityStepMs, type Tenant } from '../../domain/model.ts';
import type { CountActiveQuery } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';

export interface ActivityOperations {
  countActive(tenant: Tenant, query: CountActiveQuery): Promise<{ status: 'OK'; count: number }>;
}

export function activityOperations({ stores }: Pick<OperationsContext, 'stores'>): ActivityOperations {
  return {
    countActive: async ({ appNo }, { since }) => ({
      status: 'OK',
      count: await stores.activeUsers.count(appNo, since),
    }),
  };
}

/** Login methods to remember; an evicted one is noted once more. About 15 MB. */
const maxRemembered = 100_000;

/**
 * Notes activity without a sign-in: after the reply, once in five minutes for each login method. After a failure the next request
 * notes it.
 */
export class ActivityNotes {
  readonly #context: Pick<OperationsContext, 'stores' | 'now' | 'onLostActivity'>;
  readonly #lastStep = new LRUCache<string, number>({ max: maxRemembered });

  constructor(context: Pick<OperationsContext, 'stores' | 'now' | 'onLostActivity'>) {
    this.#context = context;
  }

  /** @param id of the login method as callers know it; it may be unknown */
  touch({ appNo }: Pick<Tenant, 'appNo'>, id: string): void {
    const { stores, now, onLostActivity } = this.#context;
    const key = `${appNo} ${id}`;
    const at = now();
    const step = Math.floor(at / activityStepMs);
    if (this.#lastStep.get(key) === step) return;
    this.#lastStep.set(key, step);
    setImmediate(() => {
      stores.activeUsers.touch({ appNo, id, at }).catch((error: unknown) => {
        this.#lastStep.delete(key);
        // An unreachable database and a closing core are reported elsewhere.
        if (!(error instanceof Refusal)) onLostActivity?.(error);
      });
    });
  }
}
