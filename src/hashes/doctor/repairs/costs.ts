/** Repairs of costs, digests and versions. plan.ts checks more expensive variants against the limits. */

import { scryptString } from '../../fields.ts';
import { scryptVariantString } from '../../kinds/firebase-scrypt.ts';
import type { ParsedByKind, ParsedHash } from '../../registry.ts';
import { parameters } from '../examination.ts';
import type { Repair, Subject, Variant } from '../repair.ts';

type ScryptVariant = ParsedByKind['provider_scrypt'];

/** Firebase's own project default. */
const usualSeparator = 'Bw==';
const usualCosts = { rounds: 8, memoryCost: 14 } as const;

export const costRepairs: readonly Repair[] = [
  {
    name: 'scrypt-rounds-and-memory',
    parameter: parameters.hash,
    advice:
      'Exchange rounds (r) and mem_cost (m), or take 8 and 14: copy both from the hash parameters of the project.',
    variants: ofVariant((parsed) => [
      { ...parsed, rounds: parsed.memoryCost, memoryCost: parsed.rounds },
      { ...parsed, ...usualCosts },
    ]),
  },
  {
    name: 'salt-separator',
    parameter: parameters.hash,
    advice: 'Give the salt separator (s) of the project, which is usually Bw==.',
    variants: ofVariant((parsed) => [
      { ...parsed, separator: usualSeparator },
      { ...parsed, separator: '' },
    ]),
  },
  {
    name: 'scrypt-parameters',
    parameter: parameters.hash,
    advice: 'Check N, r and p: they were exchanged, or N was written for its logarithm.',
    variants: otherScrypt,
  },
  {
    name: 'digest',
    parameter: parameters.hash,
    advice:
      'Name the other digest: the hash was made with SHA-1, SHA-256 or SHA-512 where another one is named.',
    variants: otherDigest,
  },
  {
    name: 'iterations',
    parameter: parameters.hash,
    advice:
      'Check the number of iterations: it was written as a logarithm, in hexadecimal, in thousands or off by one, or left at a default.',
    variants: otherIterations,
  },
  {
    name: 'argon2-parameters',
    parameter: parameters.hash,
    advice:
      'Check the type (argon2id, argon2i, argon2d) and the version (v=19, or v=16 where none was written).',
    variants: otherArgon2,
  },
];

function ofVariant(change: (parsed: ScryptVariant) => readonly ScryptVariant[]): Repair['variants'] {
  return ({ parsed }) =>
    parsed?.kind === 'provider_scrypt'
      ? change(parsed).map((each) => ({ hash: scryptVariantString(each), given: 'provider_scrypt' as const }))
      : [];
}

function otherScrypt({ parsed }: Subject): Variant[] {
  if (parsed?.kind !== 'scrypt') return [];
  const { iterations, blockSize, parallelism, salt, key } = parsed;
  const found = [
    { iterations, blockSize: parallelism, parallelism: blockSize },
    { iterations: 2 ** Math.min(iterations, 31), blockSize, parallelism },
    ...[14, 15, 16, 17].map((log) => ({ iterations: 2 ** log, blockSize: 8, parallelism: 1 })),
  ];
  return found.flatMap((costs) => {
    const hash = scryptString({ ...costs, salt, key });
    return hash === undefined ? [] : [{ hash, given: undefined }];
  });
}

const pbkdf2Digests = ['sha1', 'sha256', 'sha512'] as const;
/** Defaults of frameworks: Keycloak's, and round numbers. */
const usualIterations = [1000, 10_000, 27_500, 100_000] as const;

function otherDigest({ parsed }: Subject): Variant[] {
  if (parsed?.kind !== 'pbkdf2' && parsed?.kind !== 'aspnet') return [];
  return pbkdf2Digests.map((digest) => ({ parsed: { ...parsed, digest } }));
}

function otherIterations({ parsed, limits }: Subject): Variant[] {
  if (parsed === undefined || !('iterations' in parsed)) return [];
  const { iterations } = parsed;
  const found = [
    iterations - 1,
    iterations + 1,
    2 ** Math.min(iterations, 31),
    fromHex(iterations),
    iterations * 1000,
  ];
  const within = (most: number, all: readonly number[]): number[] =>
    all.filter((each) => each >= 1 && each <= most);
  if ('pieces' in parsed)
    return within(limits.digestMaxIterations, found).map((each) => ({
      parsed: { ...parsed, iterations: each },
    }));
  if (parsed.kind !== 'pbkdf2' && parsed.kind !== 'pbkdf2_kratos') return [];
  return within(limits.pbkdf2MaxIterations, [...found.slice(2), ...usualIterations]).map((each) => ({
    parsed: { ...parsed, iterations: each },
  }));
}

function fromHex(iterations: number): number {
  return Number.parseInt(String(iterations), 16);
}

function otherArgon2({ parsed }: Subject): Variant[] {
  if (parsed?.kind !== 'argon2') return [];
  const others: ParsedHash[] = [{ ...parsed, version: parsed.version === 19 ? 16 : 19 }];
  for (const variant of ['id', 'i', 'd'] as const) others.push({ ...parsed, variant });
  return others.map((each) => ({ parsed: each }));
}
