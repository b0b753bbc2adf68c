import { Refusal } from '../errors.ts';
import { explained } from './sqlstate.ts';

/**
 * The driver's own queue has no bound: this one has. And whoever is turned away by the database learns why.
 * @returns runs work on the database. Throws Refusal OVERLOADED while `maxOutstanding` are under way, before anything is done
 */
export function openGate(maxOutstanding: number) {
  let outstanding = 0;
  return async <Result>(writes: boolean, work: () => Promise<Result>): Promise<Result> => {
    if (outstanding >= maxOutstanding) throw new Refusal('OVERLOADED');
    outstanding++;
    try {
      return await work();
    } catch (error) {
      throw explained(error, writes);
    } finally {
      outstanding--;
    }
  };
}
