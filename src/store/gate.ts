import { Refusal } from '../errors.ts';
import { explained } from './sqlstate.ts';

/** Who wants to know how statements fare. */
export interface Watcher {
  succeeded(writes: boolean): void;
  /** Through no fault of the statement: what {@link explained} makes a refusal of. */
  failed(error: unknown, writes: boolean): void;
}

/**
 * The driver's own queue has no bound: this one has. And whoever is turned away by the database learns why.
 * @returns runs work on the database. Throws Refusal OVERLOADED while `maxOutstanding` are under way, before anything is done
 */
export function openGate(maxOutstanding: number, watcher?: Watcher) {
  let outstanding = 0;
  return async <Result>(writes: boolean, work: () => Promise<Result>): Promise<Result> => {
    if (outstanding >= maxOutstanding) throw new Refusal('OVERLOADED');
    outstanding++;
    try {
      const result = await work();
      watcher?.succeeded(writes);
      return result;
    } catch (error) {
      const told = explained(error, writes);
      if (told !== error) watcher?.failed(error, writes);
      throw told;
    } finally {
      outstanding--;
    }
  };
}
