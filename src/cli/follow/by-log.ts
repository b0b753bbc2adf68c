/** Looks at what changed by the log of the old database. */

import { LogUnavailable } from '../../exports/sources/fault.ts';
import type { LogReading } from '../../exports/sources/log/log-reading.ts';
import type { SeenChanges } from '../../exports/sources/log/log-changes.ts';
import type { NamingColumn } from '../../exports/sources/log/named.ts';
import { lsnText, type Lsn, parseLsn } from '../../exports/sources/log/pgoutput.ts';
import type { LogState, SourceLog } from '../../exports/sources/log/source-log.ts';
import { unseenIn } from '../../exports/sources/log/tables.ts';
import { type OldDatabase, withOldDatabase } from '../input/old-database.ts';
import { bytes, duration, plural, printable } from '../output/format.ts';
import { type Following, mostChanged, noteUnseen } from './following.ts';
import type { LogPosition, Looks } from './looks.ts';
import { importAll, importChanged, type Sent } from './send.ts';
import { logName, usesLog, withSourceLog } from './source-log.ts';

export class ByLog {
  readonly #following: Following;
  readonly #looks: Looks;
  readonly #sent: Sent;
  #name: string | undefined;
  /** As the last reading of the tables found them. */
  #columns: readonly NamingColumn[] | undefined;
  /** Why it is not read; undefined: it is. */
  #without: string | undefined;
  #hasSlot = false;
  /** Until the log that was kept while all users were read is read, too, it may be more than is allowed otherwise. */
  #isCatchingUp = false;

  constructor(following: Following, looks: Looks, sent: Sent) {
    this.#following = following;
    this.#looks = looks;
    this.#sent = sent;
  }

  /** For which the old database keeps its log, as far as this process knows. */
  get slot(): string | undefined {
    return this.#hasSlot ? this.#name : undefined;
  }

  /** @returns whether more waits in the log; undefined if it is not read: tried again when all users are */
  async look(asOf: number): Promise<boolean | undefined> {
    const { address, options, core, surroundings } = this.#following;
    const isFollowed = this.#looks.log !== undefined;
    if (!usesLog(address, options, isFollowed)) {
      if (isFollowed) this.#leave();
      return undefined;
    }
    if (this.#without !== undefined && !this.#looks.isFullDue) return undefined;
    const name = (this.#name ??= await logName(core, surroundings.interrupt));
    try {
      const opening = { address, options, surroundings, name };
      const isMore = await withSourceLog(opening, (log) => this.#lookInto(log, name, asOf));
      this.#without = undefined;
      return isMore;
    } catch (error) {
      surroundings.interrupt.throwIfAborted();
      if (!(error instanceof LogUnavailable) || options.log === 'require') throw error;
      this.#fallBack(error.message);
      return undefined;
    }
  }

  #leave(): void {
    this.#looks.forget();
    this.#following.note(
      'The slot of an earlier follower stays, and the log is kept for it: see --remove-log',
    );
  }

  #fallBack(reason: string): void {
    const stays = this.slot === undefined ? '' : ` The slot ${this.slot} stays, and the log is kept for it.`;
    if (reason !== this.#without)
      this.#following.note(
        `Changes are seen by their times, not by the log of the old database.${stays} ${printable(reason)}`,
      );
    this.#without = reason;
    if (this.#looks.log !== undefined) this.#looks.forget();
  }

  async #lookInto(log: SourceLog, name: string, asOf: number): Promise<boolean> {
    const columns = this.#columns ?? (await this.#read((_old, found) => Promise.resolve(found.columns)));
    const state = await log.state(columns);
    this.#hasSlot = state.slot !== undefined;
    const stored = this.#looks.log;
    const reason = whyAgain(state, stored, this.#isCatchingUp ? Infinity : this.#following.options.maxLog);
    if (stored === undefined || reason !== undefined) {
      const slot = `the slot ${name}`;
      const why =
        reason === undefined
          ? `Follows the log of the old database, by ${slot}`
          : `${reason}. All users are read, and the log is followed by ${slot}, made again`;
      return this.#begin(log, state, columns, { asOf, why });
    }
    if (!this.#looks.hasLooked) noteUnseen(unseenIn(state.tables, columns), this.#following);
    const changes = await log.changes(state, columns);
    const reasons = [
      ...state.tables
        .filter(({ table, file }) => stored.files[table] !== file)
        .map(({ table }) => `The table ${printable(table)} was rewritten or emptied there`),
      ...(changes.isMany ? ['More users changed there than are read individually'] : []),
    ];
    if (changes.isEmpty && reasons.length === 0 && !this.#looks.isFullDue)
      return this.#reached(log, state, changes.all, asOf);
    const seen = await this.#read(async (old, found) => {
      const visible = await found.seen(changes);
      const { users, pages } = await found.users(visible);
      reasons.push(...visible.truncated.map((table) => `The table ${printable(table)} was emptied there`));
      if (reasons.length > 0) this.#following.note(`${reasons.join('. ')}: all users are read`);
      if (reasons.length > 0 || this.#looks.isFullDue || users > mostChanged)
        await this.#readAll(old, asOf, positionAt(visible.end, state));
      else {
        await importChanged({ ...this.#following, old }, { users, pages }, this.#sent);
        this.#expectRemoved(visible.removed);
      }
      return visible;
    });
    return this.#reached(log, state, seen, asOf);
  }

  /** A new slot first, then all users: what changes meanwhile is in the log. */
  async #begin(
    log: SourceLog,
    state: LogState,
    columns: readonly NamingColumn[],
    { asOf, why }: { readonly asOf: number; readonly why: string },
  ): Promise<boolean> {
    if (state.slot !== undefined) await log.drop(state);
    this.#hasSlot = false;
    const start = await log.begin(state, columns);
    this.#hasSlot = true;
    this.#isCatchingUp = true;
    this.#following.note(why);
    noteUnseen(unseenIn(state.tables, columns), this.#following);
    await this.#read((old) => this.#readAll(old, asOf, positionAt(start, state)));
    await this.#following.lease.report({ position: this.#looks.text, asOf, records: 0 });
    return true;
  }

  async #readAll(old: OldDatabase, asOf: number, log: LogPosition): Promise<void> {
    await importAll({ ...this.#following, old }, this.#sent);
    this.#looks.sawAll(asOf, { log });
  }

  /** The position is stored here before the server may forget what is before it: another order would look like a foreign reader. */
  async #reached(log: SourceLog, state: LogState, seen: SeenChanges, asOf: number): Promise<boolean> {
    const report = async (at: Lsn): Promise<void> => {
      this.#looks.saw({ log: positionAt(at, state) });
      await this.#following.lease.report({
        position: this.#looks.text,
        asOf: seen.isAll ? asOf : undefined,
        records: 0,
      });
    };
    await report(seen.end);
    const moved = await log.confirm(state, seen.end);
    // Within a record that the look has read: PostgreSQL 10 moves a slot by whole ones.
    if (moved > seen.end) await report(moved);
    if (seen.isAll) this.#isCatchingUp = false;
    return seen.isMore;
  }

  /** Users who are gone are treated by an import of all users alone, which knows how many they are. */
  #expectRemoved(users: number): void {
    const { options, note } = this.#following;
    if (users === 0 || options.absent === undefined) return;
    this.#looks.hasten();
    note(
      `${plural(users, 'user')} removed there: --absent applies when all users are read, in ${duration(this.#looks.fullInMs / 1000)}`,
    );
  }

  #read<Result>(work: (old: OldDatabase, found: LogReading) => Promise<Result>): Promise<Result> {
    const { address, options, surroundings } = this.#following;
    return withOldDatabase(address, options, surroundings, (old) => {
      const { byLog } = old.readable;
      if (byLog === undefined) throw new Error('the log of another server than PostgreSQL is not read');
      this.#columns = byLog.columns;
      return work(old, byLog);
    });
  }
}

function positionAt(at: Lsn, { tables }: LogState): LogPosition {
  return { at: lsnText(at), files: Object.fromEntries(tables.map(({ table, file }) => [table, file])) };
}

/** @returns why the slot, if there is one, cannot be read on from the stored position */
function whyAgain(
  { slot, publication, flushed }: LogState,
  stored: LogPosition | undefined,
  maxLog: number,
): string | undefined {
  if (slot === undefined) return stored && 'The slot was removed from the old database';
  if (stored === undefined) return 'An earlier follower left a slot';
  if (slot.isLost) return 'The old database has removed the log that the slot needs (max_slot_wal_keep_size)';
  if (slot.keptBytes > maxLog)
    return `The old database keeps ${bytes(slot.keptBytes)} of its log for the slot, more than --max-log allows`;
  if (publication !== 'complete')
    return 'The publication was removed from the old database, or lacks a table';
  if (slot.confirmed > parseLsn(stored.at)) return 'The slot is ahead of what was imported from it';
  if (flushed < parseLsn(stored.at)) return 'The log of the old database was set back, as by a restore';
  return undefined;
}
