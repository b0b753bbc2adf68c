/** The registry: one row a kind. Verifiers have a table of their own, in algorithms/, that only workers reach. */

import { parseArgon2 } from './argon2.ts';
import { aspnetThreeStart, parseAspnet } from './aspnet.ts';
import { parseBcrypt } from './bcrypt.ts';
import * as over from './bcrypt-over.ts';
import {
  argon2Ms,
  bcryptBytes,
  bcryptMs,
  cryptBytes,
  digestMs,
  digestStateBytes,
  scryptBytes,
  scryptMs,
} from './cost.ts';
import { parseMd5Crypt, parsePhpass, parseShaCrypt } from './crypt.ts';
import type { Parser } from './outcome.ts';
import type { HashKind, ParsedByKind, ParsedHash } from './parsed.ts';
import { pbkdf2Bytes, pbkdf2Ms } from './pbkdf2.ts';
import { parseDjangoPbkdf2, parsePhcPbkdf2, parseWerkzeugPbkdf2 } from './pbkdf2-spellings.ts';
import * as scrypt from './scrypt-spellings.ts';
import { parseScryptVariant, scryptVariantPrefix } from './scrypt-variant.ts';

export interface KindRow<Parsed extends ParsedHash> {
  /** For messages. */
  readonly label: string;
  /** How its spellings begin, up to the delimiter that ends a mark (see recogniser.ts), each with its parser. */
  readonly spellings: readonly (readonly [mark: string, parse: Parser<Parsed>])[];
  /** Reads a spelling that no mark tells from other kinds: only for a caller that names this kind. */
  readonly parseUnmarked?: Parser<Parsed>;
  /** Its marks say too little, or parameters lie elsewhere: a caller has to name it at import all the same. */
  readonly mustBeNamed?: true;
  /** A kind whose name may be given for this one too. */
  readonly partOf?: HashKind;
  /** Bytes that one verification allocates at its peak. */
  readonly bytes: (parsed: Parsed) => number;
  /** Estimated milliseconds of one verification on one core. */
  readonly work: (parsed: Parsed) => number;
}

export type KindRows = { readonly [Kind in HashKind]: KindRow<ParsedByKind[Kind]> };

type ScryptCosts = Pick<ParsedByKind['scrypt'], 'iterations' | 'blockSize' | 'parallelism'>;

const bcryptCost = {
  bytes: () => bcryptBytes,
  work: ({ inner }: { readonly inner: { readonly cost: number } }) => bcryptMs(inner.cost),
};

const scryptCost = {
  bytes: (parsed: ScryptCosts) => scryptBytes(parsed.iterations, parsed.blockSize, parsed.parallelism),
  work: (parsed: ScryptCosts) => scryptMs(parsed.iterations, parsed.blockSize, parsed.parallelism),
};

const pbkdf2Cost = { bytes: () => pbkdf2Bytes, work: pbkdf2Ms };

const cryptCost = {
  bytes: () => cryptBytes,
  work: ({ rounds }: { readonly rounds: number }) => rounds * digestMs,
};

export const kinds: KindRows = {
  bcrypt: {
    label: 'BCrypt',
    spellings: [
      ['$2a$', parseBcrypt],
      ['$2b$', parseBcrypt],
      ['$2y$', parseBcrypt],
    ],
    bytes: () => bcryptBytes,
    work: ({ cost }) => bcryptMs(cost),
  },
  bcrypt_2x: {
    label: 'BCrypt 2x',
    spellings: [[over.bugMark, over.parseBcrypt2x]],
    partOf: 'bcrypt',
    ...bcryptCost,
  },
  bcrypt_sha256: {
    label: 'BCrypt-SHA256',
    spellings: [[over.djangoMark, over.parseBcryptSha256]],
    ...bcryptCost,
  },
  bcrypt_wordpress: {
    label: 'WordPress BCrypt',
    spellings: [[over.wordpressMark, over.parseBcryptWordpress]],
    ...bcryptCost,
  },
  bcrypt_peppered: {
    label: 'peppered BCrypt',
    spellings: [],
    parseUnmarked: over.parseBcryptPeppered,
    ...bcryptCost,
  },
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
    spellings: [[scryptVariantPrefix, parseScryptVariant]],
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
  pbkdf2: {
    label: 'PBKDF2',
    spellings: [
      ['$pbkdf2-sha1$', parsePhcPbkdf2('pbkdf2', 'sha1')],
      ['$pbkdf2-sha256$', parsePhcPbkdf2('pbkdf2', 'sha256')],
      ['$pbkdf2-sha512$', parsePhcPbkdf2('pbkdf2', 'sha512')],
      // passlib's name for SHA-1
      ['$pbkdf2$', parsePhcPbkdf2('pbkdf2', 'sha1')],
      ['pbkdf2_sha1$', parseDjangoPbkdf2],
      ['pbkdf2_sha256$', parseDjangoPbkdf2],
      ['pbkdf2_sha512$', parseDjangoPbkdf2],
      ['pbkdf2:', parseWerkzeugPbkdf2],
    ],
    ...pbkdf2Cost,
  },
  // Ory Kratos means SHA-3 by these labels, everybody else SHA-2: only a caller can say which it is.
  pbkdf2_kratos: {
    label: 'Kratos PBKDF2',
    spellings: [
      ['$pbkdf2-sha224$', parsePhcPbkdf2('pbkdf2_kratos', 'sha3-224')],
      ['$pbkdf2-sha384$', parsePhcPbkdf2('pbkdf2_kratos', 'sha3-384')],
    ],
    mustBeNamed: true,
    ...pbkdf2Cost,
  },
  aspnet: {
    label: 'ASP.NET Identity',
    spellings: [[aspnetThreeStart, parseAspnet]],
    parseUnmarked: parseAspnet,
    ...pbkdf2Cost,
  },
  phpass: {
    label: 'phpass',
    spellings: [
      ['$P$', parsePhpass],
      ['$H$', parsePhpass],
    ],
    bytes: () => digestStateBytes,
    work: ({ logRounds }) => 2 ** logRounds * digestMs,
  },
  // The second spelling of each is Ory Kratos's.
  sha512_crypt: {
    label: 'sha512-crypt',
    spellings: [
      ['$6$', parseShaCrypt('sha512_crypt')],
      ['$sha512-crypt$', parseShaCrypt('sha512_crypt')],
    ],
    ...cryptCost,
  },
  sha256_crypt: {
    label: 'sha256-crypt',
    spellings: [
      ['$5$', parseShaCrypt('sha256_crypt')],
      ['$sha256-crypt$', parseShaCrypt('sha256_crypt')],
    ],
    ...cryptCost,
  },
  md5_crypt: {
    label: 'md5-crypt',
    spellings: [
      ['$1$', parseMd5Crypt],
      ['$md5-crypt$', parseMd5Crypt],
    ],
    ...cryptCost,
  },
};

/** The row of `kind`, for callers that hold a kind they do not know. */
export function rowOf<Kind extends HashKind>(kind: Kind): KindRows[Kind] {
  return kinds[kind];
}

export function isKind(name: string): name is HashKind {
  return Object.hasOwn(kinds, name);
}
