import type { Database } from './database.ts';
import type { Watcher } from './gate.ts';
import { isDiskFull } from './sqlstate.ts';

/** About 60 KB that are gone again at once: a full disk refuses them, as it refuses a user. */
const takeSome = `
  create temporary table room_for_a_write on commit drop as
  select n, md5(n::text) as text from generate_series(1, 1000) n`;

/** Whether the database's disk had no room for the last write. Reads go on meanwhile, so only a write shows it. */
export class DiskSpace implements Watcher {
  #isFull = false;

  failed(error: unknown): void {
    if (isDiskFull(error)) this.#isFull = true;
  }

  succeeded(writes: boolean): void {
    if (writes) this.#isFull = false;
  }

  /** Tries again where the last write found none: else a core that gets no more requests would never learn of it. */
  async isFull(database: Database): Promise<boolean> {
    if (!this.#isFull) return false;
    return database.write(takeSome).then(
      () => false,
      (error: unknown) => isDiskFull(error),
    );
  }
}
