/** SuperTokens: the body of its bulk import, whose users are the core's own records. */

import { textOf } from '../parts/fields.ts';
import { convertNative } from './native.ts';
import type { Provider, Sample } from '../provider.ts';
import { argon2id } from '../parts/way-back.ts';

export const supertokens: Provider = {
  name: 'supertokens',
  title: 'SuperTokens (bulk import)',
  about:
    'Hashes of firebase_scrypt need the signer key in the configuration of the core. Ids of SuperTokens itself (superTokensUserId) are not kept: set externalUserId to keep an id.',
  wayBack: { reads: 'Argon2id and bcrypt', settings: argon2id },
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: ['users'] }],
      idOf: (row) => textOf(row.externalUserId),
    },
  ],
  recognises: ({ first, root }: Sample) =>
    Array.isArray(first.loginMethods) && root !== 'array' && root.includes('users') ? 10 : 0,
  convert: convertNative,
};
