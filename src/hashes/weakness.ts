/**
 * Which hashes give in to whoever steals them: all that are made fast, and the slow ones below what the OWASP Password
 * Storage Cheat Sheet asks for (cheatsheetseries.owasp.org, as of 2025).
 */

import type { HashKind, ParsedArgon2, ParsedByKind, ParsedHash } from './parsed.ts';
import type { Pbkdf2Digest } from './pbkdf2.ts';

/** OWASP, "bcrypt": work factor of 10 or more. */
export const owaspBcryptLogRounds = 10;

/** OWASP, "Argon2id": 19 MiB and two iterations is the setting that it names first. */
export const owaspArgon2 = { memoryKb: 19_456, iterations: 2 } as const;

/** OWASP, "Argon2id": settings of equal strength, less memory for more iterations. */
const owaspArgon2Minima = [
  { memoryKb: 47_104, iterations: 1 },
  owaspArgon2,
  { memoryKb: 12_288, iterations: 3 },
  { memoryKb: 9_216, iterations: 4 },
  { memoryKb: 7_168, iterations: 5 },
] as const;

/** OWASP, "scrypt": N and p of equal strength, each with r = 8. */
const owaspScryptMinima = [
  { iterations: 2 ** 17, parallelism: 1 },
  { iterations: 2 ** 16, parallelism: 2 },
  { iterations: 2 ** 15, parallelism: 3 },
  { iterations: 2 ** 14, parallelism: 5 },
  { iterations: 2 ** 13, parallelism: 10 },
] as const;
const owaspScryptBlockSize = 8;

/** OWASP, "PBKDF2". SHA-3 is not in its list: held against the SHA-2 digest of the same strength. */
const owaspPbkdf2Iterations: Readonly<Record<Pbkdf2Digest, number>> = {
  sha1: 1_400_000,
  sha256: 600_000,
  sha512: 220_000,
  'sha3-224': 600_000,
  'sha3-384': 220_000,
};

/** The default of Drepper's format, which OWASP does not list. */
const shaCryptRounds = 5_000;

const always = () => true;
const isWeakBcryptOver = ({ inner }: { readonly inner: ParsedByKind['bcrypt'] }) =>
  inner.cost < owaspBcryptLogRounds;
const isWeakPbkdf2 = ({ digest, iterations }: { digest: Pbkdf2Digest; iterations: number }) =>
  iterations < owaspPbkdf2Iterations[digest];
const isWeakShaCrypt = ({ rounds }: { readonly rounds: number }) => rounds < shaCryptRounds;

const isWeakByKind: { readonly [Kind in HashKind]: (parsed: ParsedByKind[Kind]) => boolean } = {
  bcrypt: ({ cost }) => cost < owaspBcryptLogRounds,
  bcrypt_2x: isWeakBcryptOver,
  bcrypt_sha256: isWeakBcryptOver,
  bcrypt_wordpress: isWeakBcryptOver,
  bcrypt_peppered: isWeakBcryptOver,
  argon2: (parsed) => !owaspArgon2Minima.some((minimum) => isArgon2AtLeast(parsed, minimum)),
  provider_scrypt: ({ memoryCost, rounds }) => isWeakScrypt(2 ** memoryCost, rounds, 1),
  scrypt: ({ iterations, blockSize, parallelism }) => isWeakScrypt(iterations, blockSize, parallelism),
  better_auth: ({ iterations, blockSize, parallelism }) => isWeakScrypt(iterations, blockSize, parallelism),
  pbkdf2: isWeakPbkdf2,
  pbkdf2_kratos: isWeakPbkdf2,
  aspnet: isWeakPbkdf2,
  // Some thousand rounds of MD5, of which one graphics card does billions a second.
  phpass: always,
  sha512_crypt: isWeakShaCrypt,
  sha256_crypt: isWeakShaCrypt,
  md5_crypt: always,
  ldap: always,
  md5: always,
  sha1: always,
  sha256: always,
  sha384: always,
  sha512: always,
  hmac: always,
};

/** Whether guessing passwords is cheap for whoever has the hash. */
export function isWeak(parsed: ParsedHash): boolean {
  return isWeakAs(parsed.kind, parsed);
}

function isWeakAs<Kind extends HashKind>(kind: Kind, parsed: ParsedByKind[Kind]): boolean {
  return isWeakByKind[kind](parsed);
}

type Argon2Costs = Pick<ParsedArgon2, 'memoryKb' | 'iterations'>;

/** As much memory, and as much of it written in all. */
export function isArgon2AtLeast({ memoryKb, iterations }: Argon2Costs, minimum: Argon2Costs): boolean {
  return memoryKb >= minimum.memoryKb && memoryKb * iterations >= minimum.memoryKb * minimum.iterations;
}

function isWeakScrypt(iterations: number, blockSize: number, parallelism: number): boolean {
  const memory = iterations * blockSize;
  return !owaspScryptMinima.some((minimum) => {
    const minimumMemory = minimum.iterations * owaspScryptBlockSize;
    return memory >= minimumMemory && memory * parallelism >= minimumMemory * minimum.parallelism;
  });
}
