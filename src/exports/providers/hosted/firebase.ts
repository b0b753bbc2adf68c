/** Firebase Authentication: `firebase auth:export`, JSON or CSV. */

import type { SecondFactor } from '../../../imports/model.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { flagOf, objectsOf, phoneOf, textOf, timeOf } from '../parts/fields.ts';
import { prepareFirebase, scryptOptions, variantHash } from './firebase-hashes.ts';
import { claimsOf, firebaseColumns, fromCells, isFirebaseCsv } from './firebase-csv.ts';
import { factorIf } from '../parts/second-factors.ts';
import { personOptions, rejected } from '../parts/person.ts';
import type { Person, SocialIdentity } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';

export const firebase: Provider = {
  name: 'firebase',
  title: 'Firebase Authentication (firebase auth:export)',
  about:
    'The hash parameters are on the users page of the Firebase console; the signer key belongs into the configuration of the core (provider_password_hashing_signer_key), which never tells it, so that what is given here is checked for its form only. Hashes that Firebase itself did not make, identities of SAML and OpenID Connect, and second factors (mfaInfo) are left out by the export. Prefer JSON: in CSV a comma in an email or a photo URL shifts columns.',
  tables: [
    {
      name: 'users',
      places: [
        { format: 'json', path: ['users'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv', columns: firebaseColumns },
      ],
      idOf: (row) => textOf(row.localId),
    },
  ],
  options: [...scryptOptions, ...personOptions],
  recognises,
  prepare: prepareFirebase,
  convert,
};

function recognises({ format, columns, first }: Sample): number {
  if (format === 'csv') return isFirebaseCsv(columns) ? 10 : 0;
  return textOf(first.localId) === undefined ? 0 : 10;
}

function convert(row: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const user = fromCells(row);
  const id = textOf(user.localId);
  if (user.isShifted === true)
    return unreadable(
      id,
      '',
      'the row has a number of cells that the export never writes: a comma in a value',
    );
  const attributes = textOf(user.customAttributes);
  const customClaims = attributes === undefined ? undefined : claimsOf(attributes);
  if (attributes !== undefined && customClaims === undefined)
    return unreadable(id, 'customAttributes', 'the custom claims are no JSON');
  const person: Person = {
    id,
    email: textOf(user.email),
    isEmailVerified: flagOf(user.emailVerified) === true,
    // Firebase keeps no number that was not proved by a code.
    phone: phoneOf(user.phoneNumber),
    password: variantHash(user, options),
    social: objectsOf(user.providerUserInfo).flatMap(socialOf),
    timeJoined: timeOf(user.createdAt),
    metadata: {
      name: textOf(user.displayName),
      picture: textOf(user.photoUrl),
      customClaims,
    },
    secondFactors: objectsOf(user.mfaInfo).flatMap(factorsOf),
    isDisabled: flagOf(user.disabled),
  };
  return isAnonymous(person) ? anonymous(id) : convertAddressed(person, 'email', options);
}

/** In answers of accounts:batchGet; `firebase auth:export` leaves them out. Neither has a secret. */
function factorsOf({ phoneInfo, totpInfo }: SourceRow): readonly SecondFactor[] {
  const isKnown = phoneInfo !== undefined || totpInfo !== undefined;
  return [
    ...factorIf(phoneInfo !== undefined, 'sms'),
    ...factorIf(totpInfo !== undefined, 'totp'),
    ...factorIf(!isKnown, 'other'),
  ];
}

function unreadable(externalUserId: string | undefined, field: string, why: string): Conversion {
  return rejected({
    code: 'INVALID_FIELD',
    field,
    message: `${why}; export as JSON instead`,
    externalUserId,
  });
}

function isAnonymous({ email, phone, password, social }: Person): boolean {
  return email === undefined && phone === undefined && password === undefined && social?.length === 0;
}

function anonymous(externalUserId: string | undefined): Conversion {
  const message = 'the account is anonymous: it has nothing to sign in with';
  return rejected({ code: 'NOT_IMPORTABLE', field: '', message, externalUserId });
}

/** Not what stands for the password and the phone number, which other tools list too. */
function socialOf({ providerId, rawId, email }: SourceRow): readonly SocialIdentity[] {
  const [provider, userId] = [textOf(providerId), textOf(rawId)];
  if (provider === undefined || userId === undefined || provider === 'password' || provider === 'phone')
    return [];
  return [{ provider, userId, email: textOf(email) }];
}
