/** The database of each old system, through the command into a whole core, where all users sign in as before. */
import { createOldDatabase, tablesOf } from '../helpers/sources.ts';
import { type OldSystem, testSystems } from '../helpers/old-systems.ts';

const google = { id: 'google', userId: '109876543210987654321' };

const uuid = '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11';
const started = Date.parse('2024-01-01T00:00:00Z');
const ada = { emails: ['ada@example.com'], thirdParty: [google] };

const systems: readonly OldSystem[] = [
  {
    name: 'authjs',
    ada: { ...ada, id: 'cljn3x7y00000356z8demo01' },
    isVerified: true,
    signIn: ['ada@example.com'],
    written: 2,
    byKind: { bcrypt: 1 },
  },
  {
    name: 'better-auth',
    ada: { ...ada, id: 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { better_auth: 2 },
  },
  {
    name: 'devise',
    // To the last digit of a bigint.
    ada: { ...ada, id: '9223372036854775807', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { bcrypt: 2 },
  },
  {
    name: 'django',
    ada: { ...ada, id: '42', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['inactive@example.com'],
    written: 2,
    byKind: { pbkdf2: 2 },
    leftOut: ['the user has no email', 'There is no table socialaccount_socialaccount'],
  },
  {
    name: 'keycloak',
    ada: { ...ada, id: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', timeJoined: started },
    isVerified: true,
    metadata: { groups: ['/staff/paris'], clientRoles: { app: ['manage'] }, attributes: { locale: ['en'] } },
    roles: ['editor'],
    signIn: ['ada@example.com', 'long-ago@example.com'],
    kept: ['bob@example.com', 'root@example.com'],
    written: 3,
    byKind: { argon2: 1, pbkdf2: 2 },
    leftOut: ['service account', 'realm shop'],
  },
  {
    name: 'kratos',
    ada: { ...ada, id: uuid, timeJoined: started },
    isVerified: true,
    metadata: { metadata_public: { plan: 'pro' } },
    signIn: ['ada@example.com'],
    kept: ['inactive@example.com'],
    written: 2,
    byKind: { argon2: 2 },
  },
  {
    name: 'laravel',
    ada: { ...ada, id: '42', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['deleted@example.com'],
    written: 1,
    byKind: { bcrypt: 1 },
    leftOut: ['deleted_at is set'],
  },
  {
    name: 'logto',
    ada: { ...ada, id: 'k3jxqm4vt7nh', timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['suspended@example.com', 'root@example.com'],
    written: 2,
    byKind: { argon2: 2 },
  },
  {
    name: 'supabase',
    ada: {
      ...ada,
      id: uuid,
      phoneNumbers: ['+15555550100'],
      timeJoined: Date.parse('2024-01-15T10:29:12.5Z'),
    },
    isVerified: true,
    metadata: { user_metadata: { name: 'Ada' } },
    signIn: ['ada@example.com'],
    // A user with a second factor is not admitted by the password alone.
    kept: ['banned@example.com', 'coded@example.com'],
    written: 3,
    byKind: { bcrypt: 3 },
    leftOut: ['the account is anonymous'],
  },
  {
    name: 'supertokens',
    ada: { ...ada, id: 'legacy-42', timeJoined: started },
    isVerified: true,
    metadata: { plan: 'pro' },
    roles: ['editor'],
    signIn: ['ada@example.com'],
    kept: ['root@example.com'],
    written: 2,
    byKind: { argon2: 1 },
  },
];

testSystems(systems, async (name) => createOldDatabase(await tablesOf(name)));
