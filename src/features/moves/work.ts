/** The processes of a move, and the reports of its commands. */
import type { Tenant } from '../../domain/model.ts';
import type { MoveContext } from './context.ts';
import type { Figures, Move, MoveSource, ReportKind, Role, Stage } from './model.ts';
import { leaseMs } from './store/leases.ts';
import type { Renewal } from './store/leases.ts';
import { noMove, type NoMove } from './take-step.ts';

/** Stages in which processes have work: after a return to `following` there may still be something to write back. */
const stagesWithWork: readonly Stage[] = ['following', 'leading'];

export interface ClaimInput {
  readonly role: Role;
  readonly holder: string;
  readonly source: MoveSource;
}

export type ClaimAnswer =
  | {
      readonly status: 'OK';
      readonly moveNo: number;
      readonly fence: number;
      readonly leaseMs: number;
      readonly position?: string | undefined;
    }
  | { readonly status: 'LEASE_HELD_ERROR'; readonly holder: string; readonly leasedUntil: number }
  | Unclaimable;

type Unclaimable =
  | NoMove
  | { readonly status: 'STAGE_ERROR'; readonly stage: Stage }
  | { readonly status: 'OTHER_SOURCE_ERROR'; readonly source: MoveSource };

/**
 * The job of the holder before is cancelled before the new one has an answer. If the core dies in between, the next claim cancels it:
 * nothing but a renewal replaces it.
 */
export async function claimLease(
  { stores: { leases }, cancelJob }: MoveContext,
  tenant: Tenant,
  { role, holder, source }: ClaimInput,
): Promise<ClaimAnswer> {
  const claimed = await leases.claim(tenant.appNo, { role, holder }, (move) => againstClaim(move, source));
  if ('status' in claimed) return claimed;
  const { isMine, moveNo, lease } = claimed;
  if (!isMine) return { status: 'LEASE_HELD_ERROR', holder: lease.holder, leasedUntil: lease.leasedUntil };
  if (lease.jobId !== undefined) await cancelJob(tenant, lease.jobId);
  return { status: 'OK', moveNo, fence: lease.fence, leaseMs, position: lease.position };
}

function againstClaim(move: Move | undefined, source: MoveSource): Unclaimable | undefined {
  if (move === undefined) return noMove;
  const { system, address, label } = move.source;
  const isSame = system === source.system && address === source.address && label === source.label;
  if (!isSame) return { status: 'OTHER_SOURCE_ERROR', source: move.source };
  return stagesWithWork.includes(move.stage) ? undefined : { status: 'STAGE_ERROR', stage: move.stage };
}

export type LeaseAnswer =
  { readonly status: 'OK'; readonly leaseMs: number } | { readonly status: 'LEASE_LOST_ERROR' };
const lost = { status: 'LEASE_LOST_ERROR' } as const;

export async function renewLease(
  { stores: { leases } }: MoveContext,
  { appNo }: Tenant,
  renewal: Renewal,
): Promise<LeaseAnswer> {
  return (await leases.renew(appNo, renewal)) ? { status: 'OK', leaseMs } : lost;
}

export async function releaseLease(
  { stores: { leases } }: MoveContext,
  { appNo }: Tenant,
  { role, fence }: Pick<Renewal, 'role' | 'fence'>,
): Promise<{ readonly status: 'OK' } | typeof lost> {
  return (await leases.release(appNo, { role, fence })) ? { status: 'OK' } : lost;
}

/** @param actor the name of the key */
export async function report(
  { stores: { moves } }: MoveContext,
  { appNo }: Tenant,
  kind: ReportKind,
  { figures, actor }: { readonly figures: Figures; readonly actor: string },
): Promise<{ readonly status: 'OK' } | NoMove> {
  return (await moves.report(appNo, kind, figures, actor)) ? { status: 'OK' } : noMove;
}
