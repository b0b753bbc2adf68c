/** Spring Security's default JDBC schema: users and authorities, with `{id}encoded` passwords. */

import { isEmail } from '../../../domain/email.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { flagOf, textOf } from '../parts/fields.ts';
import { hasAll, namesOf } from '../parts/folded-row.ts';
import { personOptions, rejected } from '../parts/person.ts';
import { disabledIf, disabledUnless } from '../parts/standing.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { springPassword } from './spring-passwords.ts';

const places = [{ format: 'csv' }, { format: 'json', path: [] }, { format: 'ndjson' }] as const;

export const spring: Provider = {
  name: 'spring',
  title: 'Spring Security (users table)',
  about:
    'The user name is taken as the email unless there is a column email. {pbkdf2} and {sha256} are read with the parameters of PasswordEncoderFactories and no secret: with others set in the code no old password would be right. Roles need the table authorities in a file of its own.',
  tables: [
    { name: 'users', places, idOf: (row) => textOf(row.username) },
    { name: 'authorities', places, idOf: (row) => textOf(row.username), flag: 'spring-authorities' },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'username', 'password')) return 0;
  if (/^\{[\w@.-]+\}/.test(textOf(sample.first.password) ?? '')) return 10;
  return names.has('enabled') ? 6 : 0;
}

const noAddress = 'the user name is no email address: add a column email to the query that exports the users';

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const username = textOf(row.username);
  const own = textOf(row.email);
  if (own === undefined && username !== undefined && !isEmail(username))
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: 'username',
      message: noAddress,
      externalUserId: username,
    });
  const email = own ?? username;
  const person = {
    id: username,
    email,
    password: springPassword(row.password),
    metadata: { username: username === email ? undefined : username },
    roles: (related.authorities ?? []).flatMap((each) => textOf(each.authority) ?? []),
    isDisabled: isDisabled(row),
    requiredActions: flagOf(row.credentials_non_expired) === false ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, own === undefined ? 'username' : 'email', options);
}

/** Who implements UserDetails with columns of these names has more of them than the table's own `enabled`. */
function isDisabled(row: SourceRow): boolean | undefined {
  const flags = [row.enabled, row.account_non_locked, row.account_non_expired];
  return disabledIf(...flags.map((flag) => disabledUnless(flagOf(flag))));
}
