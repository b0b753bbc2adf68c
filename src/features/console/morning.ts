/** Sign-ins of the last day by outcome, a minute each: what this core has counted, kept for people who look later. */
import { hostname } from 'node:os';
import type { Metrics } from '../../process/metrics/metrics.ts';

const minuteMs = 60_000;
/** A day. */
const mostMinutes = 1440;

export interface Minute {
  /** Its end, ms since the epoch. */
  readonly at: number;
  readonly right: number;
  readonly wrong: number;
  readonly restricted: number;
  /** Too many guesses, overload, or an old system or a database that does not answer. */
  readonly refused: number;
}

type Counts = Omit<Minute, 'at'>;

const groups: Readonly<Record<string, keyof Counts>> = {
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

const nothing: Counts = { right: 0, wrong: 0, restricted: 0, refused: 0 };

export interface MorningView {
  readonly status: 'OK';
  /** The machine that answers. */
  readonly core: string;
  readonly cores: number;
  /** Tokens of old systems that this core was asked to exchange, by outcome. */
  readonly sessionsCarried: Readonly<Record<string, number>>;
  readonly minutes: readonly Minute[];
}

export class Morning {
  readonly #registry: Metrics['registry'];
  readonly #now: () => number;
  readonly #minutes: Minute[] = [];
  readonly #timer: NodeJS.Timeout;
  #before: Counts = nothing;

  constructor({ registry }: Pick<Metrics, 'registry'>, now: () => number) {
    this.#registry = registry;
    this.#now = now;
    this.#timer = setInterval(() => void this.#close(), minuteMs);
    this.#timer.unref();
  }

  /** The closed minutes, and the one that runs. */
  async view(): Promise<MorningView> {
    const counts = await this.#counts();
    const running = { at: this.#now(), ...difference(counts, this.#before) };
    const cores = await this.#registry.getSingleMetric('carryover_cores')?.get();
    const carried = await this.#registry.getSingleMetric('carryover_session_carries_total')?.get();
    return {
      status: 'OK',
      core: hostname(),
      cores: Math.max(1, cores?.values[0]?.value ?? 1),
      sessionsCarried: Object.fromEntries(
        (carried?.values ?? []).map(({ labels, value }) => [String(labels.result), value]),
      ),
      minutes: [...this.#minutes, running],
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #close(): Promise<void> {
    const counts = await this.#counts();
    this.#minutes.push({ at: this.#now(), ...difference(counts, this.#before) });
    this.#before = counts;
    if (this.#minutes.length > mostMinutes) this.#minutes.shift();
  }

  async #counts(): Promise<Counts> {
    const metric = await this.#registry.getSingleMetric('carryover_sign_ins_total')?.get();
    const counts = { ...nothing };
    for (const { labels, value } of metric?.values ?? []) {
      const group = groups[String(labels.outcome)];
      if (group !== undefined) counts[group] += value;
    }
    return counts;
  }
}

function difference(now: Counts, before: Counts): Counts {
  return {
    right: now.right - before.right,
    wrong: now.wrong - before.wrong,
    restricted: now.restricted - before.restricted,
    refused: now.refused - before.refused,
  };
}
