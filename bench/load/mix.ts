import { createCipheriv, scryptSync } from 'node:crypto';
import os from 'node:os';
import { type HashMix, kindOf, password } from '../../src/load/made-up.ts';
import type { LoadResult } from './client/job.ts';
import { importPeople } from './people.ts';
import type { Addressed } from './deployed.ts';
import { runLoad } from './run-load.ts';

/** Of the scrypt variant among the hashes of made-up people. */
export const scryptCost = { memory: 14, rounds: 8, separator: Buffer.from([7]), bytes: 64 } as const;

/** No limit for wrong passwords, as all come from one address, and no refusal for a long wait. */
export const noLimits = {
  GUESSES_PER_ACCOUNT: '0',
  GUESSES_PER_ADDRESS: '0',
  WAIT_LIMIT_MS: '600000',
} as const;

/** As in the provider's own description: a derived key encrypts the signer key. */
export function encryptSigner(text: string, salt: Buffer, signerKey: Buffer): Buffer {
  const { memory, rounds: r, separator, bytes } = scryptCost;
  const options = { N: 2 ** memory, r, p: 1, maxmem: 2 ** 26 };
  const key = scryptSync(text, Buffer.concat([salt, separator]), bytes, options).subarray(0, 32);
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(signerKey);
}

/** The core's default: see `hashing_threads`. */
export const threads = os.availableParallelism();

/** Enough that a thread which has finished finds the next password waiting. */
const connections = 4 * threads;
/** Whole turns of the mix. */
const turn = 10;

/** @param upgrades whether a right password replaces a weaker hash, which changes the cost of the next sign-in */
export function settingsFor(mix: HashMix, upgrades: boolean): Readonly<Record<string, string>> {
  return {
    ...noLimits,
    UPGRADE_PASSWORD_HASHES: String(upgrades),
    PROVIDER_PASSWORD_HASHING_SIGNER_KEY: mix.signerKey,
  };
}

export function importMix(core: Addressed, people: number, { hashes }: HashMix, from = 0): Promise<void> {
  return importPeople(core, people, (n) => hashes[kindOf(n)], from);
}

/**
 * The most sign-ins that the core can do, in a closed loop.
 * @param expectedRate expected sign-ins a second, so that it takes about `seconds`
 */
export function signInAtCapacity(
  core: Addressed,
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
