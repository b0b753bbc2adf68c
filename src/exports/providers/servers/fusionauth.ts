/** FusionAuth: users as its import takes them. */

import { plainCodes } from '../parts/backup-codes.ts';
import type { SecondFactor } from '../../../imports/model.ts';
import { digestString, hmacString, pbkdf2String } from '../../../hashes/fields.ts';
import { cryptAlphabet } from '../../../hashes/parts/crypt-alphabet.ts';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import { flagOf, integerOf, objectOf, objectsOf, phoneOf, textOf, timeOf } from '../parts/fields.ts';
import { bcryptString, builtPassword, hashPassword } from '../parts/hash-strings.ts';
import { badHash, personOptions, unsupportedHash, type FoundPassword, type Person } from '../parts/person.ts';
import { disabledIf, disabledUnless, factorIf, factorNamed } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { importedBy, plainBcrypt } from '../parts/way-back.ts';

export const fusionauth: Provider = {
  name: 'fusionauth',
  title: 'FusionAuth (users as in its import)',
  about:
    'The API gives no hashes: take encryptionScheme, factor, salt and password from the database, or from the file that was once imported. Links to identity providers are not in it. Schemes of plugins and phpass-sha512 cannot be verified.',
  wayBack: importedBy('bcrypt in parts, with factor, salt and password', plainBcrypt),
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: ['users'] }, { format: 'json', path: [] }, { format: 'ndjson' }],
      idOf: (row) => textOf(row.id),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises({ root, first }: Sample): number {
  if ('encryptionScheme' in first) return 10;
  if (root !== 'array' && root.includes('validateDbConstraints')) return 9;
  return ['insertInstant', 'registrations', 'tenantId'].filter((name) => name in first).length >= 2 ? 8 : 0;
}

function convert(user: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const identities = objectsOf(user.identities);
  const email = textOf(user.email) ?? ofType(identities, 'email') ?? firstAddress(textOf(user.username));
  const person: Person = {
    id: textOf(user.id),
    email,
    isEmailVerified:
      flagOf(user.verified) === true ||
      identities.some((each) => isProved(each) && textOf(each.value) === email),
    phone: phoneOf(ofType(identities.filter(isProved), 'phoneNumber')),
    password: passwordOf(user),
    timeJoined: timeOf(user.insertInstant),
    metadata: {
      ...Object.fromEntries(metadataFields.map((name) => [name, textOf(user[name])])),
      data: objectOf(user.data),
      registrations: objectsOf(user.registrations),
    },
    backupCodes: plainCodes(objectOf(user.twoFactor)?.recoveryCodes),
    secondFactors: factorsOf(user),
    isDisabled: disabledIf(disabledUnless(flagOf(user.active)), isExpired(user)),
    requiredActions: flagOf(user.passwordChangeRequired) === true ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, 'email', options);
}

/** From `expiry` on the user may not sign in: it ends the account, and no lock. */
function isExpired({ expiry }: SourceRow): boolean | undefined {
  const end = timeOf(expiry);
  return end === undefined ? undefined : end <= Date.now();
}

/** FusionAuth's own names. */
const metadataFields = ['username', 'firstName', 'lastName', 'birthDate', 'mobilePhone', 'imageUrl'] as const;

function ofType(identities: readonly SourceRow[], type: string): string | undefined {
  const own = identities.filter((each) => textOf(each.type) === type);
  return textOf((own.find((each) => flagOf(each.primary) === true) ?? own[0])?.value);
}

function isProved(identity: SourceRow): boolean {
  return flagOf(identity.verified) === true;
}

const factors = { authenticator: 'totp', sms: 'sms', email: 'email' } as const;

/** Methods, or the one of versions before 1.26. Their secrets come in several forms and are not carried over. */
function factorsOf(user: SourceRow): readonly SecondFactor[] {
  const methods = objectsOf(objectOf(user.twoFactor)?.methods);
  const named = methods.map(({ method }) => factorNamed(factors, textOf(method)));
  return [...named, ...factorIf(flagOf(user.twoFactorEnabled) === true && named.length === 0, 'totp')];
}

const field = 'password';

function passwordOf(user: SourceRow): FoundPassword | undefined {
  const value = textOf(user.password);
  const scheme = textOf(user.encryptionScheme);
  if (value === undefined) return undefined;
  // Without a scheme the import takes the password as it is typed.
  if (scheme === undefined) return { plainText: value };
  const [factor, salt] = [integerOf(user.factor), textOf(user.salt)];
  if (scheme === 'bcrypt')
    return hashPassword(field, value.startsWith('$2') ? value : bcryptString(factor, salt, value));
  if (scheme === 'phpass-md5') return phpassPassword(value, salt ?? '', factor);
  return ofBytes(scheme, { factor: factor ?? 1, salt: decoded(salt ?? ''), bytes: decoded(value) });
}

/** Rounds by their number: `$P$` has a character for their logarithm. Its import takes the whole string, too. */
function phpassPassword(value: string, salt: string, factor: number | undefined): FoundPassword | undefined {
  if (value.startsWith('$')) return hashPassword(field, value);
  const rounds = cryptAlphabet[Math.log2(factor ?? phpassFactor)];
  if (rounds === undefined) return badHash('factor', 'phpass needs a factor that is a power of two');
  return hashPassword(field, `$P$${rounds}${salt}${value}`);
}

/** FusionAuth's default for phpass-md5. */
const phpassFactor = 2048;

interface Parts {
  readonly factor: number;
  /** Empty where the hash has none. */
  readonly salt: Buffer | undefined;
  readonly bytes: Buffer | undefined;
}

/** Without 512 in the end the key has 256 bits; its own length says so too. */
const pbkdf2 = /^salted-pbkdf2-hmac-(sha256|sha512)(-512)?$/;

function ofBytes(scheme: string, { factor, salt, bytes }: Parts): FoundPassword | undefined {
  const digest = pbkdf2.exec(scheme)?.[1] === 'sha512' ? 'sha512' : 'sha256';
  const isKnown = pbkdf2.test(scheme) || plain.has(scheme);
  if (!isKnown) return unsupportedHash('encryptionScheme', scheme);
  if (salt === undefined || bytes === undefined) return badHash(field, 'its salt or its hash is not base64');
  if (pbkdf2.test(scheme))
    return builtPassword(field, pbkdf2String({ digest, iterations: factor, salt, key: bytes }), 'FusionAuth');
  return builtPassword(field, plainString(scheme, { factor, salt, bytes }), 'FusionAuth');
}

const plain: ReadonlySet<string> = new Set(['salted-md5', 'salted-sha256', 'salted-hmac-sha256']);

/** The HMAC has the decoded salt for its key, and no use for the factor. */
function plainString(
  scheme: string,
  { factor, salt, bytes }: { readonly factor: number; readonly salt: Buffer; readonly bytes: Buffer },
): string {
  if (scheme === 'salted-hmac-sha256') return hmacString({ digest: 'sha256', hash: bytes, key: salt });
  const digest = scheme === 'salted-md5' ? 'md5' : 'sha256';
  return digestString({ digest, hash: bytes, salt, position: 'suffix', iterations: factor });
}

function decoded(text: string): Buffer | undefined {
  return decodeBase64(text, 'any');
}
