/** Holds transactions of imports at a certain point until they are released. */
import postgres from 'postgres';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';

export interface Holder {
  /** Resolves when this many transactions are held. @returns the process ids of their backends */
  held(count: number): Promise<number[]>;
  /** Releases held transactions, and holds no further ones. May be called again. */
  release(): Promise<void>;
}

/** Where a transaction is held: at a row of a chunk's users, or in the middle of its COMMIT. */
export type HeldAt = 'users' | 'commit';

/** `commit`: a deferred trigger on import_jobs runs during the COMMIT. */
const triggers: Readonly<Record<HeldAt, string>> = {
  users: 'create trigger hold after insert on users for each statement execute function hold()',
  commit: `create constraint trigger hold after update of bytes on import_jobs deferrable initially deferred
    for each row execute function hold()`,
};

/** From now on transactions wait there for an advisory lock of the test. */
export async function holdAt(connection: EmbeddedConnection, at: HeldAt): Promise<Holder> {
  // Its one connection has the lock. A connection that is lost with its server is reopened, without the lock.
  const holder = postgres({ ...connection, max: 1, onnotice: () => undefined });
  const sql = postgres({ ...connection, max: 1, onnotice: () => undefined });
  await holder`set search_path to carryover`;
  await holder`select pg_advisory_lock(1)`;
  await holder`
    create or replace function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(1); return null; end $$`;
  for (const table of ['users', 'import_jobs'])
    await holder.unsafe(`drop trigger if exists hold on ${table}`);
  await holder.unsafe(triggers[at]);
  let isHolding = true;
  return {
    held: async (count) => {
      for (;;) {
        const rows = await sql<{ pid: number }[]>`
          select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`;
        if (rows.length >= count) return rows.map(({ pid }) => pid);
      }
    },
    release: async () => {
      if (!isHolding) return;
      isHolding = false;
      await holder`select pg_advisory_unlock(1)`.catch(() => undefined);
      await Promise.all([holder.end(), sql.end()]);
    },
  };
}
