/** Follows an old system: what changes there is imported here, until the command is interrupted. */

import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import type { Core } from '../client/server.ts';
import { withOldDatabase } from '../input/old-database.ts';
import { type MoveProcess, runProcess, type Work } from '../move/process.ts';
import { duration } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { ByLog } from './by-log.ts';
import { type Following, mostChanged, noteUnseen } from './following.ts';
import { Looks } from './looks.ts';
import type { FollowOptions } from './options.ts';
import { importAll, importChanged, Sent } from './send.ts';
import { logName, removeLog, usesLog } from './source-log.ts';

/**
 * Reads all users at the start and again each `fullEvery`, and those who changed in between.
 * @returns and throws as runProcess
 */
export async function follow(
  address: string,
  options: FollowOptions,
  core: Core,
  surroundings: Surroundings,
): Promise<'done' | 'closed'> {
  const { from: system, source: label = '', interval, once = false } = options;
  const source = { system, address: identityOf(readAddress(address, undefined)), label };
  const note = (line: string): void => void surroundings.stderr.write(`${line}\n`);
  let follower: Follower | undefined;
  const process: MoveProcess = {
    client: core.client,
    role: 'follow',
    source,
    intervalMs: interval * 1000,
    once,
    begin: (lease) => (follower = new Follower({ address, options, core, surroundings, lease, note })),
    // Nothing is followed until all users are read again.
    async over(isClosed) {
      const name = follower?.slot;
      follower = undefined;
      if (name !== undefined) note((await removeLog({ address, options, surroundings, name })).line);
      else if (isClosed && usesLog(address, options, true))
        note((await removeLogOf(address, options, core, surroundings)).line);
    },
  };
  try {
    return await runProcess(process, surroundings);
  } catch (error) {
    if (follower?.slot !== undefined) note(keeps(follower.slot));
    throw error;
  }
}

/** Slot and publication of the app's move. @throws CommandError without a move */
export async function removeLogOf(
  address: string,
  options: FollowOptions,
  core: Core,
  surroundings: Surroundings,
): ReturnType<typeof removeLog> {
  const name = await logName(core, surroundings.interrupt);
  return removeLog({ address, options, surroundings, name });
}

function keeps(slot: string): string {
  return `The old database keeps its log for the slot ${slot} until a follower continues, or --remove-log removes it`;
}

/** One time that the lease is held. */
class Follower implements Work {
  readonly #following: Following;
  readonly #looks: Looks;
  readonly #sent = new Sent();
  readonly #byLog: ByLog;

  constructor(following: Following) {
    const { options, lease, surroundings } = following;
    this.#following = following;
    this.#looks = new Looks(options.fullEvery * 1000, lease.position, surroundings.now);
    this.#byLog = new ByLog(following, this.#looks, this.#sent);
  }

  get hasRead(): boolean {
    return this.#looks.hasLooked;
  }

  /** For which the old database keeps its log. */
  get slot(): string | undefined {
    return this.#byLog.slot;
  }

  /** All users if it is time for that, else those who changed. @returns whether more waits */
  async look(): Promise<boolean> {
    const { options, surroundings } = this.#following;
    const asOf = surroundings.now();
    const isMore = await this.#byLog.look(asOf);
    if (isMore === undefined) {
      await this.#lookByTimes(asOf);
      return false;
    }
    // Looks into the log cost the old system little, so they are not further apart than the interval; others let it rest in between.
    const isOverdue = surroundings.now() - asOf >= options.interval * 1000;
    return isMore || (isOverdue && options.once !== true);
  }

  async #lookByTimes(asOf: number): Promise<void> {
    const { address, options, surroundings, lease, note } = this.#following;
    const { position, isFullDue } = this.#looks;
    if (position === undefined && !isFullDue) {
      if (options.once === true) note('Nothing to do: it is not time yet to read all users (--full-every)');
      return;
    }
    await withOldDatabase(address, options, surroundings, async (old) => {
      const { changes } = old.readable;
      if (!this.#looks.hasLooked) this.#noteUnseen(changes?.unseen);
      const next = await changes?.position();
      const sending = { ...this.#following, old };
      const changed = isFullDue || position === undefined ? undefined : await changes?.since(position);
      if (changed === undefined || changed.users > mostChanged) {
        await importAll(sending, this.#sent);
        this.#looks.sawAll(asOf, { position: next });
      } else {
        await importChanged(sending, changed, this.#sent);
        this.#looks.saw({ position: { ...position, ...next } });
      }
    });
    await lease.report({ position: this.#looks.text, asOf, records: 0 });
  }

  #noteUnseen(unseen: readonly string[] | undefined): void {
    const { options, note } = this.#following;
    if (unseen !== undefined)
      noteUnseen(
        unseen.map((table) => `changes of ${table} alone`),
        this.#following,
      );
    else
      note(
        `The table of users has no time of the last change: all users are read again every ${duration(options.fullEvery)} (--full-every)`,
      );
  }
}
