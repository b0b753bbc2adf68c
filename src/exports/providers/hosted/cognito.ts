/** AWS Cognito: the answers of ListUsers, or a CSV with the columns of its import. */

import type { SecondFactor } from '../../../imports/model.ts';
import { convertAddressed } from '../parts/addresses.ts';
import {
  firstText,
  flagOf,
  hasColumns,
  listOf,
  objectsOf,
  phoneOf,
  textOf,
  timeOf,
} from '../parts/fields.ts';
import { personOptions, type Person, type SocialIdentity } from '../parts/person.ts';
import { factorIf, factorNamed, disabledIf, disabledUnless } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';

export const cognito: Provider = {
  name: 'cognito',
  title: 'AWS Cognito (ListUsers, or CSV)',
  about:
    'Cognito gives no password hashes to anybody: users with an email and no identity elsewhere are imported to sign in by email, or as --without-password says. The external id is sub, or the user name where there is none.',
  wayBack: { reads: 'none', settings: undefined },
  tables: [
    {
      name: 'users',
      places: [
        { format: 'json', path: ['Users'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv' },
      ],
      idOf: (row) => idOf(attributesOf(row)),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises({ format, columns, root, first }: Sample): number {
  if (format === 'csv') return hasColumns(columns, 'cognito:username') ? 10 : 0;
  if ('Attributes' in first && 'UserStatus' in first) return 10;
  return root !== 'array' && root.includes('Users') && 'Username' in first ? 8 : 0;
}

/** A CSV row has its attributes in columns. */
function attributesOf(user: SourceRow): SourceRow {
  const pairs = objectsOf(user.Attributes).map(({ Name, Value }) => [textOf(Name) ?? '', Value] as const);
  return { username: user.Username, ...user, ...Object.fromEntries(pairs) };
}

function idOf(attributes: SourceRow): string | undefined {
  return firstText(attributes, 'sub', 'cognito:username', 'username');
}

function convert(user: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const attributes = attributesOf(user);
  const isVerified = (name: string) => flagOf(attributes[name]) === true;
  const person: Person = {
    id: idOf(attributes),
    email: textOf(attributes.email),
    isEmailVerified: isVerified('email_verified'),
    phone: isVerified('phone_number_verified') ? phoneOf(attributes.phone_number) : undefined,
    social: objectsOf(attributes.identities).flatMap(socialOf),
    timeJoined: timeOf(user.UserCreateDate),
    metadata: metadataOfAttributes(attributes),
    secondFactors: factorsOf(user),
    isDisabled: isDisabled(user),
  };
  return convertAddressed(person, 'email', options);
}

/** What stands elsewhere in the record, and what Cognito says of itself. */
const notMetadata =
  /^(sub|email|email_verified|phone_number|phone_number_verified|identities|updated_at|[A-Z].*|cognito:.*)$/;

/** Standard attributes by their OpenID names, and `custom:` ones as they are named; no user name that is the id again. */
function metadataOfAttributes(attributes: SourceRow): Readonly<Record<string, unknown>> {
  const id = idOf(attributes);
  const kept = Object.entries(attributes).filter(([name, value]) => !notMetadata.test(name) && value !== id);
  return Object.fromEntries(kept.map(([name, value]) => [name, textOf(value)]));
}

/** `providerType` is SAML or OIDC for connections that the pool's owner named. */
function socialOf({ providerName, userId, dateCreated }: SourceRow): readonly SocialIdentity[] {
  const [provider, id] = [textOf(providerName), textOf(userId)];
  if (provider === undefined || id === undefined) return [];
  return [{ provider, userId: id, timeJoined: timeOf(dateCreated) }];
}

const factors = { SOFTWARE_TOKEN_MFA: 'totp', SMS_MFA: 'sms', EMAIL_OTP: 'email' } as const;

/** The answer of AdminGetUser names them; ListUsers and the CSV know codes by SMS only. */
function factorsOf(user: SourceRow): readonly SecondFactor[] {
  const named = listOf(user.UserMFASettingList).map((name) => factorNamed(factors, textOf(name)));
  const bySms = listOf(user.MFAOptions).length > 0 || flagOf(user['cognito:mfa_enabled']) === true;
  return [...named, ...factorIf(bySms, 'sms')];
}

function isDisabled({ Enabled, UserStatus }: SourceRow): boolean | undefined {
  const status = textOf(UserStatus);
  const isStopped = status === 'ARCHIVED' || status === 'COMPROMISED';
  return disabledIf(disabledUnless(flagOf(Enabled)), isStopped ? true : undefined);
}
