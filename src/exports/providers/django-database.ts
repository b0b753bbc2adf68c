import { createHash } from 'node:crypto';
import type { ProviderDatabase, DatabaseUser } from './database.ts';
import { bcryptSpellings } from './parts/way-back.ts';

export const djangoDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the table of users of Django 1.10 or newer',
  tables: [
    {
      name: 'users',
      tables: ['auth_user'],
      id: 'id',
      columns: ['password', 'last_login'],
    },
    {
      name: 'emails',
      tables: ['account_emailaddress'],
      id: 'user_id',
      columns: ['email', 'verified', 'primary'],
      isOptional: true,
    },
    {
      name: 'identities',
      tables: ['socialaccount_socialaccount'],
      id: 'user_id',
      columns: ['provider', 'uid'],
      isOptional: true,
    },
    {
      name: 'associations',
      as: 'identities',
      tables: ['social_auth_usersocialauth'],
      id: 'user_id',
      columns: ['provider', 'uid'],
      isOptional: true,
    },
  ],
  writes: {
    email: 'email',
    password: 'password',
    addresses: { name: 'emails', email: 'email', isVerified: 'verified', isPrimary: 'primary' },
    logins: {
      name: 'identities',
      provider: ['provider'],
      userId: ['uid'],
      newRow: (now) => ({ extra_data: '{}', date_joined: now, last_login: now }),
    },
    username: { column: 'username', characters: 150 },
    // Django's advice, because rows of other tables refer to users.
    removal: { column: 'is_active', mark: 'inactive' },
    newRow: ({ metadata, timeJoined }) => ({
      first_name: nameOf(metadata.first_name ?? metadata.name),
      last_name: nameOf(metadata.last_name),
      is_active: true,
      is_staff: false,
      is_superuser: false,
      date_joined: new Date(timeJoined),
    }),
    hashes: {
      there,
      here: (hash) => bcryptSpellings(hash.replace(/^(?:argon2|bcrypt)\$(?=\$)|^argon2(?=\$argon2)/, '')),
      // As set_unusable_password() of Django: what is after the mark does not matter.
      unusable: (seed) => `!${createHash('sha256').update(seed).digest('base64url')}`,
      isUnusable: (hash) => hash === '' || hash.startsWith('!'),
    },
  },
  assemble,
};

/** `first_name` and `last_name` have 150 characters, and are never null. */
function nameOf(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, 150) : '';
}

/** Kinds that Django names in the same way here and there, and those before whose hashes it writes a name. */
const same = /^(?:pbkdf2_sha(?:256|1)|bcrypt_sha256|scrypt)\$/;

function there(hash: string): string | undefined {
  if (same.test(hash)) return hash;
  if (/^\$argon2(?:id|i|d)\$/.test(hash)) return `argon2${hash}`;
  return /^\$2[aby]\$/.test(hash) ? `bcrypt$$2b$${hash.slice(4)}` : undefined;
}

/** Identities of django-allauth and of social-auth. */
function assemble({ row, related }: DatabaseUser): DatabaseUser {
  const { emails = [], identities = [], associations = [] } = related;
  return { row, related: { emails, identities: [...identities, ...associations] } };
}
