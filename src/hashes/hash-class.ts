/** What hashes of one kind and cost have in common: what reports count by. Nothing in it tells one hash from another. */

import type { HashKind, ParsedByKind, ParsedHash } from './parsed.ts';

/** Parameters by their names; of a digest also how it is put together. */
export type ClassCost = Readonly<Record<string, number | string>>;

export interface HashClass {
  readonly kind: HashKind;
  readonly cost: ClassCost;
}

type Costs = { readonly [Kind in HashKind]: (parsed: ParsedByKind[Kind]) => ClassCost };

const costOver = ({ inner }: { readonly inner: ParsedByKind['bcrypt'] }) => ({ logRounds: inner.cost });
const costOfScrypt = ({
  iterations,
  blockSize,
  parallelism,
}: Pick<ParsedByKind['scrypt'], 'iterations' | 'blockSize' | 'parallelism'>) => ({
  N: iterations,
  r: blockSize,
  p: parallelism,
});
const costOfPbkdf2 = ({
  digest,
  iterations,
}: Pick<ParsedByKind['pbkdf2'], 'digest' | 'iterations'>): ClassCost => ({ digest, iterations });
const costOfCrypt = ({ rounds }: { readonly rounds: number }) => ({ rounds });
const costOfDigest = ({
  pieces,
  iterations,
  passwordEncoding,
}: Pick<ParsedByKind['md5'], 'pieces' | 'iterations' | 'passwordEncoding'>): ClassCost => ({
  form: pieces.length > 1 ? 'salted' : 'plain',
  iterations,
  ...(passwordEncoding !== 'utf8' && { passwordEncoding }),
});

const costs: Costs = {
  bcrypt: ({ cost }) => ({ logRounds: cost }),
  bcrypt_2x: costOver,
  bcrypt_sha256: costOver,
  bcrypt_wordpress: costOver,
  bcrypt_peppered: costOver,
  argon2: ({ variant, version, memoryKb, iterations, parallelism }) => ({
    variant,
    version,
    memoryKb,
    iterations,
    parallelism,
  }),
  provider_scrypt: ({ memoryCost, rounds }) => ({ N: 2 ** memoryCost, r: rounds, p: 1 }),
  scrypt: costOfScrypt,
  better_auth: costOfScrypt,
  pbkdf2: costOfPbkdf2,
  pbkdf2_kratos: costOfPbkdf2,
  aspnet: costOfPbkdf2,
  phpass: ({ logRounds }) => ({ logRounds }),
  sha512_crypt: costOfCrypt,
  sha256_crypt: costOfCrypt,
  md5_crypt: costOfCrypt,
  ldap: ({ digest, ...rest }) => ({ digest, ...costOfDigest(rest) }),
  md5: costOfDigest,
  sha1: costOfDigest,
  sha256: costOfDigest,
  sha384: costOfDigest,
  sha512: costOfDigest,
  hmac: ({ digest }) => ({ digest }),
};

/** Kind and cost of a parsed hash. */
export function hashClass(parsed: ParsedHash): HashClass {
  return { kind: parsed.kind, cost: costAs(parsed.kind, parsed) };
}

function costAs<Kind extends HashKind>(kind: Kind, parsed: ParsedByKind[Kind]): ClassCost {
  return costs[kind](parsed);
}

/** `digest sha256, iterations 600000`; empty when nothing is to be said. */
export function costText(cost: ClassCost): string {
  return Object.entries(cost)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
