import { createHmac, randomBytes } from 'node:crypto';
import type { LegacySource } from '../../domain/model.ts';

/** About 1.5 MB; the oldest is evicted, and may be reported again. */
const maxLogins = 10_000;

/** Logins for which an old system answered with another person, each reported once. Only digests are stored. */
export class Strangers {
  readonly #key = randomBytes(32);
  readonly #known = new Set<string>();

  /** Calls `report` unless it was called for the same login before. */
  note({ name, url }: LegacySource, login: string, report: () => void): void {
    const digest = createHmac('sha256', this.#key)
      .update(JSON.stringify([name, url, login]))
      .digest('base64url');
    if (this.#known.has(digest)) return;
    const [oldest] = this.#known;
    if (oldest !== undefined && this.#known.size >= maxLogins) this.#known.delete(oldest);
    this.#known.add(digest);
    report();
  }
}
