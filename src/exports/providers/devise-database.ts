import { randomUUID } from 'node:crypto';
import { tagged, untagged } from '../../hashes/spellings.ts';
import { newIdOf } from '../back/person.ts';
import type { ProviderDatabase, WrittenUser } from './database.ts';
import { asBcrypt, bcryptSpellings, unusableBcrypt } from './parts/way-back.ts';

export const deviseDatabase: ProviderDatabase = {
  engines: ['postgres', 'mysql'],
  versions: 'the table users of Devise 2 or newer',
  tables: [
    {
      name: 'users',
      tables: ['users'],
      id: 'id',
      columns: ['email', 'encrypted_password'],
    },
    {
      name: 'identities',
      tables: ['identities', 'user_identities', 'authentications', 'authorizations'],
      id: 'user_id',
      columns: ['provider', 'uid'],
      isOptional: true,
    },
  ],
  writes: {
    email: 'email',
    password: 'encrypted_password',
    verified: { column: 'confirmed_at', mark: 'time' },
    updatedAt: 'updated_at',
    // Rails makes UUIDs itself where the database does not.
    keys: newIdOf,
    logins: {
      name: 'identities',
      provider: ['provider'],
      userId: ['uid'],
      email: ['email'],
      rowKey: 'id',
      newRow: (now) => ({ created_at: now, updated_at: now }),
    },
    // As devise_token_auth has it, whose users with a password have the provider `email`.
    loginPair: { provider: 'provider', userId: 'uid', own: 'email' },
    // The name of the usual gem, omniauth-google-oauth2.
    providerNames: { google: 'google_oauth2' },
    // Of paranoia and acts_as_paranoid, and of discard.
    removal: { column: ['deleted_at', 'discarded_at'], mark: 'time' },
    newRow,
    hashes: {
      there,
      here: (hash) => bcryptSpellings(hash).flatMap((each) => [each, tagged(peppered, each)]),
      // BCrypt::Password.new fails for any text that is not a hash.
      ...unusableBcrypt('2a'),
    },
  },
};

const peppered = 'bcrypt_peppered';

/** With `config.pepper` Devise verifies no hash that was made without it. */
function there(hash: string, made: string | null): string | undefined {
  const inside = untagged(hash);
  if (inside !== undefined) return inside.kind === peppered ? asBcrypt(inside.hash, '2a') : undefined;
  return made === null || made === peppered ? undefined : asBcrypt(hash, '2a');
}

function newRow({ email, metadata, timeJoined }: WrittenUser) {
  const {
    name = email.slice(0, email.lastIndexOf('@')),
    username,
    first_name: first,
    last_name: last,
  } = metadata;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    name: textOf(name),
    username: textOf(username),
    first_name: textOf(first),
    last_name: textOf(last),
    created_at: new Date(timeJoined),
    // Of devise-jwt, which does not make one for a row that it did not write.
    jti: randomUUID(),
  };
}
