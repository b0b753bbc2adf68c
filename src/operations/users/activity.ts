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

/** Login methods whose last step is remembered, the least recent go first: they are noted once more then. About 15 MB. */
const maxRemembered = 100_000;

/**
 * Notes that users are active, where no sign-in is marked: no request waits for it, it is written after the reply, and for each login
 * method once in each five minutes by the clock. One that cannot be noted is noted with the next.
 */
export class ActivityNotes {
  readonly #context: Pick<OperationsContext, 'stores' | 'now' | 'onLostActivity'>;
  readonly #lastStep = new LRUCache<string, number>({ max: maxRemembered });

  constructor(context: Pick<OperationsContext, 'stores' | 'now' | 'onLostActivity'>) {
    this.#context = context;
  }

  /** @param id any that callers know the login method by; it need not be a user's */
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
        // A database that is away, or a core that is closing, is no news.
        if (!(error instanceof Refusal)) onLostActivity?.(error);
      });
    });
  }
}
