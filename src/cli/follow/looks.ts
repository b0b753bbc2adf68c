import type { Position } from '../../exports/sources/changes.ts';

/** How far the log was read. */
export interface LogPosition {
  /** As PostgreSQL writes it. */
  readonly at: string;
  /** The files of its tables: others, if one was rewritten or emptied. */
  readonly files: Readonly<Record<string, string>>;
}

/** How changes are seen after all users were read; neither: they are not. */
interface Seen {
  readonly position?: Position | undefined;
  readonly log?: LogPosition | undefined;
}

/** How far a follower is, as it is stored in the lease: another process goes on from there. */
interface Stored extends Seen {
  /** When all users were read, ms since the epoch. */
  readonly full: number;
  /** How long that took, ms. */
  readonly tookMs?: number;
  /** Whether something waits until all users are read. */
  readonly isSoon?: boolean;
}

/** All users are read early at most this often, and for at most a tenth of the time. */
const soonestMs = 60_000;
const restFactor = 10;

/** Decides what a look reads. */
export class Looks {
  readonly #fullEveryMs: number;
  readonly #now: () => number;
  #stored: Stored | undefined;
  #hasLooked = false;

  /** @param text as another process stored it */
  constructor(fullEveryMs: number, text: string | undefined, now: () => number) {
    this.#fullEveryMs = fullEveryMs;
    this.#now = now;
    this.#stored = text === undefined ? undefined : storedIn(text);
  }

  /** Whether this process has finished a look. */
  get hasLooked(): boolean {
    return this.#hasLooked;
  }

  get isFullDue(): boolean {
    return this.fullInMs <= 0;
  }

  /** Until all users are read. */
  get fullInMs(): number {
    if (this.#stored === undefined) return 0;
    const { full, tookMs = 0, isSoon = false } = this.#stored;
    const soonMs = Math.max(soonestMs, tookMs * restFactor);
    const everyMs = isSoon ? Math.min(soonMs, this.#fullEveryMs) : this.#fullEveryMs;
    // Another machine's clock may have been ahead.
    const age = this.#now() - full;
    return age < 0 ? 0 : everyMs - age;
  }

  /** Undefined if changes are not seen by their times. */
  get position(): Position | undefined {
    return this.#stored?.position;
  }

  /** Undefined if changes are not seen by the log. */
  get log(): LogPosition | undefined {
    return this.#stored?.log;
  }

  /** For the lease. */
  get text(): string {
    return JSON.stringify(this.#stored ?? {});
  }

  /** @param at when the reading of all users began */
  sawAll(at: number, seen: Seen): void {
    this.#stored = { full: at, tookMs: this.#now() - at, ...seen };
    this.#hasLooked = true;
  }

  saw(seen: Seen): void {
    if (this.#stored !== undefined) this.#stored = { ...this.#stored, ...seen };
    this.#hasLooked = true;
  }

  /** Something shows only when all users are read: earlier than otherwise. */
  hasten(): void {
    if (this.#stored !== undefined) this.#stored = { ...this.#stored, isSoon: true };
  }

  /** What was seen of changes is not enough to continue: all users are read next. */
  forget(): void {
    this.#stored = undefined;
  }
}

function storedIn(text: string): Stored | undefined {
  try {
    const stored = JSON.parse(text) as Partial<Stored>;
    return typeof stored.full === 'number' ? { ...stored, full: stored.full } : undefined;
  } catch {
    return undefined;
  }
}
