/** phpass, and the crypt(3) strings of Unix beside bcrypt. */

import { cryptBytes, cryptRoundMs, digestMs, digestStateBytes } from '../cost.ts';
import { parseMd5Crypt, parsePhpass, parseShaCrypt } from '../crypt.ts';
import type { KindRows } from './row.ts';

const cryptCost = (roundMs: number) => ({
  bytes: () => cryptBytes,
  work: ({ rounds }: { readonly rounds: number }) => rounds * roundMs,
});

export const cryptRows: Pick<KindRows, 'phpass' | 'sha512_crypt' | 'sha256_crypt' | 'md5_crypt'> = {
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
    ...cryptCost(cryptRoundMs.sha512),
  },
  sha256_crypt: {
    label: 'sha256-crypt',
    spellings: [
      ['$5$', parseShaCrypt('sha256_crypt')],
      ['$sha256-crypt$', parseShaCrypt('sha256_crypt')],
    ],
    ...cryptCost(cryptRoundMs.sha256),
  },
  md5_crypt: {
    label: 'md5-crypt',
    spellings: [
      ['$1$', parseMd5Crypt],
      ['$md5-crypt$', parseMd5Crypt],
    ],
    ...cryptCost(cryptRoundMs.md5),
  },
};
