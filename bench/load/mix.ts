import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import os from 'node:os';
import { hash as argon2 } from '@node-rs/argon2';
import bcrypt from 'bcrypt';
import type { LoadResult } from './client/job.ts';
import { importPeople, type PeopleHash } from './people.ts';
import type { CoreProcess } from './processes.ts';
import { runLoad } from './run-load.ts';

/** The hashes of the users in the sign-in scenarios: the number of each kind in ten. */
export const mixInWords =
  '5 of 10 bcrypt at cost 10, 3 Argon2id by the policy, 2 the scrypt variant at m=14, r=8';

export const kinds = ['bcrypt', 'argon2id', 'scrypt variant'] as const;
export type Kind = (typeof kinds)[number];

/** Interleaved, so that any range of users has these shares: indexes in `kinds`. */
const ofTen = [0, 1, 0, 2, 0, 1, 0, 1, 0, 2] as const;

export const password = 'correct horse battery staple';

/** The core's policy: see src/config/schema.ts. */
const policy = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const bcryptCost = 10;
export const scryptCost = { memory: 14, rounds: 8, separator: Buffer.from([7]), bytes: 64 } as const;

/** One hash of each kind: sharing them does not change the cost of verifying them. */
export interface Mix {
  readonly hashes: Readonly<Record<Kind, PeopleHash>>;
  /** Of the scrypt variant, base64. */
  readonly signerKey: string;
}

/** No limit for wrong passwords, as all come from one address, and no refusal for a long wait. */
export const noLimits = {
  GUESSES_PER_ACCOUNT: '0',
  GUESSES_PER_ADDRESS: '0',
  WAIT_LIMIT_MS: '600000',
} as const;

export async function makeMix(): Promise<Mix> {
  const signerKey = randomBytes(64);
  return {
    hashes: {
      bcrypt: { passwordHash: await bcrypt.hash(password, bcryptCost), hashingAlgorithm: 'bcrypt' },
      argon2id: { passwordHash: await argon2(password, policy), hashingAlgorithm: 'argon2' },
      'scrypt variant': { passwordHash: scryptVariant(signerKey), hashingAlgorithm: 'firebase_scrypt' },
    },
    signerKey: signerKey.toString('base64'),
  };
}

export function kindOf(n: number): Kind {
  return kinds[ofTen[n % ofTen.length] ?? 0];
}

/** As in the provider's own description: a derived key encrypts the signer key. */
function scryptVariant(signerKey: Buffer): string {
  const salt = randomBytes(10);
  const { memory: m, rounds: r, separator } = scryptCost;
  const encrypted = encryptSigner(password, salt, signerKey).toString('base64');
  return `$f_scrypt$${encrypted}$${salt.toString('base64')}$m=${m}$r=${r}$s=${separator.toString('base64')}`;
}

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
 * The most sign-ins that the core can do, in a closed loop.
 * @param expectedRate expected sign-ins a second, so that it takes about `seconds`
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
