import { TimeIds } from '../../domain/ids.ts';
import type { Logger } from '../log.ts';
import type { Act, AuditStore, Details } from '../../domain/access/act.ts';
import { type CountedHour, CountedHours } from './hours.ts';
import { Tally } from './tally.ts';

export interface TrailOptions {
  readonly store: AuditStore;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** Between two writes of counts. Default 10,000. */
  readonly flushMs?: number;
}

/** An act that has begun: its beginning is in the database. */
export interface BegunAct {
  /** Never rejects: a completed act cannot be undone because it could not be logged. */
  end(
    outcome: string,
    result?: { readonly count?: number | undefined; readonly details?: Details },
  ): Promise<void>;
}

/**
 * The audit log. An act is logged before it is done, so that it is known whatever happens to the core, and its outcome before it
 * is answered. Acts by the thousand, such as imports of single users or refusals of keys, are counted in memory and written as
 * one entry for each who, what and address, every ten seconds. Frequent acts of backends are counted in one entry for each hour,
 * key and act, which is updated every ten seconds.
 */
export class AuditTrail {
  readonly #options: TrailOptions;
  readonly #ids = new TimeIds();
  readonly #tally = new Tally();
  readonly #hours = new CountedHours();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: TrailOptions) {
    this.#options = options;
    this.#timer = setInterval(() => {
      void this.#flush();
    }, options.flushMs ?? 10_000).unref();
  }

  /** @throws Refusal when the beginning cannot be logged: then the act must not be done */
  async begin(act: Act): Promise<BegunAct> {
    const { store, now } = this.#options;
    const begunAt = now();
    const id = this.#ids.next(begunAt);
    await store.put({ ...act, id, begunAt });
    return {
      end: (outcome, { count, details = {} } = {}) =>
        this.#end({ id, act: { ...act, details: { ...act.details, ...details } }, outcome, count }),
    };
  }

  /** Logs a completed act. Never rejects. */
  async keep(act: Act, outcome: string, count?: number): Promise<void> {
    const { store, now } = this.#options;
    const at = now();
    const entry = { ...act, id: this.#ids.next(at), begunAt: at, endedAt: at, outcome, count };
    this.#say(act, outcome, count);
    await this.#orSay(() => store.put(entry));
  }

  /** Counts one of many equal acts. */
  count(act: Act, outcome: string, count = 1): void {
    this.#tally.add(act, outcome, { count, at: this.#options.now() });
  }

  /** Counts a frequent act of a backend: by its key and its kind, without an address. */
  countByHour(act: Act, outcome: string): void {
    this.#hours.add(act, outcome, this.#options.now());
  }

  /** Writes the counts. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
    this.#sayHours(Infinity);
  }

  async #end({ id, act, outcome, count }: Ended): Promise<void> {
    const { store, now } = this.#options;
    this.#say(act, outcome, count);
    await this.#orSay(() => store.end(id, { endedAt: now(), outcome, count, details: act.details }));
  }

  /** One flush at a time; counts that could not be written continue. */
  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(async () => {
      try {
        await this.#flushTally();
        for (const each of this.#hours.dirty()) await this.#writeHour(each);
        this.#sayHours(this.#options.now());
      } catch (error) {
        this.#options.log.warn({ err: error }, 'counts of the audit log wait for the database');
      }
    });
    return this.#flushing;
  }

  async #flushTally(): Promise<void> {
    for (const counted of this.#tally.take()) {
      const { act, outcome, count, firstAt, lastAt } = counted;
      const id = this.#ids.next(firstAt);
      try {
        await this.#options.store.put({ ...act, id, begunAt: firstAt, endedAt: lastAt, outcome, count });
      } catch (error) {
        this.#tally.putBack(counted);
        throw error;
      }
      this.#say(act, outcome, count);
    }
  }

  /** A further count in the meantime makes it dirty again. */
  async #writeHour(hour: CountedHour): Promise<void> {
    const { act, outcome, count, firstAt, lastAt } = hour;
    const { store } = this.#options;
    hour.isDirty = false;
    try {
      if (hour.id !== undefined) {
        await store.end(hour.id, { endedAt: lastAt, outcome, count, details: act.details });
        return;
      }
      const id = this.#ids.next(firstAt);
      await store.put({ ...act, id, begunAt: firstAt, endedAt: lastAt, outcome, count });
      hour.id = id;
    } catch (error) {
      hour.isDirty = true;
      throw error;
    }
  }

  #sayHours(now: number): void {
    for (const { act, outcome, count } of this.#hours.takeEnded(now)) this.#say(act, outcome, count);
  }

  async #orSay(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#options.log.error(
        { err: error },
        'the audit log could not take an outcome: it is in the line before',
      );
    }
  }

  #say(
    { appId, tenantId, who, what, address, details }: Act,
    outcome: string,
    count: number | undefined,
  ): void {
    const said = { audit: what, who, address, appId, tenantId, outcome, count, details };
    this.#options.log.info(said, 'audit');
  }
}

interface Ended {
  readonly id: string;
  readonly act: Act;
  readonly outcome: string;
  readonly count: number | undefined;
}
