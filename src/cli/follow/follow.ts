/** Follows an old system: what changes there is imported here, until the command is interrupted. */

import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import { SourceFault } from '../../exports/sources/fault.ts';
import { troubleOf } from '../client/retry.ts';
import type { Core } from '../client/server.ts';
import { withOldDatabase } from '../input/old-database.ts';
import { duration, printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { claimLease, type Lease, LeaseLost, MoveClosed } from './lease.ts';
import { Looks } from './looks.ts';
import type { FollowOptions } from './options.ts';
import { importAll, importChanged, Sent } from './send.ts';

/** Waiting after trouble, ms: doubles. */
const shortestMs = 1000;
const longestMs = 60_000;

/**
 * Holds the move's lease, reads all users at the start and again each `fullEvery`, and those who changed in between. Trouble of the source
 * or the core after the first look is reported in one line each, and tried again.
 * @returns `closed` if the move is, or `done` after one look @throws CommandError @throws SourceFault at the first look
 */
export async function follow(
  address: string,
  options: FollowOptions,
  core: Core,
  surroundings: Surroundings,
): Promise<'done' | 'closed'> {
  const { interrupt, now, stderr } = surroundings;
  const source = {
    system: options.from,
    address: identityOf(readAddress(address, undefined)),
    label: options.source ?? '',
  };
  const note = (line: string): void => void stderr.write(`${line}\n`);
  for (;;) {
    const claimed = claimLease({ client: core.client, source, now, note, signal: interrupt });
    const lease = await claimed.catch(closedAs);
    if (lease instanceof MoveClosed) {
      note(lease.message);
      return 'closed';
    }
    try {
      await new Follower({ address, options, core, surroundings, lease, note }).run();
      return 'done';
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      note(`${error.message}: waiting until it ends`);
    } finally {
      await lease.release();
    }
  }
}

function closedAs(error: unknown): MoveClosed {
  if (error instanceof MoveClosed) return error;
  throw error;
}

interface Following {
  readonly address: string;
  readonly options: FollowOptions;
  readonly core: Core;
  readonly surroundings: Surroundings;
  readonly lease: Lease;
  readonly note: (line: string) => void;
}

/** One time that the lease is held. */
class Follower {
  readonly #following: Following;
  readonly #looks: Looks;
  readonly #sent = new Sent();

  constructor(following: Following) {
    const { options, lease, surroundings } = following;
    this.#following = following;
    this.#looks = new Looks(options.fullEvery * 1000, lease.position, surroundings.now);
  }

  /** @returns when it was interrupted, or after one look */
  async run(): Promise<void> {
    const { options, note, lease } = this.#following;
    let troubles = 0;
    for (;;) {
      try {
        await this.#look();
        troubles = 0;
      } catch (error) {
        lease.lost.throwIfAborted();
        const reason = reasonOf(error);
        if (reason === undefined || !this.#looks.hasLooked || options.once === true) throw error;
        const waitMs = Math.min(longestMs, shortestMs * 2 ** troubles++);
        note(`${printable(reason)}; trying again in ${duration(Math.ceil(waitMs / 1000))}`);
        await this.#rest(waitMs);
        continue;
      }
      if (options.once === true) return;
      await this.#rest(options.interval * 1000);
    }
  }

  /** @throws LeaseLost as soon as a renewal shows it, and an AbortError when it is interrupted */
  async #rest(ms: number): Promise<void> {
    const { lease, surroundings } = this.#following;
    const signal = AbortSignal.any([surroundings.interrupt, lease.lost]);
    await sleep(ms, undefined, { signal }).catch((error: unknown) => {
      lease.lost.throwIfAborted();
      throw error;
    });
  }

  /** All users if it is time for that, else those who changed. */
  async #look(): Promise<void> {
    const { address, options, core, surroundings, lease, note } = this.#following;
    const asOf = surroundings.now();
    const { position, isFullDue } = this.#looks;
    if (position === undefined && !isFullDue) {
      if (options.once === true) note('Nothing to do: it is not time yet to read all users (--full-every)');
      return;
    }
    await withOldDatabase(address, options, surroundings, async (old) => {
      const { changes, users } = old.readable;
      if (!this.#looks.hasLooked) noteUnseen(changes?.unseen, options, note);
      const next = await changes?.position();
      const sending = { old, options, core, surroundings, lease, note };
      const changed = isFullDue || position === undefined ? undefined : await changes?.since(position);
      if (changed === undefined || changed.users > mostChanged) {
        await lease.pending(users);
        await importAll(sending);
        this.#sent.forget();
        this.#looks.sawAll(asOf, next);
      } else {
        await importChanged(sending, changed, this.#sent);
        this.#looks.saw({ ...position, ...next });
      }
    });
    await lease.reached(this.#looks.text, asOf);
  }
}

/** More are read in one go with all others: it takes no memory, and is not much more work. */
const mostChanged = 200_000;

function noteUnseen(
  unseen: readonly string[] | undefined,
  { fullEvery }: FollowOptions,
  note: (line: string) => void,
): void {
  const every = duration(fullEvery);
  if (unseen === undefined)
    note(
      `The table of users has no time of the last change: all users are read again every ${every} (--full-every)`,
    );
  else if (unseen.length > 0)
    note(
      `Changes of ${unseen.join(', ')} alone are seen when all users are read again, every ${every} (--full-every)`,
    );
}

/** @returns undefined for an error that the same look would meet again */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof SourceFault) return error.message;
  return troubleOf(error)?.reason;
}
