import type { Database } from './database.ts';
import type { Watcher } from './gate.ts';
import { isDiskFull } from './sqlstate.ts';

/** Takes about 60 KB and frees them at once: a full disk refuses it like any write. */
const takeSome = `
  create temporary table room_for_a_write on commit drop as
  select n, md5(n::text) as text from generate_series(1, 1000) n`;

/** Whether the last write failed for a full disk. Reads still succeed, so only a write shows it. */
export class DiskSpace implements Watcher {
  #isFull = false;

  failed(error: unknown): void {
    if (isDiskFull(error)) this.#isFull = true;
  }

  succeeded(writes: boolean): void {
    if (writes) this.#isFull = false;
  }

  /** Retries after a failure; otherwise a core without requests would not notice that there is room again. */
  async isFull(database: Database): Promise<boolean> {
    if (!this.#isFull) return false;
    return database.write(takeSome).then(
      () => false,
      (error: unknown) => isDiskFull(error),
    );
  }
}
