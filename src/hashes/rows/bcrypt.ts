/** bcrypt, and what is built on it. */

import { parseBcrypt } from '../bcrypt.ts';
import * as over from '../bcrypt-over.ts';
import { bcrypt2xMs, bcryptBytes, bcryptMs } from '../cost.ts';
import type { KindRows } from './row.ts';

const bcryptCost = {
  bytes: () => bcryptBytes,
  work: ({ inner }: { readonly inner: { readonly cost: number } }) => bcryptMs(inner.cost),
};

export const bcryptRows: Pick<
  KindRows,
  'bcrypt' | 'bcrypt_2x' | 'bcrypt_sha256' | 'bcrypt_wordpress' | 'bcrypt_peppered'
> = {
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
    bytes: () => bcryptBytes,
    work: ({ inner }) => bcrypt2xMs(inner.cost),
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
};
