/** Follows an old system: what changes there is imported here, until the command is interrupted. */

import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import type { Core } from '../client/server.ts';
import { withOldDatabase } from '../input/old-database.ts';
import type { Lease } from '../move/lease.ts';
import { type Look, type MoveProcess, runProcess } from '../move/process.ts';
import { duration } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { Looks } from './looks.ts';
import type { FollowOptions } from './options.ts';
import { importAll, importChanged, Sent } from './send.ts';

/**
 * Reads all users at the start and again each `fullEvery`, and those who changed in between.
 * @returns and throws as runProcess
 */
export function follow(
  address: string,
  options: FollowOptions,
  core: Core,
  surroundings: Surroundings,
): Promise<'done' | 'closed'> {
  const { from: system, source: label = '', interval, once = false } = options;
  const source = { system, address: identityOf(readAddress(address, undefined)), label };
  const note = (line: string): void => void surroundings.stderr.write(`${line}\n`);
  const begin = (lease: Lease): Look => {
    const follower = new Follower({ address, options, core, surroundings, lease, note });
    return () => follower.look();
  };
  const intervalMs = interval * 1000;
  const process: MoveProcess = { client: core.client, role: 'follow', source, intervalMs, once, begin };
  return runProcess(process, surroundings);
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

  /** All users if it is time for that, else those who changed. */
  async look(): Promise<boolean> {
    const { address, options, core, surroundings, lease, note } = this.#following;
    const asOf = surroundings.now();
    const { position, isFullDue } = this.#looks;
    if (position === undefined && !isFullDue) {
      if (options.once === true) note('Nothing to do: it is not time yet to read all users (--full-every)');
      return false;
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
    await lease.report({ position: this.#looks.text, asOf, records: 0 });
    return false;
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
