import type { ProviderDatabase, DatabaseUser } from './database.ts';

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
  assemble,
};

/** Identities of django-allauth and of social-auth. */
function assemble({ row, related }: DatabaseUser): DatabaseUser {
  const { emails = [], identities = [], associations = [] } = related;
  return { row, related: { emails, identities: [...identities, ...associations] } };
}
