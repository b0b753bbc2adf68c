import { Refusal } from '../domain/errors.ts';
import { explained, isOfMovingApp } from './sqlstate.ts';

export interface Watcher {
  succeeded(writes: boolean): void;
  /** An error that the statement did not cause, which {@link explained} turns into a refusal. */
  failed(error: unknown, writes: boolean): void;
}

export function watchers(...all: readonly Watcher[]): Watcher {
  return {
    succeeded: (writes) => {
      for (const each of all) each.succeeded(writes);
    },
    failed: (error, writes) => {
      for (const each of all) each.failed(error, writes);
    },
  };
}

export interface Gate {
  /** Throws Refusal OVERLOADED, before anything is done, while too many are under way. */
  enter<Result>(writes: boolean, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

export function openGate(maxOutstanding: number, watcher?: Watcher): Gate {
  let outstanding = 0;
  let whenIdle = Promise.withResolvers<undefined>();
  return {
    async enter(writes, work) {
      if (outstanding >= maxOutstanding) throw new Refusal('OVERLOADED');
      outstanding++;
      try {
        const result = await work();
        watcher?.succeeded(writes);
        return result;
      } catch (error) {
        const reported = explained(error, writes);
        if (reported !== error && !isOfMovingApp(error)) watcher?.failed(error, writes);
        throw reported;
      } finally {
        outstanding--;
        if (outstanding === 0) {
          whenIdle.resolve(undefined);
          whenIdle = Promise.withResolvers();
        }
      }
    },
    async idle() {
      while (outstanding > 0) await whenIdle.promise;
    },
  };
}
