/** The journal's triggers where no step makes them: in a database that was restored, and in the place that an app moves to. */
import type { AppTriggers } from '../../feature.ts';
import {
  beginning,
  type MadeTrigger,
  prefixOf,
  raiseJournal,
  there,
  tidyJournals,
  type Transactions,
  triggers,
  withLock,
} from './journal.ts';

interface Noted {
  readonly appNo: number;
  readonly moveNo: number;
}

/** Moves that had a share since their last rehearsal, and may still have something to write back. */
const noted = `
  select m.app_no as "appNo", m.move_no as "moveNo" from moves m
  where m.stage in (2, 3) and m.app_no = coalesce($1::int, m.app_no) and exists (
    select 1 from move_events e
    where e.app_no = m.app_no and e.move_no = m.move_no and e.stage = 3 and e.event_no > coalesce(
      (select max(r.event_no) from move_events r where r.app_no = m.app_no and r.move_no = m.move_no and r.stage = 1), 0)
  )`;

export const journalTriggers: AppTriggers = {
  async settle(database, appNo) {
    if (!(await raiseNeeded(database, appNo))) return false;
    await tidyJournals(database, appNo);
    return true;
  },

  async areSettled(database, appNo) {
    const made = await triggersOf(database, appNo);
    const needed = (await notedMoves(database, appNo)).flatMap((each) =>
      triggers.map(({ event, table }) => `${prefixOf(each.appNo, each.moveNo)}${event} ${table}`),
    );
    const names = new Set(made.map(({ name, table }) => `${name} ${table}`));
    return names.size === needed.length && needed.every((each) => names.has(each));
  },

  async remove(database, appNo) {
    for (const { name, table } of await triggersOf(database, appNo))
      if (!(await withLock(database, `drop trigger if exists ${name} on ${table}`))) return false;
    return true;
  },
};

/** Makes missing triggers. @param appNo left out: of all apps @returns false if a table was locked all the time */
export async function raiseNeeded(database: Transactions, appNo?: number): Promise<boolean> {
  for (const each of await notedMoves(database, appNo))
    if (!(await raiseJournal(database, each.appNo, each.moveNo))) return false;
  return true;
}

function notedMoves({ read }: Pick<Transactions, 'read'>, appNo?: number): Promise<Noted[]> {
  return read<Noted>(noted, [appNo ?? null]);
}

function triggersOf({ read }: Pick<Transactions, 'read'>, appNo: number): Promise<MadeTrigger[]> {
  return read<MadeTrigger>(there, [`${beginning}${appNo}_`]);
}
