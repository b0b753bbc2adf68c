/** Sign-ins of the last day by outcome, as each core reports them with its row: all cores show the same. */
import type { Metrics } from '../../process/metrics/metrics.ts';
import type { CoreDay, ReportedDay } from '../../store/cores.ts';
import type { MorningView, Span } from './model.ts';
import { dayMs, SpanCounter, spansBetween, sumsOf } from './spans.ts';

const groups: Readonly<Record<string, Exclude<keyof Span, 'at'>>> = {
  ok: 'right',
  moved: 'right',
  wrong: 'wrong',
  legacy_wrong: 'wrong',
  restricted: 'restricted',
  throttled: 'refused',
  refused: 'refused',
  failed: 'refused',
  legacy_unavailable: 'refused',
};

/** What this core has counted, from its metrics. */
export class Morning {
  readonly #registry: Metrics['registry'];
  readonly #now: () => number;
  readonly #since: number;
  readonly #signIns = new SpanCounter();
  readonly #carried = new SpanCounter();

  constructor({ registry }: Pick<Metrics, 'registry'>, now: () => number) {
    this.#registry = registry;
    this.#now = now;
    this.#since = now();
  }

  /** Counts up to now. */
  async report(): Promise<CoreDay> {
    const signIns = await this.#totals('carryover_sign_ins_total', ({ outcome }) => groups[String(outcome)]);
    const carried = await this.#totals('carryover_session_carries_total', ({ result }) => String(result));
    const now = this.#now();
    this.#signIns.add(signIns, now);
    this.#carried.add(carried, now);
    return { since: this.#since, signIns: this.#signIns.view(), carried: this.#carried.view() };
  }

  async #totals(
    metric: string,
    nameOf: (labels: Readonly<Record<string, unknown>>) => string | undefined,
  ): Promise<Readonly<Record<string, number>>> {
    const totals: Record<string, number> = {};
    const { values = [] } = (await this.#registry.getSingleMetric(metric)?.get()) ?? {};
    for (const { labels, value } of values) {
      const name = nameOf(labels);
      if (name !== undefined) totals[name] = (totals[name] ?? 0) + value;
    }
    return totals;
  }
}

/** All cores together. @param now ms since the epoch */
export function morningOf(reported: readonly ReportedDay[], now: number): MorningView {
  const here = reported.filter(({ isHere }) => isHere);
  const reporting = here.filter(({ day }) => day !== null).length;
  const view = { status: 'OK', cores: here.length, reporting } as const;
  const days = reported.flatMap(({ day }) => day ?? []);
  if (days.length === 0) return { ...view, spans: [], sessionsCarried: {} };
  const since = Math.max(now - dayMs, Math.min(...days.map((day) => day.since)));
  const spans = spansBetween(since, now);
  const signIns = sumsOf(days.map((day) => day.signIns));
  const carried = sumsOf(days.map((day) => day.carried));
  const sessionsCarried: Record<string, number> = {};
  for (const at of spans)
    for (const [name, count] of Object.entries(carried.get(at) ?? {}))
      sessionsCarried[name] = (sessionsCarried[name] ?? 0) + count;
  return { ...view, since, spans: spans.map((at) => spanOf(at, signIns.get(at))), sessionsCarried };
}

function spanOf(at: number, counts: Readonly<Partial<Record<string, number>>> = {}): Span {
  const { right = 0, wrong = 0, restricted = 0, refused = 0 } = counts;
  return { at, right, wrong, restricted, refused };
}
