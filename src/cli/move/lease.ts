/** The leases of a move's processes: one follows at a time, and one writes back. */

import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { carryover } from '../../process/called.ts';
import type { SourceView } from '../client/moves.ts';
import type { CoreClient } from '../client/core-client.ts';
import { troubleOf } from '../client/retry.ts';
import { CommandError } from '../command-error.ts';
import { printable } from '../output/format.ts';
import { noMove } from './options.ts';
import { sourceText } from './text.ts';

/** Another process has the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('Another process has taken the lease over');
  }
}

/** The move is closed: its processes have nothing to do any more. */
export class MoveClosed extends Error {
  override readonly name = 'MoveClosed';
}

interface Claimed {
  readonly status: 'OK';
  /** An older core does not state it. */
  readonly moveNo?: number;
  readonly fence: number;
  readonly position?: string;
}

type ClaimAnswer =
  | Claimed
  | { readonly status: 'LEASE_HELD_ERROR'; readonly holder: string }
  | { readonly status: 'NO_MOVE_ERROR' }
  | { readonly status: 'STAGE_ERROR'; readonly stage: string }
  | { readonly status: 'OTHER_SOURCE_ERROR'; readonly source: SourceView };

export interface Progress {
  /** Everything from before this moment is done; ms since the epoch. Undefined: as before, because some of it is on the way. */
  readonly asOf: number | undefined;
  /** Users who wait. */
  readonly records: number;
  /** For the next holder. */
  readonly position?: string;
}

/** What a holder sends. */
interface Report {
  readonly position?: string;
  readonly lagMs?: number;
  readonly lagRecords?: number;
  readonly jobId?: string;
}

export type Role = 'follow' | 'write-back';

interface Claim {
  readonly role: Role;
  readonly client: CoreClient;
  readonly source: SourceView;
  readonly now: () => number;
  readonly note: (line: string) => void;
  readonly signal: AbortSignal;
}

const texts = {
  follow: {
    held: 'follows already',
    closed: 'The move is closed: nothing is followed any more',
    stage: 'only one that is following or leading has a follower',
  },
  'write-back': {
    held: 'writes back already',
    closed: 'The move is closed: nothing is written back any more',
    stage: 'nothing is written back before a share of the users signs in here',
  },
} as const satisfies Record<Role, object>;

/** A third of the time that the core waits for a holder. */
const renewMs = 5000;
const askMs = 5000;

/**
 * @returns the lease once no other process has it
 * @throws CommandError for a move in a stage without such a process, or from another source @throws MoveClosed
 */
export async function claimLease(claim: Claim): Promise<Lease> {
  const { role, source, note, signal } = claim;
  const holder = `${hostname()} ${process.pid}`;
  const { label, ...rest } = source;
  const input = { role, holder, ...rest, ...(label !== '' && { source: label }) };
  let noted = '';
  for (;;) {
    const answer = await claimOnce(claim, input);
    if (answer.status === 'OK') return new Lease(claim, answer);
    if (answer.status !== 'LEASE_HELD_ERROR' && answer.status !== 'AWAY') throw refused(answer, claim);
    const why =
      answer.status === 'AWAY'
        ? `Waiting for the core: ${answer.reason}`
        : `${printable(answer.holder)} ${texts[role].held}: waiting until it ends`;
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
  { role, source }: Claim,
): CommandError | MoveClosed {
  if (answer.status === 'NO_MOVE_ERROR') return noMove();
  const { status: code } = answer;
  if (code === 'OTHER_SOURCE_ERROR')
    return new CommandError(
      `This is ${sourceText(source)}, and the app moves from ${sourceText(answer.source)}: give that address, --from and --source`,
      { code, field: 'address' },
    );
  if (answer.stage === 'closed') return new MoveClosed(texts[role].closed);
  return new CommandError(
    `The move is ${answer.stage}, and ${texts[role].stage}: '${carryover} move next' takes the step`,
    { code, cure: `take the step: ${carryover} move next` },
  );
}

/** A held lease, which is renewed until it is released or lost. */
export class Lease {
  /** As the last holder stored it. */
  readonly position: string | undefined;
  /** The app's move; undefined: the core is too old to state it. */
  readonly moveNo: number | undefined;
  /** What the core knows this holder by. */
  readonly fence: number;
  readonly #claim: Claim;
  readonly #lost = new AbortController();
  /** Everything from before this moment is done; ms since the epoch. */
  #asOf: number | undefined;
  #lagRecords = 0;
  #timer: NodeJS.Timeout;

  constructor(claim: Claim, { moveNo, fence, position }: Claimed) {
    this.#claim = claim;
    this.moveNo = moveNo;
    this.fence = fence;
    this.position = position;
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), renewMs);
  }

  /** Aborted with LeaseLost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Users who wait, as far as it is known. @throws LeaseLost */
  async pending(records: number): Promise<void> {
    this.#lagRecords = records;
    await this.#renew();
  }

  /** Before the job's first byte is sent: who takes the lease over ends the job. @throws LeaseLost */
  async sends(jobId: string): Promise<void> {
    await this.#renew({ jobId });
  }

  /** How far the work is. @throws LeaseLost */
  async report({ asOf, records, position }: Progress): Promise<void> {
    this.#asOf = asOf ?? this.#asOf;
    this.#lagRecords = records;
    await this.#renew(position === undefined ? {} : { position });
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#lost.signal.aborted) return;
    const { role } = this.#claim;
    const input = { role, fence: this.fence };
    const signal = AbortSignal.timeout(3000);
    await this.#claim.client
      .call({ method: 'POST', path: '/move/lease/release', input, signal })
      .catch(() => undefined);
  }

  async #renew(more: Report = {}): Promise<void> {
    const { client, role, now, signal } = this.#claim;
    this.#lost.signal.throwIfAborted();
    const lag = this.#asOf === undefined ? {} : { lagMs: Math.max(0, now() - this.#asOf) };
    const input = { role, fence: this.fence, ...lag, lagRecords: this.#lagRecords, ...more };
    const answer = await client.call<{ readonly status: string }>({
      method: 'PUT',
      path: '/move/lease',
      input,
      signal,
    });
    if (answer.status === 'OK') return;
    clearInterval(this.#timer);
    this.#lost.abort(new LeaseLost());
    this.#lost.signal.throwIfAborted();
  }
}
