import { Admission } from './admission.ts';

/** Connections for chunks: one transaction each, in the order of the requests. */
export interface Lanes {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The number of waiting chunks is bounded by the uploads, which stop reading. */
const unbounded = Number.MAX_SAFE_INTEGER;

/**
 * Gives `count` lanes, or one while a user signs in: every busy lane is a busy core, and a password is verified for a user who
 * waits. In the order of the requests either way, so that no chunk waits for a later one.
 */
export function openLanes(count: number, isSigningIn: () => boolean): Lanes {
  const all = new Admission({ slots: count, budgetBytes: unbounded, queueLimit: unbounded });
  const one = new Admission({ slots: 1, budgetBytes: unbounded, queueLimit: unbounded });
  return {
    run: (work) => all.run(0, () => (isSigningIn() ? one.run(0, work) : work())),
  };
}
