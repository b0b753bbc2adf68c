/** Kinds that take memory as well as time. */

import { parseArgon2 } from '../argon2.ts';
import { argon2Ms, scryptBytes, scryptMs } from '../cost.ts';
import type { ParsedByKind } from '../parsed.ts';
import * as scrypt from '../scrypt-spellings.ts';
import * as variant from '../scrypt-variant-spellings.ts';
import { parseScryptVariant, scryptVariantPrefix } from '../scrypt-variant.ts';
import type { KindRows } from './row.ts';

type ScryptCosts = Pick<ParsedByKind['scrypt'], 'iterations' | 'blockSize' | 'parallelism'>;

const scryptCost = {
  bytes: (parsed: ScryptCosts) => scryptBytes(parsed.iterations, parsed.blockSize, parsed.parallelism),
  work: (parsed: ScryptCosts) => scryptMs(parsed.iterations, parsed.blockSize, parsed.parallelism),
};

export const memoryHardRows: Pick<KindRows, 'argon2' | 'provider_scrypt' | 'scrypt' | 'better_auth'> = {
  argon2: {
    label: 'Argon2',
    spellings: [
      ['$argon2id$', parseArgon2],
      ['$argon2i$', parseArgon2],
      ['$argon2d$', parseArgon2],
    ],
    bytes: ({ memoryKb }) => memoryKb * 1024,
    work: argon2Ms,
  },
  provider_scrypt: {
    label: 'scrypt',
    spellings: [
      [scryptVariantPrefix, parseScryptVariant],
      ['$firescrypt$', variant.parseKratos],
      ['$fbscrypt$', variant.parseSupabase],
      ['$firebase-scrypt$', variant.parseWorkos],
    ],
    parseUnmarked: variant.parseClerk,
    mustBeNamed: true,
    bytes: ({ memoryCost, rounds }) => scryptBytes(2 ** memoryCost, rounds, 1),
    work: ({ memoryCost, rounds }) => scryptMs(2 ** memoryCost, rounds, 1),
  },
  scrypt: {
    label: 'scrypt',
    spellings: [
      ['$scrypt$', scrypt.parsePhcScrypt],
      ['scrypt$', scrypt.parseDjangoScrypt],
      ['scrypt:', scrypt.parseWerkzeugScrypt],
    ],
    parseUnmarked: scrypt.parseSpringScrypt,
    ...scryptCost,
  },
  better_auth: {
    label: 'better-auth',
    spellings: [],
    parseUnmarked: scrypt.parseBetterAuth,
    ...scryptCost,
  },
};
