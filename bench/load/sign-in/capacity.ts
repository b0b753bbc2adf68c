import os from 'node:os';
import type { LoadResult } from '../client/job.ts';
import { importPeople } from '../import-people.ts';
import type { CoreProcess } from '../processes.ts';
import { runLoad } from '../run-load.ts';
import { kindOf, type Mix, noLimits, password } from './mix.ts';

/** What the core takes by default: see `hashing_threads`. */
export const threads = os.availableParallelism();

/** Enough that a thread which has finished finds the next password waiting. */
const connections = 4 * threads;
/** Whole turns of the mix. */
const turn = 10;

/** @param upgrades whether a right password replaces a weaker hash, which changes what the next sign-in costs */
export function settingsFor(mix: Mix, upgrades: boolean): Readonly<Record<string, string>> {
  return {
    ...noLimits,
    UPGRADE_PASSWORD_HASHES: String(upgrades),
    PROVIDER_PASSWORD_HASHING_SIGNER_KEY: mix.signerKey,
  };
}

export function importMix(core: CoreProcess, people: number, { hashes }: Mix, from = 0): Promise<void> {
  return importPeople(core, people, (n) => hashes[kindOf(n)], from);
}

/**
 * As many sign-ins as the core can do, in a closed loop.
 * @param expectedRate sign-ins a second that are expected, so that it takes about `seconds`
 */
export function signInAtCapacity(
  core: CoreProcess,
  options: {
    people: number;
    expectedRate: number;
    seconds: number;
    say: (line: string) => void;
    mayFail?: boolean;
  },
): Promise<LoadResult> {
  const { people, expectedRate, seconds, say, mayFail = false } = options;
  const turns = Math.ceil(Math.max(connections, expectedRate * seconds) / turn);
  return runLoad(core, {
    traffic: { kind: 'sign-in', from: 0, people, password },
    loop: { kind: 'closed', connections, until: { visits: turns * turn } },
    say,
    mayFail,
  });
}
