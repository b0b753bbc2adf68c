import type { Database } from '../../../database/database.ts';
import { nowMs } from '../../../store/clock.ts';
import type { Lease, Move, Role } from '../model.ts';
import { currentMove, leasesOf, numberOfRole } from './rows.ts';

/** Time after which a holder that is not heard of has lost its lease. */
export const leaseMs = 15_000;

/** Only when the last lease has ended; the position stays. */
const claim = `
  insert into move_leases as l (app_no, move_no, role, fence, holder, leased_until)
  values ($1::int, $2::int, $3::smallint, 1, $4::text, ${nowMs} + ${leaseMs})
  on conflict (app_no, move_no, role) do update
    set fence = l.fence + 1, holder = excluded.holder, leased_until = excluded.leased_until
    where l.leased_until <= ${nowMs}
  returning fence`;

/** An expired lease that no other process has claimed may be renewed. */
const renew = `
  update move_leases l
  set leased_until = ${nowMs} + ${leaseMs}, position = coalesce($5::text, l.position),
    lag_ms = coalesce($6::bigint, l.lag_ms), lag_records = coalesce($7::bigint, l.lag_records),
    job_id = coalesce($8::uuid, l.job_id)
  where l.app_no = $1::int and l.move_no = $2::int and l.role = $3::smallint and l.fence = $4::bigint
  returning 1`;

const release = `
  update move_leases l set leased_until = 0
  where l.app_no = $1::int and l.move_no = $2::int and l.role = $3::smallint and l.fence = $4::bigint
  returning 1`;

/** A holder's message. */
export interface Renewal {
  readonly role: Role;
  readonly fence: number;
  readonly position?: string | undefined;
  readonly lagMs?: number | undefined;
  readonly lagRecords?: number | undefined;
  /** The job that the holder is about to send users through. */
  readonly jobId?: string | undefined;
}

/** Leases of the processes of a move. A claim waits for a step, and a step for it. */
export function leaseStore({ transaction }: Pick<Database, 'transaction'>) {
  return {
    /**
     * @param mayClaim whether the move, in its stage, has such a process
     * @returns the lease, and whether it was claimed now; else its holder has it. Else the reason against it
     */
    claim: <Reason extends object>(
      appNo: number,
      { role, holder }: { readonly role: Role; readonly holder: string },
      mayClaim: (move: Move | undefined) => Reason | undefined,
    ): Promise<{ readonly isMine: boolean; readonly moveNo: number; readonly lease: Lease } | Reason> =>
      transaction(async (query) => {
        const move = await currentMove(query, appNo, 'use');
        const reason = mayClaim(move);
        if (reason !== undefined) return reason;
        if (move === undefined) throw new Error('a lease needs a move');
        const claimed = await query(claim, [appNo, move.moveNo, numberOfRole(role), holder]);
        const lease = (await leasesOf(query, appNo, move))[role];
        if (lease === undefined) throw new Error('a claimed lease is not there');
        return { isMine: claimed.length > 0, moveNo: move.moveNo, lease };
      }),

    /** @returns whether the holder still has it */
    renew: (appNo: number, { role, fence, ...given }: Renewal): Promise<boolean> =>
      transaction(async (query) => {
        const move = await currentMove(query, appNo, 'use');
        const { position, lagMs, lagRecords, jobId } = given;
        const of = [appNo, move?.moveNo ?? null, numberOfRole(role), fence];
        const set = [position ?? null, lagMs ?? null, lagRecords ?? null, jobId ?? null];
        return (await query(renew, [...of, ...set])).length > 0;
      }),

    release: (appNo: number, { role, fence }: Pick<Renewal, 'role' | 'fence'>): Promise<boolean> =>
      transaction(async (query) => {
        const move = await currentMove(query, appNo, 'use');
        return (await query(release, [appNo, move?.moveNo ?? null, numberOfRole(role), fence])).length > 0;
      }),
  };
}

export type LeaseStore = ReturnType<typeof leaseStore>;
