/** The processes of a move: each holds the lease of its role, and looks for work again and again. */

import { setTimeout as sleep } from 'node:timers/promises';
import { SourceBusy, SourceFault } from '../../exports/sources/fault.ts';
import type { SourceView } from '../client/moves.ts';
import type { CoreClient } from '../client/core-client.ts';
import { troubleOf } from '../client/retry.ts';
import { CommandError } from '../command-error.ts';
import { duration, printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { claimLease, type Lease, LeaseLost, MoveClosed, type Role } from './lease.ts';

/** Waiting after trouble, ms: doubles. */
const shortestMs = 1000;
const longestMs = 60_000;

/** The work of a process while it holds the lease. */
export interface Work {
  /** @returns whether there is more to do at once */
  look(): Promise<boolean>;
  /** Whether the source was read: before, its address, its password or the names of its tables may be wrong. */
  readonly hasRead: boolean;
}

export interface MoveProcess {
  readonly client: CoreClient;
  readonly role: Role;
  readonly source: SourceView;
  /** Between two looks. */
  readonly intervalMs: number;
  /** Ends when nothing is left to do; trouble ends it, too. */
  readonly once: boolean;
  /** Called each time that the lease was claimed. */
  readonly begin: (lease: Lease) => Work;
  /** Called when there is nothing to work for any more: the move is closed, or it went back, or is another one. */
  readonly over?: (isClosed: boolean) => Promise<void>;
}

/**
 * Works until the move is closed. Trouble of the core, and of a source that was read before, is reported in one line each, and the
 * look is repeated.
 * @returns `closed` if the move is, or `done` of a process that looks once
 * @throws CommandError @throws SourceFault @throws an AbortError when it is interrupted
 */
export async function runProcess(
  process: MoveProcess,
  surroundings: Surroundings,
): Promise<'done' | 'closed'> {
  const { client, role, source } = process;
  const { interrupt: signal, now, stderr } = surroundings;
  const note = (line: string): void => void stderr.write(`${line}\n`);
  for (;;) {
    const claimed = claimLease({ client, role, source, now, note, signal });
    const lease = await claimed.catch((error: unknown) => closedAs(error, process));
    if (lease instanceof MoveClosed) {
      note(lease.message);
      return 'closed';
    }
    try {
      await work({ process, lease, signal, note });
      return 'done';
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      note(`${error.message}: waiting until it ends`);
    } finally {
      await lease.release();
    }
  }
}

async function closedAs(error: unknown, { over }: MoveProcess): Promise<MoveClosed> {
  const isClosed = error instanceof MoveClosed;
  if (isClosed || error instanceof CommandError) await over?.(isClosed);
  if (isClosed) return error;
  throw error;
}

interface Holding {
  readonly process: MoveProcess;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
}

async function work({ process, lease, signal, note }: Holding): Promise<void> {
  const { begin, once, intervalMs } = process;
  const begun = begin(lease);
  let troubles = 0;
  for (;;) {
    signal.throwIfAborted();
    try {
      const isMore = await begun.look();
      troubles = 0;
      if (isMore) continue;
    } catch (error) {
      lease.lost.throwIfAborted();
      signal.throwIfAborted();
      const reason = reasonOf(error, begun.hasRead);
      if (reason === undefined || once) throw error;
      const waitMs = Math.min(longestMs, shortestMs * 2 ** troubles++);
      note(`${printable(reason)}; trying again in ${duration(Math.ceil(waitMs / 1000))}`);
      await rest(waitMs, lease, signal);
      continue;
    }
    if (once) return;
    await rest(intervalMs, lease, signal);
  }
}

/** @throws LeaseLost as soon as a renewal shows it, and an AbortError when it is interrupted */
async function rest(ms: number, lease: Lease, interrupt: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([interrupt, lease.lost]);
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    lease.lost.throwIfAborted();
    throw error;
  });
}

/** @returns undefined for an error that the same look would meet again */
function reasonOf(error: unknown, hasRead: boolean): string | undefined {
  if (!(error instanceof SourceFault)) return troubleOf(error)?.reason;
  return hasRead || error instanceof SourceBusy ? error.message : undefined;
}
