import { type Ask, NotServed } from './visit.ts';
import type { Wire } from './wire.ts';

/** For visits before a load, which come once. @throws NotServed from the returned function, when no answer comes in time */
export function answerOnce(wire: Wire, waitMs: number): Ask {
  return async (asked) => {
    try {
      return await wire.send(asked, waitMs);
    } catch (error) {
      throw new NotServed(error instanceof Error && 'code' in error ? String(error.code) : 'failed');
    }
  };
}
