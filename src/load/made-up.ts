/**
 * Made-up people, by number. They share a few hashes of one password, computed once and for all: that does not change the cost of
 * verifying one, and computing a hash for each of them would take longer than the load.
 */

export const password = 'correct horse battery staple';

export interface PeopleHash {
  readonly passwordHash: string;
  readonly hashingAlgorithm: string;
}

/** One hash of each kind. */
export interface HashMix {
  readonly hashes: Readonly<Record<Kind, PeopleHash>>;
  /** Of the scrypt variant, base64. */
  readonly signerKey: string;
}

export const kinds = ['bcrypt', 'argon2id', 'scrypt variant'] as const;
export type Kind = (typeof kinds)[number];

/** The number of each kind in ten. */
export const mixInWords =
  '5 of 10 bcrypt at cost 10, 3 Argon2id by the policy, 2 the scrypt variant at m=14, r=8';

/** Interleaved, so that any range of people has these shares: indexes in `kinds`. */
const ofTen = [0, 1, 0, 2, 0, 1, 0, 1, 0, 2] as const;

/** Cost 10 is what most systems chose; Argon2id has the core's policy (src/config/schema.ts); the variant its provider's usual cost. */
export const madeUpMix: HashMix = {
  hashes: {
    bcrypt: {
      passwordHash: '$2b$10$oCMUe0TXvCSGjlGT.6BjWOZ14WovNjg3HCl2rKyTCGf5buWWPnVm.',
      hashingAlgorithm: 'bcrypt',
    },
    argon2id: {
      passwordHash:
        '$argon2id$v=19$m=19456,t=2,p=1$Nhq2PqG+lhNhd7GVDjBSnQ$xhAlqZ+1zEE2cy9p+bB6PsPzVzERdcewmegjtKFWLag',
      hashingAlgorithm: 'argon2',
    },
    'scrypt variant': {
      passwordHash:
        '$f_scrypt$AjrjFkPWpHX1Abfr6PkLcBHphWy6K1A4KRwZzok4zeOHD/zcho5BGGrcNgRZ0gMKeHyYBXm55t0wflC4xzLXkQ==$qGwgal8Pwhijxg==$m=14$r=8$s=Bw==',
      hashingAlgorithm: 'firebase_scrypt',
    },
  },
  signerKey: 'I3hgQS8rz5qcs7VZEGHZsInxXdyl/5Kn6qZA9KLNZI5aIFCCvWw8kiDqtYeDeFLzffrvzks99qTneSu1HO2ifQ==',
};

export function kindOf(n: number): Kind {
  return kinds[ofTen[n % ofTen.length] ?? 0];
}

export function emailOf(n: number): string {
  return `person-${n}@signs.in`;
}

export function externalIdOf(n: number): string {
  return `person-${n}`;
}

/** A record with an unverified email. */
export function nativeRecord(n: number, hash: PeopleHash): object {
  const method = { recipeId: 'emailpassword', email: emailOf(n), isVerified: false, ...hash };
  return { externalUserId: externalIdOf(n), loginMethods: [method] };
}

/** If the kind does not matter. */
export const someHash = madeUpMix.hashes.bcrypt.passwordHash;
