import type { Act } from '../../domain/access/act.ts';
import { coarser, kindOf } from './coarser.ts';

/** Equal acts of one key in one hour. */
export interface CountedHour {
  readonly act: Act;
  readonly outcome: string;
  /** Hours since the epoch. */
  readonly hour: number;
  /** ms since the epoch */
  readonly firstAt: number;
  lastAt: number;
  count: number;
  /** The id of its entry, once that is written. */
  id: string | undefined;
  /** Whether the count has changed since the entry was written. */
  isDirty: boolean;
}

const hourMs = 3_600_000;

/**
 * Counts frequent acts of backends, such as beginning sessions: one entry for an hour, a key and an act, so that a busy core adds
 * some hundred entries a day to the audit log and not one for each write.
 */
export class CountedHours {
  readonly #counted = new Map<string, CountedHour>();

  add(act: Act, outcome: string, at: number): void {
    const hour = Math.floor(at / hourMs);
    const key = `${hour}\n${kindOf(act, outcome)}`;
    const known = this.#counted.get(key);
    if (known !== undefined) {
      known.count++;
      known.lastAt = at;
      known.isDirty = true;
      return;
    }
    const less = coarser(act, this.#counted.size);
    if (less !== undefined) this.add(less, outcome, at);
    else
      this.#counted.set(key, {
        act,
        outcome,
        hour,
        firstAt: at,
        lastAt: at,
        count: 1,
        id: undefined,
        isDirty: true,
      });
  }

  /** Those whose count has changed since they were written. */
  dirty(): CountedHour[] {
    return [...this.#counted.values()].filter(({ isDirty }) => isDirty);
  }

  /** @param now ms since the epoch; Infinity: all @returns those whose hour is over and that are written; they are removed here */
  takeEnded(now: number): CountedHour[] {
    const ended = [...this.#counted].filter(
      ([, { hour, isDirty }]) => !isDirty && (hour + 1) * hourMs <= now,
    );
    for (const [key] of ended) this.#counted.delete(key);
    return ended.map(([, each]) => each);
  }
}
