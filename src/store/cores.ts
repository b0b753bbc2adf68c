import type { Database } from '../database/database.ts';
import { nowMs } from './clock.ts';

/** A core whose row is older no longer counts, and after a minute the row goes. */
const countsMs = 15_000;
const removedMs = 60_000;

const renew = `
  with own as (
    insert into cores (core_id, version, seen_at) values ($1::uuid, $2::text, ${nowMs})
    on conflict (core_id) do update set seen_at = excluded.seen_at
  ),
  gone as (delete from cores where seen_at < ${nowMs} - ${removedMs})
  select count(*)::int as others from cores where core_id <> $1::uuid and seen_at > ${nowMs} - ${countsMs}`;

export interface CoreStore {
  /** Renews the row of a core. @returns how many others have renewed theirs within 15 s */
  renew(id: string, version: string): Promise<number>;
  /** The others stop counting the core. */
  remove(id: string): Promise<void>;
}

/** A row for each core that uses the database. */
export function coreStore({ write }: Pick<Database, 'write'>): CoreStore {
  return {
    renew: async (id, version) => {
      const [row] = await write<{ others: number }>(renew, [id, version]);
      return row?.others ?? 0;
    },
    remove: async (id) => {
      await write('delete from cores where core_id = $1::uuid', [id]);
    },
  };
}
