import type { Position } from '../../exports/sources/changes.ts';

/** How far a follower is, as it is stored in the lease: another process goes on from there. */
interface Stored {
  /** When all users were read, ms since the epoch. */
  readonly full: number;
  readonly position?: Position;
}

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
    if (this.#stored === undefined) return true;
    // Another machine's clock may have been ahead.
    const age = this.#now() - this.#stored.full;
    return age < 0 || age >= this.#fullEveryMs;
  }

  /** Undefined if changes are not seen. */
  get position(): Position | undefined {
    return this.#stored?.position;
  }

  /** For the lease. */
  get text(): string {
    return JSON.stringify(this.#stored ?? {});
  }

  sawAll(at: number, position: Position | undefined): void {
    this.#stored = { full: at, ...(position && { position }) };
    this.#hasLooked = true;
  }

  saw(position: Position): void {
    if (this.#stored !== undefined) this.#stored = { ...this.#stored, position };
    this.#hasLooked = true;
  }
}

function storedIn(text: string): Stored | undefined {
  try {
    const { full, position } = JSON.parse(text) as Partial<Stored>;
    return typeof full === 'number' ? { full, ...(position && { position }) } : undefined;
  } catch {
    return undefined;
  }
}
