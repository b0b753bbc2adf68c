/** The lease of the move's follower: one process follows at a time. */

import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { carryover } from '../../process/called.ts';
import type { SourceView } from '../client/moves.ts';
import type { CoreClient } from '../client/core-client.ts';
import { troubleOf } from '../client/retry.ts';
import { CommandError } from '../command-error.ts';
import { noMove } from '../move/options.ts';
import { sourceText } from '../move/text.ts';
import { printable } from '../output/format.ts';

/** Another process has the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The move is closed: nothing is followed any more. */
export class MoveClosed extends Error {
  override readonly name = 'MoveClosed';
}

type ClaimAnswer =
  | { readonly status: 'OK'; readonly fence: number; readonly position?: string }
  | { readonly status: 'LEASE_HELD_ERROR'; readonly holder: string }
  | { readonly status: 'NO_MOVE_ERROR' }
  | { readonly status: 'STAGE_ERROR'; readonly stage: string }
  | { readonly status: 'OTHER_SOURCE_ERROR'; readonly source: SourceView };

/** What a holder reports. */
interface Report {
  readonly position?: string;
  readonly lagMs?: number;
  readonly lagRecords?: number;
  readonly jobId?: string;
}

interface Claim {
  readonly client: CoreClient;
  readonly source: SourceView;
  readonly now: () => number;
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}

const role = 'follow';
/** A third of the time that the core waits for a holder. */
const renewMs = 5000;
const askMs = 5000;

/**
 * @returns the lease once no other process has it
 * @throws CommandError for a move that has no follower yet, or another one's @throws MoveClosed
 */
export async function claimLease(claim: Claim): Promise<Lease> {
  const { source, note, signal } = claim;
  const holder = `${hostname()} ${process.pid}`;
  const { label, ...rest } = source;
  const input = { role, holder, ...rest, ...(label !== '' && { source: label }) };
  let noted = '';
  for (;;) {
    const answer = await claimOnce(claim, input);
    if (answer.status === 'OK') return new Lease(claim, answer.fence, answer.position);
    if (answer.status !== 'LEASE_HELD_ERROR' && answer.status !== 'AWAY') throw refused(answer, source);
    const why =
      answer.status === 'AWAY'
        ? `Waiting for the core: ${answer.reason}`
        : `${printable(answer.holder)} follows already: waiting until it ends`;
    if (why !== noted) note(why);
    noted = why;
    await sleep(askMs, undefined, { signal });
  }
}

/** A process that waits for its turn outlives a core that restarts. */
async function claimOnce(
  { client, signal }: Claim,
  input: object,
): Promise<ClaimAnswer | { readonly status: 'AWAY'; readonly reason: string }> {
  try {
    return await client.call<ClaimAnswer>({ method: 'POST', path: '/move/lease', input, signal });
  } catch (error) {
    const trouble = troubleOf(error);
    if (trouble === undefined) throw error;
    return { status: 'AWAY', reason: trouble.reason };
  }
}

function refused(
  answer: Exclude<ClaimAnswer, { status: 'OK' | 'LEASE_HELD_ERROR' }>,
  source: SourceView,
): CommandError | MoveClosed {
  if (answer.status === 'NO_MOVE_ERROR') return noMove();
  const { status: code } = answer;
  if (code === 'OTHER_SOURCE_ERROR')
    return new CommandError(
      `This is ${sourceText(source)}, and the app moves from ${sourceText(answer.source)}: give that address, --from and --source`,
      { code, field: 'address' },
    );
  if (answer.stage === 'closed') return new MoveClosed('The move is closed: nothing is followed any more');
  return new CommandError(
    `The move is ${answer.stage}, and only one that is following or leading has a follower: '${carryover} move next' takes the step`,
    { code, cure: `take the step: ${carryover} move next` },
  );
}

/** A held lease, which is renewed until it is released or lost. */
export class Lease {
  /** As the last holder stored it. */
  readonly position: string | undefined;
  readonly #claim: Claim;
  readonly #fence: number;
  readonly #lost = new AbortController();
  /** The moment of the source that is here; ms since the epoch. */
  #asOf: number | undefined;
  #lagRecords = 0;
  #timer: NodeJS.Timeout;

  constructor(claim: Claim, fence: number, position: string | undefined) {
    this.#claim = claim;
    this.#fence = fence;
    this.position = position;
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), renewMs);
  }

  /** Aborted with LeaseLost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Users of the source that are to be imported, as far as it is known. */
  async pending(records: number): Promise<void> {
    this.#lagRecords = records;
    await this.#renew();
  }

  /** Before the job's first byte is sent: who takes the lease over ends the job. @throws LeaseLost */
  async sends(jobId: string): Promise<void> {
    await this.#renew({ jobId });
  }

  /** Everything that the source had at a moment is here. @throws LeaseLost */
  async reached(position: string, asOf: number): Promise<void> {
    this.#asOf = asOf;
    this.#lagRecords = 0;
    await this.#renew({ position });
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#lost.signal.aborted) return;
    const input = { role, fence: this.#fence };
    const signal = AbortSignal.timeout(3000);
    await this.#claim.client
      .call({ method: 'POST', path: '/move/lease/release', input, signal })
      .catch(() => undefined);
  }

  async #renew(more: Report = {}): Promise<void> {
    const { client, now, signal } = this.#claim;
    this.#lost.signal.throwIfAborted();
    const lag = this.#asOf === undefined ? {} : { lagMs: Math.max(0, now() - this.#asOf) };
    const input = { role, fence: this.#fence, ...lag, lagRecords: this.#lagRecords, ...more };
    const answer = await client.call<{ readonly status: string }>({
      method: 'PUT',
      path: '/move/lease',
      input,
      signal,
    });
    if (answer.status === 'OK') return;
    clearInterval(this.#timer);
    this.#lost.abort(new LeaseLost('Another process has taken the lease over'));
    this.#lost.signal.throwIfAborted();
  }
}
