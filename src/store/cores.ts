import type { Database } from '../database/database.ts';
import { nowMs } from './clock.ts';

/** A core whose row is older no longer counts, and after a minute the row goes. */
const countsMs = 15_000;
const removedMs = 60_000;

const renew = `
  with own as (
    insert into cores (core_id, version, seen_at, figures) values ($1::uuid, $2::text, ${nowMs}, $3::text::jsonb)
    on conflict (core_id) do update set seen_at = excluded.seen_at, figures = excluded.figures
  ),
  gone as (delete from cores where seen_at < ${nowMs} - ${removedMs})
  select count(*)::int as others from cores where core_id <> $1::uuid and seen_at > ${nowMs} - ${countsMs}`;

const list = `
  select core_id as id, version, ${nowMs} - seen_at as "ageMs", figures from cores
  where seen_at > ${nowMs} - ${countsMs} order by figures ->> 'host', core_id`;

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
  renew(id: string, version: string, figures: CoreFigures | undefined): Promise<number>;
  /** Those that have renewed their rows within 15 s. */
  list(): Promise<readonly ListedCore[]>;
  /** The others stop counting the core. */
  remove(id: string): Promise<void>;
}

/** A row for each core that uses the database. */
export function coreStore({ read, write }: Pick<Database, 'read' | 'write'>): CoreStore {
  return {
    renew: async (id, version, figures) => {
      const said = figures === undefined ? null : JSON.stringify(figures);
      const [row] = await write<{ others: number }>(renew, [id, version, said]);
      return row?.others ?? 0;
    },
    list: () => read<ListedCore>(list),
    remove: async (id) => {
      await write('delete from cores where core_id = $1::uuid', [id]);
    },
  };
}
