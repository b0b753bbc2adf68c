/** Ory Kratos identities: the answer of GET /admin/identities, or bodies for its import. */

import { kratosDatabase } from './kratos-database.ts';
import { carries, type Field, valueOf } from '../fields/declare.ts';
import { parsePhone, parseText } from '../fields/texts.ts';
import { unparsable } from '../fields/parsed.ts';
import { plainCodes } from './parts/backup-codes.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { badHash, personOptions, type FoundPassword, type SocialIdentity } from './parts/person.ts';
import type { SecondFactor } from '../../imports/model.ts';
import type { NativeTotpDevice } from '../../imports/record/native-record.ts';
import { factorIf } from './parts/sign-in-state.ts';
import {
  type Address,
  addressRowFields,
  type Credential,
  credentialRowFields,
  type Credentials,
  type Identity,
  identityFields,
} from './kratos-fields.ts';
import { credentialsOfRows, kratosLookups, kratosTables, prepareKratos } from './kratos-rows.ts';
import { convertValues, relatedValues } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';
import { argon2id } from './parts/way-back.ts';

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
      fields: identityFields,
      columnsOf: identityOf,
      sqlNames: ['identities'],
      idOf: (row) => idOf(identityOf(row)),
    },
    ...kratosTables,
  ],
  options: personOptions,
  lookups: kratosLookups,
  database: kratosDatabase,
  recognises,
  prepare: prepareKratos,
  convert: convertValues(identityFields, convert),
};

/** Bodies of PATCH /admin/identities wrap each identity in `create`. */
function identityOf(row: SourceRow): SourceRow {
  const { create } = row;
  return typeof create === 'object' && create !== null ? (create as SourceRow) : row;
}

function idOf(identity: SourceRow): string | undefined {
  return valueOf(identity, identityFields.id) ?? valueOf(identity, identityFields.externalId);
}

function recognises({ first, root }: Sample): number {
  const identity = identityOf(first);
  const keys = [...Object.keys(identity), ...(root === 'array' ? [] : root)];
  if (!keys.includes('traits')) return 0;
  return ['schema_id', 'credentials', 'verifiable_addresses'].some((key) => keys.includes(key)) ? 10 : 3;
}

function convert(identity: Identity, related: Related, options: ConvertOptions): Conversion {
  const { traits = {}, timeJoined, isInactive } = identity;
  const rows = relatedValues(credentialRowFields, related.credentials);
  const credentials = rows.length > 0 ? credentialsOfRows(rows, options) : (identity.credentials ?? {});
  const ofRows: readonly Address[] = relatedValues(addressRowFields, related.addresses);
  const addresses = [...(identity.addresses ?? []), ...ofRows];
  const email = emailOf(traits, addresses, credentials);
  const person = {
    email,
    timeJoined,
    id: identity.id ?? identity.externalId,
    isEmailVerified: addresses.some((each) => isVerified(each, email)),
    phone: phoneOfAddresses(addresses),
    password: passwordOf(credentials.password),
    social: [...socialOf(credentials.oidc), ...socialOf(credentials.saml)],
    metadata: {
      traits,
      metadata_public: identity.publicMetadata,
      metadata_admin: identity.adminMetadata,
    },
    totpDevices: totpOf(credentials),
    backupCodes: plainCodes(
      credentials.lookupSecret?.config?.recoveryCodes
        ?.filter(({ isUsed }) => isUsed !== true)
        .map(({ code }) => code),
    ),
    secondFactors: factorsOf(credentials),
    isDisabled: isInactive,
  };
  return convertAddressed(person, 'traits.email', options);
}

const traitFields: Readonly<Record<'email' | 'username', Field<string>>> = {
  email: carries.text('email'),
  username: carries.text('username'),
};
const emailsField = carries.list('emails');

/** The traits depend on the schema; if they have no `email`, addresses and identifiers are examined. */
function emailOf(
  traits: SourceRow,
  addresses: readonly Address[],
  { password }: Partial<Credentials>,
): string | undefined {
  const named = valueOf(traits, traitFields.email) ?? textOf(valueOf(traits, emailsField)?.[0]);
  const identifiers = (password?.identifiers ?? []).map(textOf);
  const ofAddresses = addresses.map(({ value }) => value);
  return named ?? firstAddress(...ofAddresses, ...identifiers, valueOf(traits, traitFields.username));
}

/** For a list whose elements may be anything. */
function textOf(value: unknown): string | undefined {
  const text = parseText(value);
  return text === unparsable ? undefined : text;
}

function isVerified({ value, isVerified: flag }: Address, email: string | undefined): boolean {
  return email !== undefined && flag === true && value?.toLowerCase() === email.toLowerCase();
}

function phoneOfAddresses(addresses: readonly Address[]): string | undefined {
  const phone = parsePhone(addresses.find((each) => each.via === 'sms' && each.isVerified === true)?.value);
  return phone === unparsable ? undefined : phone;
}

const passwordField = 'credentials.password.config.hashed_password';
const withoutHash =
  'the identity has a password and the export does not have its hash: ask for it with include_credential=password';

/** A credential without hash or password is present when it was not requested, or for the migration hook. */
function passwordOf(credential: Credential | undefined): FoundPassword | undefined {
  const { hash, plainText, isByHook } = credential?.config ?? {};
  if (hash !== undefined) return hashPassword(passwordField, hash, kindOf(hash));
  if (plainText !== undefined) return { plainText };
  if (isByHook === true)
    return badHash(
      passwordField,
      'the password is checked by a migration hook, so there is no hash to carry over',
    );
  return credential?.identifiers?.length ? badHash(passwordField, withoutHash) : undefined;
}

/** Two of Kratos's labels mean SHA-3 only in Kratos, and Firebase's scrypt has to be named. */
function kindOf(hash: string): 'pbkdf2_kratos' | 'provider_scrypt' | undefined {
  if (/^\$pbkdf2-sha(224|384)\$/.test(hash)) return 'pbkdf2_kratos';
  return hash.startsWith('$firescrypt$') ? 'provider_scrypt' : undefined;
}

/** From `config.providers`, or else from identifiers such as `google:1098`. */
function socialOf(credential: Credential | undefined): readonly SocialIdentity[] {
  const providers = credential?.config?.providers ?? [];
  if (providers.length > 0) return providers.flatMap((each) => identity(each.provider, each.subject));
  return (credential?.identifiers ?? []).flatMap((each) => {
    const [, provider, subject] = /^([^:]{1,128}):(.+)$/.exec(textOf(each) ?? '') ?? [];
    return identity(provider, subject);
  });
}

function identity(provider: string | undefined, userId: string | undefined): readonly SocialIdentity[] {
  return provider === undefined || userId === undefined ? [] : [{ provider, userId }];
}

/** `otpauth://totp/…?secret=…&period=…`: Google's key URI format. */
function totpOf({ totp }: Partial<Credentials>): readonly NativeTotpDevice[] {
  const url = totp?.config?.totpUrl;
  if (url?.startsWith('otpauth://totp/') !== true || !URL.canParse(url)) return [];
  const { searchParams } = new URL(url);
  const secretKey = searchParams.get('secret');
  const period = wholeOf(searchParams.get('period') ?? '30');
  const shape = codeShapeOf(searchParams);
  const isSound = secretKey !== null && /^[A-Z2-7]{1,256}$/i.test(secretKey) && shape !== undefined;
  const isPeriod = period !== undefined && period >= 1 && period <= 86_400;
  return isSound && isPeriod ? [{ secretKey, period, ...shape }] : [];
}

function wholeOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

const codeAlgorithms = ['SHA1', 'SHA256', 'SHA512'] as const;

/** @returns undefined for a digest or a length that the core does not support */
function codeShapeOf(search: URLSearchParams): Pick<NativeTotpDevice, 'algorithm' | 'digits'> | undefined {
  const named = search.get('algorithm')?.toUpperCase() ?? 'SHA1';
  const algorithm = codeAlgorithms.find((each) => each === named);
  const digits = wholeOf(search.get('digits') ?? '6');
  if (algorithm === undefined || digits === undefined || digits < 6 || digits > 8) return undefined;
  return { ...(algorithm !== 'SHA1' && { algorithm }), ...(digits !== 6 && { digits }) };
}

/** A TOTP whose URL was not requested or is not supported, and security keys that do not sign in alone. */
function factorsOf(credentials: Partial<Credentials>): readonly SecondFactor[] {
  const hasTotp = credentials.totp !== undefined && totpOf(credentials).length === 0;
  const keys = credentials.webauthn?.config?.keys ?? [];
  const isSecond = keys.some((key) => key.isPasswordless !== true);
  return [...factorIf(hasTotp, 'totp'), ...factorIf(isSecond, 'webauthn')];
}
