/** The password of a user who changed here, as it was and is, compared with the one of a row there. */

import { hashMark } from '../../../domain/digests.ts';
import type { WrittenHashes } from '../../providers/database.ts';

/** Hashes of the same passwords as the old system makes them, by the marks of the hashes here. */
export type SecondHashes = Readonly<Record<string, string>>;

/** Marks of the hash that the user had before; null: no password. */
export interface FormerPassword {
  /** Of the hash there. */
  readonly passwordMark: string | null;
  /** Of the one here: another one if a sign-in had replaced it. */
  readonly storedMark?: string | null;
}

interface Known {
  /** The hash here; undefined: no password. */
  readonly stored: string | undefined;
  readonly former: readonly FormerPassword[];
  readonly secondHashes: SecondHashes;
  /** Of hashes that the old system makes; null: not known. */
  readonly hashKind: string | null;
}

export class Password {
  /** Of the hash here. */
  readonly mark: string | undefined;
  /** As it is written there; undefined: the old system cannot verify it, or there is no password. */
  readonly hash: string | undefined;
  readonly #hashes: WrittenHashes;
  readonly #known: Known;

  constructor(hashes: WrittenHashes, known: Known) {
    this.#hashes = hashes;
    this.#known = known;
    const { stored } = known;
    this.mark = stored === undefined ? undefined : hashMark(stored);
    this.hash =
      this.#secondOf(this.mark ?? null) ??
      (stored === undefined ? undefined : hashes.there(stored, known.hashKind));
  }

  get isNone(): boolean {
    return this.mark === undefined;
  }

  /** Whether the old system cannot verify it. */
  get isLost(): boolean {
    return !this.isNone && this.hash === undefined;
  }

  /** Whether it is the same here as before. */
  get isUnchanged(): boolean {
    const second = this.mark === undefined ? undefined : this.#known.secondHashes[this.mark];
    const own = [this.mark ?? null, ...(second === undefined ? [] : [hashMark(second)])];
    return this.#known.former.every(
      ({ passwordMark, storedMark = null }) =>
        own.includes(passwordMark) || (storedMark !== null && storedMark === this.mark),
    );
  }

  /** Whether a row has one that the user had here before; a user without a password has none. */
  wasThere(password: string): boolean {
    // A hash of here may have been written there in another form.
    const marks = this.#hashes.here(password).map(hashMark);
    return this.#known.former
      .flatMap(({ passwordMark, storedMark }) => [passwordMark ?? [], storedMark ?? []].flat())
      .some((mark) => marks.includes(mark) || this.#secondOf(mark) === password);
  }

  /** Whether a row is without a password, as the user was. */
  wasNone(password: string): boolean {
    return (
      this.#known.former.some(({ passwordMark }) => passwordMark === null) &&
      this.#hashes.isUnusable(password)
    );
  }

  /** As it is there: made by the old system's way, it needs no spelling, or that of its kind. */
  #secondOf(mark: string | null): string | undefined {
    const second = mark === null ? undefined : this.#known.secondHashes[mark];
    return second === undefined ? undefined : (this.#hashes.there(second, this.#known.hashKind) ?? second);
  }
}
