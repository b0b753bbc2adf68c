/** For each ceiling the most expensive hash that its default accepts, and one a step above. */
import type { HashLimits } from '../../src/domain/model.ts';
import type { HashKindName } from '../../src/hashes/registry.ts';
import { usualHashes } from './usual-hashes.ts';

const [s, k] = [
  Buffer.from('sodium chloride!').toString('base64url'),
  Buffer.alloc(32, 1).toString('base64').replace('=', ''),
];
const argon2 = (costs: string) => `$argon2id$v=19$${costs}$${s}$${k}`;
const mib = 1_048_576;

export interface MostExpensive {
  readonly hash: string;
  readonly above: string;
  readonly given?: HashKindName;
}

/** The most expensive hash that the defaults accept, by the ceiling it reaches; and one that is a step above. */
export const mostExpensiveHashes: Readonly<Record<keyof HashLimits, MostExpensive>> = {
  bcryptMaxCost: {
    hash: usualHashes.bcrypt.replace('$10$', '$15$'),
    above: usualHashes.bcrypt.replace('$10$', '$16$'),
  },
  argon2MaxMemoryKb: { hash: argon2(`m=${mib},t=10,p=16`), above: argon2(`m=${mib + 1},t=1,p=1`) },
  argon2MaxIterations: { hash: argon2(`m=${mib},t=10,p=16`), above: argon2('m=64,t=11,p=1') },
  argon2MaxParallelism: { hash: argon2(`m=${mib},t=10,p=16`), above: argon2('m=256,t=1,p=17') },
  scryptMaxMemoryMb: { hash: `$scrypt$ln=18,r=8,p=1$${s}$${k}`, above: `$scrypt$ln=18,r=9,p=1$${s}$${k}` },
  scryptMaxParallelism: {
    hash: `$scrypt$ln=14,r=8,p=16$${s}$${k}`,
    above: `$scrypt$ln=4,r=1,p=17$${s}$${k}`,
  },
  pbkdf2MaxIterations: {
    hash: `$pbkdf2-sha384$i=10000000,l=32$${s}$${k}`,
    above: `$pbkdf2-sha384$i=10000001,l=32$${s}$${k}`,
    given: 'pbkdf2_kratos',
  },
  cryptMaxRounds: {
    hash: usualHashes.sha512_crypt.replace('$6$', '$6$rounds=1000000$'),
    above: usualHashes.sha512_crypt.replace('$6$', '$6$rounds=1000001$'),
  },
  phpassMaxLogRounds: {
    hash: usualHashes.phpass.replace('$P$B', '$P$I'),
    above: usualHashes.phpass.replace('$P$B', '$P$J'),
  },
  digestMaxIterations: {
    hash: usualHashes.sha512.replace('i=5000', 'i=10000'),
    above: usualHashes.sha512.replace('i=5000', 'i=10001'),
  },
};
