import type { Database } from '../database/database.ts';
import { nowMs } from './clock.ts';

/** A core whose row is older no longer counts. After a minute the row goes, or after a day if it has a day's counts. */
const countsMs = 15_000;
const removedMs = 60_000;
const dayMs = 86_400_000;
/** Rows with a day's counts, of cores that are here or have ended: one that restarts again and again leaves many. */
const mostDays = 100;

const renew = `
  with own as (
    insert into cores (core_id, version, seen_at, figures) values ($1::uuid, $2::text, ${nowMs}, $3::text::jsonb)
    on conflict (core_id) do update set seen_at = excluded.seen_at, figures = excluded.figures
  ),
  gone as (
    delete from cores where seen_at < ${nowMs} - ${removedMs} and core_id not in (
      select core_id from cores where figures ? 'day' and seen_at > ${nowMs} - ${dayMs} order by seen_at desc limit ${mostDays}
    )
  )
  select count(*)::int as others from cores where core_id <> $1::uuid and seen_at > ${nowMs} - ${countsMs}`;

const list = `
  select core_id as id, version, ${nowMs} - seen_at as "ageMs", figures - 'day' as figures from cores
  where seen_at > ${nowMs} - ${countsMs} order by figures ->> 'host', core_id`;

const days = `
  select seen_at > ${nowMs} - ${countsMs} as "isHere", figures -> 'day' as day from cores
  where figures ? 'day' or seen_at > ${nowMs} - ${countsMs}`;

const leave = `
  update cores set seen_at = seen_at - ${countsMs}, figures = coalesce($2::text::jsonb, figures) where core_id = $1::uuid`;

/** How busy a core is. */
export interface CoreFigures {
  /** The name of its machine. */
  readonly host: string;
  /** Threads that compute passwords, those that are at it, and what waits for one. */
  readonly threads: number;
  readonly running: number;
  readonly waiting: number;
  /** Items that wait for a batch of the database. */
  readonly backlog: number;
  /** Resident. */
  readonly memoryBytes: number;
}

/** Counts in spans of five minutes; a span in which nothing was counted is left out. */
export interface CountedSpans {
  /** Their beginnings, ms since the epoch. */
  readonly at: readonly number[];
  /** By name, a count for each span. */
  readonly counts: Readonly<Record<string, readonly number[]>>;
}

/** The last day of a core, by its clock: at most 289 spans. */
export interface CoreDay {
  /** ms since the epoch: it has counted from then on. */
  readonly since: number;
  /** Sign-ins by outcome. */
  readonly signIns: CountedSpans;
  /** Tokens of old systems that were to be exchanged for sessions, by outcome. */
  readonly carried: CountedSpans;
}

/** In the row of a core. */
export interface CoreReport extends CoreFigures {
  readonly day: CoreDay;
}

export interface ReportedDay {
  /** Its core has renewed its row within 15 s. */
  readonly isHere: boolean;
  /** null for a core whose console is off. */
  readonly day: CoreDay | null;
}

export interface ListedCore {
  readonly id: string;
  readonly version: string;
  /** Since it has renewed its row. */
  readonly ageMs: number;
  /** null for a core whose console is off. */
  readonly figures: CoreFigures | null;
}

export interface CoreStore {
  /** Renews the row of a core. @returns how many others have renewed theirs within 15 s */
  renew(id: string, version: string, report: CoreReport | undefined): Promise<number>;
  /** Those that have renewed their rows within 15 s. */
  list(): Promise<readonly ListedCore[]>;
  /** The last days of the cores that are here, and of those that have ended within a day. */
  days(): Promise<readonly ReportedDay[]>;
  /** The others stop counting the core. @param report its last one */
  leave(id: string, report: CoreReport | undefined): Promise<void>;
}

/** A row for each core that uses the database. */
export function coreStore({ read, write }: Pick<Database, 'read' | 'write'>): CoreStore {
  return {
    renew: async (id, version, report) => {
      const [row] = await write<{ others: number }>(renew, [id, version, textOf(report)]);
      return row?.others ?? 0;
    },
    list: () => read<ListedCore>(list),
    days: () => read<ReportedDay>(days),
    leave: async (id, report) => {
      await write(leave, [id, textOf(report)]);
    },
  };
}

function textOf(report: CoreReport | undefined): string | null {
  return report === undefined ? null : JSON.stringify(report);
}
