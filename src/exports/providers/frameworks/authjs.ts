/** Auth.js (NextAuth) adapters: users and accounts, whose columns each adapter names in its own way. */

import { convertAddressed } from '../parts/addresses.ts';
import { firstText, flagOf, textOf } from '../parts/fields.ts';
import { foldedRow, hasAll, namesOf } from '../parts/folded-row.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { personOptions, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import { ExportFault } from '../provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';
import { plainBcrypt } from '../parts/way-back.ts';

const files = [{ format: 'json', path: [] }, { format: 'csv' }, { format: 'ndjson' }] as const;

function placesUnder(...keys: readonly string[]) {
  return [...keys.map((key) => ({ format: 'json' as const, path: [key] })), ...files];
}

export const authjs: Provider = {
  name: 'authjs',
  title: 'Auth.js / NextAuth (users and accounts)',
  about:
    'The standard tables have no passwords and no date of sign-up; a hash in a column password, hashedPassword or passwordHash of the users is read. An email counts as verified only after a sign-in by magic link: after one by OAuth the column is usually empty.',
  wayBack: { reads: 'what the authorize function of the app compares, mostly bcrypt', settings: plainBcrypt },
  tables: [
    {
      name: 'users',
      places: placesUnder('users', 'user', 'User'),
      sqlNames: ['users', 'user'],
      idOf: (row) => textOf(foldedRow(row).id),
    },
    {
      name: 'accounts',
      places: placesUnder('accounts', 'account', 'Account'),
      sqlNames: ['accounts', 'account'],
      idOf: (row) => textOf(foldedRow(row).userid),
      flag: 'authjs-accounts',
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

/** A flag in `emailVerified` is better-auth's. */
function recognises(sample: Sample): number {
  const names = namesOf(sample);
  const isDocument = sample.root !== 'array' && sample.root.some((key) => /^users?$/i.test(key));
  if (isDocument && hasAll(names, 'userid', 'provideraccountid')) return 10;
  const isFlag = flagOf(foldedRow(sample.first).emailverified) !== undefined;
  if (isFlag || !hasAll(names, 'id', 'email', 'emailverified')) return 0;
  if (isDocument) return hasAll(names, 'image') ? 9 : 5;
  return hasAll(names, 'name', 'image') ? 7 : 0;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const user = foldedRow(row);
  const person = {
    id: textOf(user.id),
    email: textOf(user.email),
    isEmailVerified: timeOf(user.emailverified) !== undefined || flagOf(user.emailverified) === true,
    password: passwordOf(user),
    social: requireAccounts(related).flatMap(socialOf),
    timeJoined: timeOf(user.createdat),
    metadata: { name: textOf(user.name), username: textOf(user.username), picture: textOf(user.image) },
  };
  return convertAddressed(person, 'email', options);
}

/** Of a user without accounts the list is empty. @throws ExportFault without the table: all would lose theirs */
function requireAccounts({ accounts }: Related): readonly SourceRow[] {
  if (accounts !== undefined) return accounts;
  throw new ExportFault(
    'social identities are in the table of accounts: give its file with --authjs-accounts',
  );
}

function passwordOf(user: SourceRow): FoundPassword | undefined {
  const hash = firstText(user, 'password', 'hashedpassword', 'passwordhash');
  return hash === undefined ? undefined : hashPassword('password', hash);
}

/** Before version 4 the columns were called provider_type and provider_id. */
function socialOf(row: SourceRow): readonly SocialIdentity[] {
  const account = foldedRow(row);
  const provider = firstText(account, 'provider', 'providerid');
  const userId = textOf(account.provideraccountid);
  const type = firstText(account, 'type', 'providertype') ?? 'oauth';
  if (provider === undefined || userId === undefined || !/^(oauth|oidc)$/i.test(type)) return [];
  return [{ provider, userId, timeJoined: timeOf(account.createdat) }];
}
