/** ASP.NET Core Identity, also under Duende's and IdentityServer's tables: AspNetUsers and AspNetUserLogins. */

import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import { flagOf, phoneOf, textOf } from '../parts/fields.ts';
import { foldedRow, hasAll, namesOf } from '../parts/folded-row.ts';
import { hashPasswordOr } from '../parts/hash-strings.ts';
import { personOptions, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import { factorIf } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';

const places = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

/** Lockouts after wrong passwords last minutes; a user who is locked out for longer was locked out on purpose. */
const lastingLockoutMs = 86_400_000;

export const aspnetIdentity: Provider = {
  name: 'aspnet-identity',
  title: 'ASP.NET Core Identity (AspNetUsers)',
  about:
    'The table has no date of sign-up. Social identities need AspNetUserLogins in a file of its own. Who is locked out for more than a day counts as disabled. Column names in snake_case are read too.',
  wayBack: {
    reads: 'its own PBKDF2 format (version 3), unless the app has a password hasher of another kind',
    settings: undefined,
  },
  tables: [
    { name: 'users', places, sqlNames: ['AspNetUsers'], idOf: (row) => textOf(foldedRow(row).id) },
    {
      name: 'logins',
      places,
      sqlNames: ['AspNetUserLogins'],
      idOf: (row) => textOf(foldedRow(row).userid),
      flag: 'aspnet-logins',
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'passwordhash', 'normalizedemail')) return 0;
  return hasAll(names, 'securitystamp', 'normalizedusername') ? 10 : 8;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const user = foldedRow(row);
  const username = textOf(user.username);
  const email = textOf(user.email) ?? firstAddress(username);
  const person = {
    id: textOf(user.id),
    email,
    isEmailVerified: flagOf(user.emailconfirmed) === true,
    phone: flagOf(user.phonenumberconfirmed) === true ? phoneOf(user.phonenumber) : undefined,
    password: passwordOf(user.passwordhash),
    social: (related.logins ?? []).flatMap(socialOf),
    metadata: { username: username === email ? undefined : username },
    secondFactors: factorIf(flagOf(user.twofactorenabled) === true, 'other'),
    isDisabled: 'lockoutend' in user ? isLockedOut(user) : undefined,
  };
  return convertAddressed(person, 'Email', options);
}

/** The column belongs to an IPasswordHasher, which may be another than ASP.NET's own. */
function passwordOf(value: unknown): FoundPassword | undefined {
  const hash = textOf(value);
  return hash === undefined ? undefined : hashPasswordOr('PasswordHash', hash, 'aspnet');
}

function isLockedOut({ lockoutenabled, lockoutend }: SourceRow): boolean {
  return flagOf(lockoutenabled) !== false && (timeOf(lockoutend) ?? 0) > Date.now() + lastingLockoutMs;
}

function socialOf(row: SourceRow): readonly SocialIdentity[] {
  const login = foldedRow(row);
  const provider = textOf(login.loginprovider);
  const userId = textOf(login.providerkey);
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}
