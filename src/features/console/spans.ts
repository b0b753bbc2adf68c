/** Counts of the last day in spans of five minutes. */
import type { CountedSpans } from '../../store/cores.ts';

const spanMs = 300_000;
export const dayMs = 86_400_000;

type Counts = Record<string, number>;

const beginningOf = (at: number): number => at - (at % spanMs);

/** Spreads totals, as they grow, over the spans in which they grew. Spans are within the last day, so their number is bounded. */
export class SpanCounter {
  readonly #spans = new Map<number, Counts>();
  #before: Readonly<Counts> = {};

  /** @param totals since the start of the process, by name @param now ms since the epoch */
  add(totals: Readonly<Counts>, now: number): void {
    const at = beginningOf(now);
    for (const [name, total] of Object.entries(totals)) {
      const gain = total - (this.#before[name] ?? 0);
      if (gain > 0) addTo(this.#spans, at, name, gain);
    }
    this.#before = totals;
    // A clock may be set back, too.
    for (const each of this.#spans.keys())
      if (each < beginningOf(now - dayMs) || each > now) this.#spans.delete(each);
  }

  view(): CountedSpans {
    const names = new Set([...this.#spans.values()].flatMap((counts) => Object.keys(counts)));
    const counts = [...names].map(
      (name) => [name, [...this.#spans.values()].map((span) => span[name] ?? 0)] as const,
    );
    return { at: [...this.#spans.keys()], counts: Object.fromEntries(counts) };
  }
}

/** By the beginning of the span. */
export function sumsOf(all: readonly CountedSpans[]): ReadonlyMap<number, Readonly<Counts>> {
  const sums = new Map<number, Counts>();
  for (const { at: beginnings, counts } of all)
    for (const [name, values] of Object.entries(counts))
      beginnings.forEach((at, n) => {
        addTo(sums, at, name, values[n] ?? 0);
      });
  return sums;
}

function addTo(spans: Map<number, Counts>, at: number, name: string, count: number): void {
  const span = spans.get(at) ?? {};
  span[name] = (span[name] ?? 0) + count;
  spans.set(at, span);
}

/** @returns the beginnings of all spans of that time */
export function spansBetween(since: number, now: number): readonly number[] {
  const spans: number[] = [];
  for (let at = beginningOf(since); at <= now; at += spanMs) spans.push(at);
  return spans;
}
