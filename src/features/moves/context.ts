import type { Tenant } from '../../domain/model.ts';
import type { RecentCache } from '../../store/recent-cache.ts';
import type { PasswordHasher, TenantStore } from '../../operations/ports/ports.ts';
import type { LeadingApps } from './leading-apps.ts';
import type { Move, Seen } from './model.ts';
import type { MoveStores } from './store/store.ts';

export interface MoveContext {
  readonly stores: MoveStores;
  /** The current moves by app, as of a second ago. */
  readonly recent: RecentCache<RecentMove>;
  readonly leading: LeadingApps;
  readonly hasher: Pick<PasswordHasher, 'hashLike'>;
  readonly tenants: Pick<TenantStore, 'find'>;
  /** Ends an import that is under way; of one that has ended nothing changes. */
  readonly cancelJob: (tenant: Tenant, jobId: string) => Promise<unknown>;
  /** Called if outcomes of sign-ins could not be counted. */
  readonly onLost: (error: unknown) => void;
  /** Called when a share has returned to 0 automatically. */
  readonly onStopped: (tenant: Tenant, seen: Seen) => Promise<void>;
}

/** Undefined is cached too: an app without a move may ask for every sign-in. */
export interface RecentMove {
  readonly move: Move | undefined;
}

/** As of a second ago. */
export async function recentMove({ stores, recent }: MoveContext, appNo: number): Promise<Move | undefined> {
  const load = async (): Promise<RecentMove> => ({ move: await stores.moves.current(appNo) });
  return (await recent.find(String(appNo), load))?.move;
}
