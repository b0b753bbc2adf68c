/** better-auth: the tables `user` and `account` in one JSON document, or in a file each. */

import { betterAuthFactors, prepareSecret, secretOption } from './better-auth-factors.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { firstText, flagOf, phoneOf, textOf } from '../parts/fields.ts';
import { foldedRow, hasAll, namesOf } from '../parts/folded-row.ts';
import { hashPasswordOr } from '../parts/hash-strings.ts';
import { personOptions, rejected, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import { type Disabled, disabledUntil } from '../parts/sign-in-state.ts';
import { ExportFault } from '../provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';

const files = [{ format: 'json', path: [] }, { format: 'csv' }, { format: 'ndjson' }] as const;

export const betterAuth: Provider = {
  name: 'better-auth',
  title: 'better-auth (user and account)',
  about:
    'Hashes and social identities are in the table account: give it too, in the same JSON document or in a file of its own. Column names in snake_case are read too. Secrets and backup codes of the two-factor plugin are in the table twoFactor, read with --better-auth-secret and counted only without it.',
  wayBack: { reads: 'its own scrypt, unless password.verify of the app reads another', settings: undefined },
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: ['user'] }, { format: 'json', path: ['users'] }, ...files],
      sqlNames: ['user', 'users'],
      idOf: (row) => textOf(foldedRow(row).id),
    },
    {
      name: 'accounts',
      places: [{ format: 'json', path: ['account'] }, { format: 'json', path: ['accounts'] }, ...files],
      sqlNames: ['account', 'accounts'],
      idOf: (row) => textOf(foldedRow(row).userid),
      flag: 'better-auth-accounts',
      hashes: 'the table account',
    },
    {
      name: 'factors',
      places: [
        { format: 'json', path: ['twoFactor'] },
        { format: 'json', path: ['two_factor'] },
        { format: 'json', path: ['twoFactors'] },
        ...files,
      ],
      sqlNames: ['twoFactor', 'two_factor', 'twoFactors', 'two_factors'],
      idOf: (row) => textOf(foldedRow(row).userid),
      flag: 'better-auth-two-factor',
    },
  ],
  options: [secretOption, ...personOptions],
  recognises,
  prepare: prepareSecret,
  convert,
};

/** `emailVerified` is a boolean here and a time in Auth.js; accounts name their columns differently too. */
function recognises(sample: Sample): number {
  const names = namesOf(sample);
  const isDocument = sample.root !== 'array' && sample.root.some((key) => /^users?$/.test(key));
  if (isDocument && hasAll(names, 'accountid', 'providerid', 'userid')) return 10;
  const isFlag = flagOf(foldedRow(sample.first).emailverified) !== undefined;
  if (!isFlag || !hasAll(names, 'name', 'email', 'image', 'createdat', 'updatedat')) return 0;
  return isDocument ? 10 : 6;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const user = foldedRow(row);
  const accounts = requireAccounts(related).map(foldedRow);
  const person = {
    id: textOf(user.id),
    email: textOf(user.email),
    isEmailVerified: flagOf(user.emailverified) === true,
    phone: flagOf(user.phonenumberverified) === true ? phoneOf(user.phonenumber) : undefined,
    password: passwordOf(accounts),
    social: accounts.flatMap(socialOf),
    timeJoined: timeOf(user.createdat),
    metadata: {
      name: textOf(user.name),
      username: firstText(user, 'username', 'displayusername'),
      picture: textOf(user.image),
    },
    roles: rolesOf(textOf(user.role)),
    ...betterAuthFactors(flagOf(user.twofactorenabled) === true, related.factors, options),
    isDisabled: banOf(user),
  };
  if (flagOf(user.isanonymous) === true) return anonymous(person.id);
  return convertAddressed(person, 'email', options);
}

/** The admin plugin writes several with commas. */
function rolesOf(text = ''): readonly string[] {
  return text
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
}

/** Of a user without accounts the list is empty. @throws ExportFault without the table: all would lose theirs */
function requireAccounts({ accounts }: Related): readonly SourceRow[] {
  if (accounts !== undefined) return accounts;
  throw new ExportFault(
    'hashes and social identities are in the table of accounts: give its file with --better-auth-accounts',
  );
}

/** A ban may have an end; one whose end is absent or cannot be read lasts. */
function banOf({ banned, banexpires }: SourceRow): Disabled {
  return flagOf(banned) === true ? disabledUntil(timeOf(banexpires) ?? Infinity) : flagOf(banned);
}

function anonymous(externalUserId: string | undefined): Conversion {
  const message = 'the account is anonymous: it has nothing to sign in with';
  return rejected({ code: 'NOT_IMPORTABLE', field: 'isAnonymous', message, externalUserId });
}

function isCredential(account: SourceRow): boolean {
  return textOf(account.providerid) === 'credential';
}

/** An app may have replaced the hash function: then the string says what it is. */
function passwordOf(accounts: readonly SourceRow[]): FoundPassword | undefined {
  const hash = textOf(accounts.find(isCredential)?.password);
  return hash === undefined ? undefined : hashPasswordOr('account.password', hash, 'better_auth');
}

function socialOf(account: SourceRow): readonly SocialIdentity[] {
  const provider = textOf(account.providerid);
  const userId = textOf(account.accountid);
  if (isCredential(account) || provider === undefined || userId === undefined) return [];
  return [{ provider, userId, timeJoined: timeOf(account.createdat) }];
}
