import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../domain/errors.ts';
import type { Engine } from '../engine.ts';
import type { JobStore } from '../ports.ts';

/** ms between attempts: each has already waited for a connection. */
const pauseMs = 100;
/** ms after which a statement fails. A database that is lost, and not only slow, is reported long before. */
const patienceMs = 300_000;

/**
 * The engine as an upload needs it. A statement for which no connection became free in time was not sent, and is repeated: the
 * sender of a file waits for its chunks anyway, and cannot repeat the end of its upload.
 */
export function patientEngine(engine: Engine): Engine {
  return {
    ...engine,
    jobs: patientJobs(engine.jobs),
    tenantNumbers: patiently(engine.tenantNumbers),
  };
}

function patientJobs(jobs: JobStore): JobStore {
  return {
    ...jobs,
    find: patiently((...asked) => jobs.find(...asked)),
    finish: patiently((...asked) => jobs.finish(...asked)),
    look: patiently((...asked) => jobs.look(...asked)),
    settleAbsent: patiently((...asked) => jobs.settleAbsent(...asked)),
    postponed: patiently((...asked) => jobs.postponed(...asked)),
    hasImported: patiently((...asked) => jobs.hasImported(...asked)),
    claimedDigests: patiently((...asked) => jobs.claimedDigests(...asked)),
    splitSeenRows: patiently((...asked) => jobs.splitSeenRows(...asked)),
    setUploadLength: patiently((...asked) => jobs.setUploadLength(...asked)),
  };
}

/** Repeats what is refused with OVERLOADED: such a statement has had no effect. */
function patiently<Args extends unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const latestMs = performance.now() + patienceMs;
    for (;;) {
      try {
        return await run(...args);
      } catch (error) {
        const isRoomWanting = error instanceof Refusal && error.code === 'OVERLOADED';
        if (!isRoomWanting || performance.now() > latestMs) throw error;
        await sleep(pauseMs);
      }
    }
  };
}
