/** Ory Kratos identities: the answer of GET /admin/identities, or bodies for its import. */

import { unusedCodes } from '../parts/backup-codes.ts';
import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import {
  firstText,
  flagOf,
  integerOf,
  listOf,
  objectOf,
  objectsOf,
  phoneOf,
  textOf,
} from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { badHash, personOptions, type FoundPassword, type SocialIdentity } from '../parts/person.ts';
import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { factorIf } from '../parts/sign-in-state.ts';
import { dumpedIdentity, isRowOfKratos, kratosLookups, kratosTables, prepareKratos } from './kratos-rows.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';
import { argon2id } from '../parts/way-back.ts';

export const kratos: Provider = {
  name: 'kratos',
  title: 'Ory Kratos (identities)',
  about:
    'Ask for the credentials: GET /admin/identities?include_credential=password&include_credential=oidc&include_credential=totp&include_credential=lookup_secret; without that neither hashes nor social identities are in it. A dump of its database has them; identifiers are not read there. The email is the trait email, else the first email address to be verified.',
  wayBack: { reads: 'Argon2id, bcrypt and others, in its identity_credentials', settings: argon2id },
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: [] }, { format: 'json', path: ['identities'] }, { format: 'ndjson' }],
      sqlNames: ['identities'],
      idOf: (row) => idOf(identityOf(row)),
    },
    ...kratosTables,
  ],
  options: personOptions,
  lookups: kratosLookups,
  recognises,
  prepare: prepareKratos,
  convert,
};

/** Bodies of PATCH /admin/identities wrap each identity in `create`. */
function identityOf(row: SourceRow): SourceRow {
  return objectOf(row.create) ?? row;
}

function idOf(identity: SourceRow): string | undefined {
  return firstText(identity, 'id', 'external_id');
}

function recognises({ first, root }: Sample): number {
  const identity = identityOf(first);
  const keys = [...Object.keys(identity), ...(root === 'array' ? [] : root)];
  if (!keys.includes('traits')) return 0;
  return ['schema_id', 'credentials', 'verifiable_addresses'].some((key) => keys.includes(key)) ? 10 : 3;
}

function convert(row: SourceRow, related: Related, options: ConvertOptions): Conversion {
  const identity = isRowOfKratos(row) ? dumpedIdentity(row, related, options) : identityOf(row);
  const traits = objectOf(identity.traits) ?? {};
  const credentials = objectOf(identity.credentials) ?? {};
  const addresses = objectsOf(identity.verifiable_addresses);
  const email = emailOf(traits, addresses, credentials);
  const person = {
    id: idOf(identity),
    email,
    isEmailVerified: addresses.some((each) => isVerified(each, email)),
    phone: phoneOfAddresses(addresses),
    password: passwordOf(credentials),
    social: [...socialOf(credentials.oidc), ...socialOf(credentials.saml)],
    timeJoined: timeOf(identity.created_at),
    metadata: {
      traits,
      metadata_public: objectOf(identity.metadata_public),
      metadata_admin: objectOf(identity.metadata_admin),
    },
    totpDevices: totpOf(credentials),
    backupCodes: unusedCodes(
      objectOf(objectOf(credentials.lookup_secret)?.config)?.recovery_codes,
      'used_at',
    ),
    secondFactors: factorsOf(credentials),
    isDisabled: identity.state === undefined ? undefined : textOf(identity.state) === 'inactive',
  };
  return convertAddressed(person, 'traits.email', options);
}

/** The traits are what the schema says; where it has no `email`, its addresses and identifiers are looked at. */
function emailOf(
  traits: SourceRow,
  addresses: readonly SourceRow[],
  credentials: SourceRow,
): string | undefined {
  const named = textOf(traits.email) ?? textOf(listOf(traits.emails)[0]);
  const identifiers = listOf(objectOf(credentials.password)?.identifiers).map(textOf);
  const ofAddresses = addresses.map(({ value }) => textOf(value));
  return named ?? firstAddress(...ofAddresses, ...identifiers, textOf(traits.username));
}

function isVerified({ value, verified }: SourceRow, email: string | undefined): boolean {
  return (
    email !== undefined && flagOf(verified) === true && textOf(value)?.toLowerCase() === email.toLowerCase()
  );
}

function phoneOfAddresses(addresses: readonly SourceRow[]): string | undefined {
  const proved = addresses.find(({ via, verified }) => textOf(via) === 'sms' && flagOf(verified) === true);
  return phoneOf(proved?.value);
}

const passwordField = 'credentials.password.config.hashed_password';
const withoutHash =
  'the identity has a password and the export does not have its hash: ask for it with include_credential=password';

/** A credential without hash or password stands there when it was not asked for, or for the migration hook. */
function passwordOf(credentials: SourceRow): FoundPassword | undefined {
  const credential = objectOf(credentials.password);
  const config = objectOf(credential?.config);
  const hash = textOf(config?.hashed_password);
  if (hash !== undefined) return hashPassword(passwordField, hash, kindOf(hash));
  if (typeof config?.password === 'string' && config.password !== '') return { plainText: config.password };
  if (flagOf(config?.use_password_migration_hook) === true)
    return badHash(
      passwordField,
      'the password is checked by a migration hook, so there is no hash to carry over',
    );
  return listOf(credential?.identifiers).length > 0 ? badHash(passwordField, withoutHash) : undefined;
}

/** Two of Kratos's labels mean SHA-3 with Kratos only, and Firebase's scrypt has to be named. */
function kindOf(hash: string): 'pbkdf2_kratos' | 'provider_scrypt' | undefined {
  if (/^\$pbkdf2-sha(224|384)\$/.test(hash)) return 'pbkdf2_kratos';
  return hash.startsWith('$firescrypt$') ? 'provider_scrypt' : undefined;
}

/** From `config.providers`, else from identifiers such as `google:1098`. */
function socialOf(value: unknown): readonly SocialIdentity[] {
  const credential = objectOf(value);
  const providers = objectsOf(objectOf(credential?.config)?.providers);
  if (providers.length > 0)
    return providers.flatMap((each) => identity(textOf(each.provider), textOf(each.subject)));
  return listOf(credential?.identifiers).flatMap((each) => {
    const [, provider, subject] = /^([^:]{1,128}):(.+)$/.exec(textOf(each) ?? '') ?? [];
    return identity(provider, subject);
  });
}

function identity(provider: string | undefined, userId: string | undefined): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}

/** `otpauth://totp/…?secret=…&period=…`: Google's key URI format. */
function totpOf(credentials: SourceRow): readonly NativeTotpDevice[] {
  const url = textOf(objectOf(objectOf(credentials.totp)?.config)?.totp_url);
  if (url?.startsWith('otpauth://totp/') !== true || !URL.canParse(url)) return [];
  const { searchParams } = new URL(url);
  const secretKey = searchParams.get('secret');
  const period = integerOf(searchParams.get('period') ?? 30);
  const shape = codeShapeOf(searchParams);
  const isSound = secretKey !== null && /^[A-Z2-7]{1,256}$/i.test(secretKey) && shape !== undefined;
  const isPeriod = period !== undefined && period >= 1 && period <= 86_400;
  return isSound && isPeriod ? [{ secretKey, period, ...shape }] : [];
}

const codeAlgorithms = ['SHA1', 'SHA256', 'SHA512'] as const;

/** @returns undefined for a digest or a length that the core does not know */
function codeShapeOf(search: URLSearchParams): Pick<NativeTotpDevice, 'algorithm' | 'digits'> | undefined {
  const named = search.get('algorithm')?.toUpperCase() ?? 'SHA1';
  const algorithm = codeAlgorithms.find((each) => each === named);
  const digits = integerOf(search.get('digits') ?? 6);
  if (algorithm === undefined || digits === undefined || digits < 6 || digits > 8) return undefined;
  return { ...(algorithm !== 'SHA1' && { algorithm }), ...(digits !== 6 && { digits }) };
}

/** A TOTP whose URL was not asked for or cannot be kept, and security keys that do not sign in alone. */
function factorsOf(credentials: SourceRow): readonly SecondFactor[] {
  const hasTotp = objectOf(credentials.totp) !== undefined && totpOf(credentials).length === 0;
  const keys = objectsOf(objectOf(objectOf(credentials.webauthn)?.config)?.credentials);
  const isSecond = keys.some((key) => flagOf(key.is_passwordless) !== true);
  return [...factorIf(hasTotp, 'totp'), ...factorIf(isSecond, 'webauthn')];
}
