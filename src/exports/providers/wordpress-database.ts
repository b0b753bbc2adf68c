import { createHash, randomBytes } from 'node:crypto';
import { tagged, untagged } from '../../hashes/spellings.ts';
import { statedIn, stating } from '../../hashes/transforms/transforms.ts';
import type { DatabaseTable, ProviderDatabase, WrittenUser } from './database.ts';
import { asBcrypt, bcryptSpellings } from './parts/way-back.ts';
import { factorKeys } from './wordpress-factors.ts';
import { passwordForms } from './wordpress-fields.ts';

const usermeta: DatabaseTable = {
  name: 'usermeta',
  tables: ['usermeta'],
  id: 'user_id',
  columns: ['meta_key', 'meta_value'],
  // Plug-ins store whole carts and sessions there.
  only: {
    column: 'meta_key',
    values: ['first_name', 'last_name', '{prefix}capabilities', ...factorKeys],
  },
};

export const wordpressDatabase: ProviderDatabase = {
  engines: ['mysql'],
  versions: 'the tables of WordPress 3 or newer',
  prefix: 'wp_',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'ID',
      columns: ['user_login', 'user_pass', 'user_email', 'user_registered'],
    },
    usermeta,
    {
      name: 'wordfence',
      tables: ['wfls_2fa_secrets'],
      id: 'user_id',
      columns: ['secret', 'recovery', 'mode'],
      isOptional: true,
    },
    {
      name: 'miniorange',
      tables: ['mo2f_user_details'],
      id: 'user_id',
      columns: ['mo2f_configured_2FA_method'],
      isOptional: true,
    },
  ],
  writes: {
    email: 'user_email',
    password: 'user_pass',
    username: { column: 'user_login', characters: 60 },
    further: [{ table: usermeta, newRows: metaOf }],
    newRow: (user) => ({
      user_nicename: niceNameOf(user),
      display_name: nameOf(user).slice(0, 250),
      user_registered: new Date(user.timeJoined),
    }),
    hashes: {
      there,
      here: (hash) =>
        (isMd5(hash) ? [tagged('md5', hash)] : bcryptSpellings(hash)).flatMap((each) => [
          stating(passwordForms, each),
          each,
        ]),
      // wp_check_password compares up to 32 characters with an MD5, which has no such sign.
      unusable: (seed) => `!${createHash('sha256').update(seed).digest('base64url').slice(0, 31)}`,
      isUnusable: (hash) => hash === '' || hash.startsWith('!'),
    },
  },
};

/** WordPress compares a password with it as `passwordForms` has it; of other hashes it is not known. */
function there(stored: string): string | undefined {
  const { forms = passwordForms, hash } = statedIn(stored);
  if (forms !== passwordForms) return undefined;
  const inside = untagged(hash);
  if (inside !== undefined) return inside.kind === 'md5' && isMd5(inside.hash) ? inside.hash : undefined;
  return /^\$(?:P|wp)\$/.test(hash) ? hash : asBcrypt(hash, '2y');
}

function isMd5(hash: string): boolean {
  return /^[0-9a-f]{32}$/.test(hash);
}

/** Without a role a user may not even read their profile; the other keys are those that wp_insert_user writes for names. */
function metaOf(user: WrittenUser, prefix: string) {
  const { metadata } = user;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  const values = {
    nickname: nameOf(user),
    first_name: textOf(metadata.first_name),
    last_name: textOf(metadata.last_name),
    [`${prefix}capabilities`]: 'a:1:{s:10:"subscriber";b:1;}',
    [`${prefix}user_level`]: '0',
  };
  return Object.entries(values).map(([key, value]) => ({ meta_key: key, meta_value: value }));
}

function nameOf({ email, metadata: { name } }: WrittenUser): string {
  return typeof name === 'string' ? name : localPart(email);
}

function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@'));
}

/** In addresses of the site: unique, and without the domain of the email. */
function niceNameOf({ email }: WrittenUser): string {
  const mark = randomBytes(4).toString('hex');
  const words =
    localPart(email)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return [...words.join('-').slice(0, 40).split('-').filter(Boolean), mark].join('-');
}
