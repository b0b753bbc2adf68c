/** FusionAuth: users as its import accepts them. */

import { carries, guards, hash, identifies, leftOut, type Values, withAbout } from '../fields/declare.ts';
import { countedHere } from '../fields/reasons.ts';
import { parsePhone } from '../fields/texts.ts';
import { unparsable } from '../fields/parsed.ts';
import { plainCodes } from './parts/backup-codes.ts';
import type { SecondFactor } from '../../imports/model.ts';
import { digestString, hmacString, pbkdf2String } from '../../hashes/fields.ts';
import { cryptAlphabet } from '../../hashes/parts/crypt-alphabet.ts';
import { decodeBase64 } from '../../hashes/parts/encodings.ts';
import { convertAddressed, firstAddress } from './parts/addresses.ts';
import { bcryptString, builtPassword, hashPassword } from './parts/hash-strings.ts';
import { badHash, personOptions, unsupportedHash, type FoundPassword, type Person } from './parts/person.ts';
import { disabledIf, disabledUnless, factorIf, factorNamed } from './parts/sign-in-state.ts';
import { fieldsIn } from './parts/marks.ts';
import { convertValues, table } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample } from './provider.ts';
import { importedBy, plainBcrypt } from './parts/way-back.ts';

const ofSystem = 'It is of FusionAuth itself and ends with the move';
const ofFactor = 'The secrets of factors come in several forms and are not imported: factors are counted';

const identityFields = {
  type: carries.text('type'),
  value: carries.text('value'),
  isVerified: carries.flag('verified'),
  isPrimary: carries.flag('primary'),
  displayValue: leftOut('It is `value` again', 'displayValue'),
  reason: leftOut('It follows from `verified`', 'verifiedReason'),
  verifiedInstant: leftOut('It follows from `verified`', 'verifiedInstant'),
  insertInstant: leftOut('It is that of the user', 'insertInstant'),
  lastLoginInstant: leftOut(countedHere, 'lastLoginInstant'),
  lastUpdateInstant: leftOut(ofSystem, 'lastUpdateInstant'),
  moderationStatus: leftOut(ofSystem, 'moderationStatus'),
} as const;

const twoFactorFields = {
  methods: guards.objects(
    {
      method: guards.text('method'),
      authenticator: leftOut(ofFactor, 'authenticator'),
      secret: leftOut(ofFactor, 'secret'),
      email: leftOut(ofFactor, 'email'),
      mobilePhone: leftOut(ofFactor, 'mobilePhone'),
      id: leftOut(ofFactor, 'id'),
      lastUsed: leftOut(ofFactor, 'lastUsed'),
    },
    'methods',
  ),
  recoveryCodes: carries.list('recoveryCodes'),
} as const;

const userFields = {
  id: identifies.id('id'),
  email: identifies.text('email'),
  username: identifies.text('username'),
  isVerified: carries.flag('verified'),
  identities: identifies.objects(identityFields, 'identities'),
  password: hash.untrimmed('password'),
  scheme: withAbout('Without one the password is in clear', hash.text('encryptionScheme')),
  factor: hash.number('factor'),
  salt: hash.salt('salt'),
  timeJoined: carries.time('insertInstant'),
  firstName: carries.text('firstName'),
  middleName: carries.text('middleName'),
  lastName: carries.text('lastName'),
  fullName: carries.text('fullName'),
  birthDate: carries.text('birthDate'),
  mobilePhone: carries.text('mobilePhone'),
  imageUrl: carries.text('imageUrl'),
  timezone: carries.text('timezone'),
  preferredLanguages: carries.list('preferredLanguages'),
  data: carries.object('data'),
  registrations: carries.list('registrations'),
  memberships: carries.list('memberships'),
  isActive: guards.flag('active'),
  expiry: withAbout('From then on the user may not sign in', guards.time('expiry')),
  isPasswordChangeRequired: guards.flag('passwordChangeRequired'),
  twoFactor: guards.record(twoFactorFields, 'twoFactor'),
  isTwoFactorEnabled: guards.flag('twoFactorEnabled'),
  twoFactorDelivery: leftOut(ofFactor, 'twoFactorDelivery'),
  twoFactorSecret: leftOut(ofFactor, 'twoFactorSecret'),
  passwordChangeReason: leftOut('It follows from `passwordChangeRequired`', 'passwordChangeReason'),
  passwordLastUpdateInstant: leftOut(ofSystem, 'passwordLastUpdateInstant'),
  breachedPasswordStatus: leftOut(ofSystem, 'breachedPasswordStatus'),
  breachedPasswordInstant: leftOut(ofSystem, 'breachedPasswordLastCheckedInstant'),
  tenantId: leftOut('--tenant says where users go', 'tenantId'),
  connectorId: leftOut(ofSystem, 'connectorId'),
  cleanSpeakId: leftOut(ofSystem, 'cleanSpeakId'),
  parentEmail: leftOut(ofSystem, 'parentEmail'),
  uniqueUsername: leftOut('It follows from `username`', 'uniqueUsername'),
  usernameStatus: leftOut(ofSystem, 'usernameStatus'),
  verifiedInstant: leftOut('It follows from `verified`', 'verifiedInstant'),
  lastLoginInstant: leftOut(countedHere, 'lastLoginInstant'),
  lastUpdateInstant: leftOut(ofSystem, 'lastUpdateInstant'),
} as const;

type User = Values<typeof userFields>;
type Identity = Values<typeof identityFields>;

export const fusionauth: Provider = {
  name: 'fusionauth',
  title: 'FusionAuth (users as in its import)',
  about:
    'The API gives no hashes: take encryptionScheme, factor, salt and password from the database, or from the file that was once imported. Links to identity providers are not in it. Schemes of plugins and phpass-sha512 cannot be verified.',
  wayBack: importedBy('bcrypt in parts, with factor, salt and password', plainBcrypt),
  tables: [
    table('users', userFields, {
      places: [{ format: 'json', path: ['users'] }, { format: 'json', path: [] }, { format: 'ndjson' }],
    }),
  ],
  options: personOptions,
  recognises,
  convert: convertValues(userFields, convert),
};

function recognises(sample: Sample): number {
  const { root } = sample;
  const has = fieldsIn(sample, userFields);
  if (has('scheme')) return 10;
  if (root !== 'array' && root.includes('validateDbConstraints')) return 9;
  const marks = (['timeJoined', 'registrations', 'tenantId'] as const).filter((name) => has(name));
  return marks.length >= 2 ? 8 : 0;
}

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { id, username, timeJoined, identities = [], isActive } = user;
  const email = user.email ?? ofType(identities, 'email') ?? firstAddress(username);
  const person: Person = {
    id,
    email,
    timeJoined,
    isEmailVerified:
      user.isVerified === true ||
      identities.some(({ isVerified, value }) => isVerified === true && value === email),
    phone: provedPhone(identities),
    password: passwordOf(user),
    metadata: {
      ...Object.fromEntries(metadataFields.map((name) => [name, user[name]])),
      data: user.data,
      registrations: user.registrations,
      memberships: user.memberships,
    },
    backupCodes: plainCodes(user.twoFactor?.recoveryCodes),
    secondFactors: factorsOf(user),
    isDisabled: disabledIf(disabledUnless(isActive), isExpired(user)),
    requiredActions: user.isPasswordChangeRequired === true ? ['UPDATE_PASSWORD'] : [],
  };
  return convertAddressed(person, 'email', options);
}

/** From `expiry` on the user may not sign in: it ends the account, and is not a lock. */
function isExpired({ expiry }: User): boolean | undefined {
  return expiry === undefined ? undefined : expiry <= Date.now();
}

/** FusionAuth's own names. */
const metadataFields = [
  ...(['username', 'firstName', 'middleName', 'lastName', 'fullName', 'birthDate', 'mobilePhone'] as const),
  ...(['imageUrl', 'timezone', 'preferredLanguages'] as const),
] as const;

function ofType(identities: readonly Identity[], type: string): string | undefined {
  const own = identities.filter((each) => each.type === type);
  return (own.find(({ isPrimary }) => isPrimary === true) ?? own[0])?.value;
}

function provedPhone(identities: readonly Identity[]): string | undefined {
  const proved = identities.filter(({ isVerified }) => isVerified === true);
  const phone = parsePhone(ofType(proved, 'phoneNumber'));
  return phone === unparsable ? undefined : phone;
}

const factors = { authenticator: 'totp', sms: 'sms', email: 'email' } as const;

/** Methods, or the one of versions before 1.26. Their secrets have several forms and are not imported. */
function factorsOf({ twoFactor, isTwoFactorEnabled }: User): readonly SecondFactor[] {
  const named = (twoFactor?.methods ?? []).map(({ method }) => factorNamed(factors, method));
  return [...named, ...factorIf(isTwoFactorEnabled === true && named.length === 0, 'totp')];
}

const field = 'password';

function passwordOf({ password, scheme, factor, salt }: User): FoundPassword | undefined {
  if (password === undefined) return undefined;
  // Without a scheme the import takes the password as it is typed.
  if (scheme === undefined) return { plainText: password };
  const value = password.trim();
  if (scheme === 'bcrypt')
    return hashPassword(field, value.startsWith('$2') ? value : bcryptString(factor, salt, value));
  if (scheme === 'phpass-md5') return phpassPassword(value, salt ?? '', factor);
  return ofBytes(scheme, { factor: factor ?? 1, salt: decoded(salt ?? ''), bytes: decoded(value) });
}

/** The number of rounds: `$P$` has a character for its logarithm. The import accepts the whole string, too. */
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
  /** Empty if the hash has none. */
  readonly salt: Buffer | undefined;
  readonly bytes: Buffer | undefined;
}

/** Without 512 at the end the key has 256 bits; its length shows it too. */
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

/** The key of the HMAC is the decoded salt, and the factor is not used. */
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
