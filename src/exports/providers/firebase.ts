/** Firebase Authentication: `firebase auth:export`, JSON or CSV, and users from the Admin SDK. */

import type { SecondFactor } from '../../imports/model.ts';
import { type Values } from '../fields/declare.ts';
import { integerIn, textIn } from '../fields/parts.ts';
import { convertAddressed } from './parts/addresses.ts';
import { isUserRecord, userFields } from './firebase-records.ts';
import type { factorFields, identityFields, multiFactorFields } from './firebase-records.ts';
import { factorIf } from './parts/sign-in-state.ts';
import { countryOption, personOptions, rejected, badHash } from './parts/person.ts';
import type { Person, SocialIdentity, FoundPassword } from './parts/person.ts';
import { convertValues, ExportFault, table } from './provider.ts';
import type {
  Conversion,
  ConvertOptions,
  Provider,
  Related,
  Sample,
  SourceRow,
  ProviderOption,
} from './provider.ts';
import { lenientBase64Bytes } from '../../hashes/parts/encodings.ts';
import { scryptVariantPrefix } from '../../hashes/kinds/firebase-scrypt.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { plainBcrypt } from './parts/way-back.ts';

/** The project's hash parameters. */
const scryptOptions: readonly ProviderOption[] = [
  {
    name: 'firebase-signer-key',
    about: 'base64_signer_key: only checked, the core takes it from its configuration',
    isSecret: true,
  },
  { name: 'firebase-salt-separator', about: 'base64_salt_separator (default Bw==)' },
  { name: 'firebase-rounds', about: 'rounds, 1 to 8 (default 8)' },
  { name: 'firebase-mem-cost', about: 'mem_cost, 1 to 14 (default 14)' },
];

/** Providers in the order of their four columns each; the last six were added later. */
const early = ['google.com', 'facebook.com', 'twitter.com', 'github.com'] as const;
const late = [
  'apple.com',
  'microsoft.com',
  'gc.apple.com',
  'playgames.google.com',
  'linkedin.com',
  'yahoo.com',
] as const;

const fieldsOf = (provider: string) =>
  ['rawId', 'email', 'displayName', 'photoUrl'].map((field) => `${provider} ${field}`);

/**
 * The columns of `firebase auth:export --format=csv`, which has no header row: 52 and the empty one after the comma that ends
 * each row.
 */
export const firebaseColumns: readonly string[] = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
  ...early.flatMap(fieldsOf),
  'createdAt',
  'lastSignedInAt',
  'phoneNumber',
  'disabled',
  'customAttributes',
  ...late.flatMap(fieldsOf),
  'end',
];

/** Columns that do not belong to a provider. */
const ownColumns = firebaseColumns.filter((name) => !name.includes(' '));

/**
 * Cells of a row in versions of the command: up to the phone number (before 7.8 of 2019), with `disabled` and claims, and with
 * the late providers; each without and with the last comma.
 */
const cellCounts: readonly number[] = [26, 27, 28, 29, 52, 53];

export const firebase: Provider = {
  name: 'firebase',
  title: 'Firebase Authentication (firebase auth:export)',
  about:
    'The hash parameters are on the users page of the Firebase console; the signer key belongs into the configuration of the core (provider_password_hashing_signer_key), which never shows it, so that what is given here is checked for its form only. Hashes that Firebase itself did not make, identities at Apple, Microsoft, SAML and OpenID Connect, and second factors (mfaInfo) are left out by the export; users of listUsers (Admin SDK) or accounts:batchGet have them and are read, too. Prefer JSON: in CSV a comma in an email or a photo URL shifts columns.',
  wayBack: {
    reads: 'bcrypt (--hash-algo=BCRYPT); its import replaces users that it still has',
    settings: plainBcrypt,
  },
  tables: [
    table('users', userFields, {
      places: [
        { format: 'json', path: ['users'] },
        { format: 'json', path: [] },
        { format: 'ndjson' },
        { format: 'csv', columns: firebaseColumns, widths: cellCounts },
      ],
      columnsOf: fromCells,
    }),
  ],
  options: [...scryptOptions, ...personOptions, countryOption],
  recognises,
  hint,
  prepare: prepareFirebase,
  convert: convertValues(userFields, convert),
};

function recognises({ format, columns, first }: Sample): number {
  if (format === 'csv') return isFirebaseCsv(columns) ? 10 : 0;
  if (isUserRecord(first)) return 10;
  return textIn(first.localId) === undefined ? 0 : 10;
}

type User = Values<typeof userFields>;

function convert(user: User, _related: Related, options: ConvertOptions): Conversion {
  const { id, email, phone, claims, attributes, identities = [], factors = [] } = user;
  if (user.isShifted === true)
    return unreadable(
      id,
      '',
      'the row has a number of cells that the export never writes: a comma in a value',
    );
  const person: Person = {
    id,
    email,
    phone,
    isEmailVerified: user.isEmailVerified === true,
    password: variantHash(user, options),
    social: identities.flatMap(socialOf),
    timeJoined: user.timeJoined ?? user.metadata?.timeJoined,
    metadata: { name: user.name, picture: user.picture, customClaims: attributes ?? claims },
    secondFactors: [...factors, ...(user.multiFactor?.factors ?? [])].flatMap(factorsOf),
    isDisabled: user.isDisabled,
  };
  if (isAnonymous(person)) return anonymous(id);
  const conversion = convertAddressed(person, 'email', options);
  return conversion.ok && hasNoWayIn(person, identities)
    ? { ...conversion, note: droppedIdentities }
    : conversion;
}

/** Answers of accounts:batchGet list the password, and links by email, as a provider: these do not count. */
function hasNoWayIn({ password, phone }: Person, identities: readonly unknown[]): boolean {
  return password === undefined && phone === undefined && identities.length === 0;
}

const droppedIdentities =
  'with neither a password nor a provider: the command firebase auth:export leaves out identities at Apple, Microsoft and OpenID Connect. To bring them, get the users by accounts:batchGet or listUsers of the Admin SDK, and import that file';

/** Only the core knows the signer key; parameters that differ from these make every password wrong. */
function hint(options: ConvertOptions, { hasSignerKey } = { hasSignerKey: false }): string | undefined {
  const isSaid = scryptOptions.some(({ name, isSecret }) => isSecret !== true && options[name] !== undefined);
  const hints = [
    ...(isSaid ? [] : [takenParameters]),
    ...(options['firebase-signer-key'] === undefined || hasSignerKey ? [] : [onlyChecked]),
    hasSignerKey ? 'Signer key: set' : keyNeeded,
  ];
  return hints.join('. ');
}

const takenParameters =
  'Taking Bw==, 8 and 14 for salt separator, rounds and memory cost: compare them with the password hash parameters of your project, and if one differs, give --firebase-salt-separator, --firebase-rounds or --firebase-mem-cost';
const onlyChecked = '--firebase-signer-key is not sent: only its form is checked';

/** As the documentation of auth:export describes the console. Not config.yaml: in a clone of the repository git tracks it. */
const keyNeeded =
  'The core needs base64_signer_key as its setting provider_password_hashing_signer_key: in the Firebase console open Authentication > Users, the menu (three dots) above the list of users, Password hash parameters. Set it in the environment of the core, in upper case, or for the app while it runs (docs/from/firebase.md has the request)';

type Factor = Partial<Values<typeof factorFields>> & Partial<FactorOfSdk>;
type FactorOfSdk = NonNullable<Values<typeof multiFactorFields>['factors']>[number];

/** In answers of accounts:batchGet and of the Admin SDK; `firebase auth:export` leaves them out. None has a secret. */
function factorsOf({ phoneInfo, totpInfo, kind }: Factor): readonly SecondFactor[] {
  const isSms = phoneInfo !== undefined || kind === 'sms';
  const isTotp = totpInfo !== undefined || kind === 'totp';
  return [...factorIf(isSms, 'sms'), ...factorIf(isTotp, 'totp'), ...factorIf(!isSms && !isTotp, 'other')];
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

/** Without the entries for the password and the phone number, which other tools list too. */
function socialOf({ provider, userId, email }: Values<typeof identityFields>): readonly SocialIdentity[] {
  if (provider === undefined || userId === undefined || provider === 'password' || provider === 'phone')
    return [];
  return [{ provider, userId, email }];
}

const signerKeyBytes = 64;
/** The defaults of Firebase projects, except for very old ones, and the maxima of its import. */
const defaults = { separator: 'Bw==', rounds: 8, memoryCost: 14 } as const;

/** Checks the parameters and fills in the defaults; the key is not passed on. @throws ExportFault */
function prepareFirebase({ 'firebase-signer-key': key, ...options }: ConvertOptions): ConvertOptions {
  if (key !== undefined && lenientBase64Bytes(key.trim()) !== signerKeyBytes)
    throw new ExportFault(
      `--firebase-signer-key is not base64 of ${signerKeyBytes} bytes: copy base64_signer_key in full`,
    );
  const separator = options['firebase-salt-separator']?.trim() ?? defaults.separator;
  if (lenientBase64Bytes(separator) === undefined)
    throw new ExportFault('--firebase-salt-separator is not base64');
  return {
    ...options,
    'firebase-salt-separator': separator,
    'firebase-rounds': parameter(options, 'firebase-rounds', defaults.rounds),
    'firebase-mem-cost': parameter(options, 'firebase-mem-cost', defaults.memoryCost),
  };
}

function parameter(options: ConvertOptions, name: string, most: number): string {
  const value = options[name] === undefined ? most : integerIn(options[name]);
  if (value === undefined || value < 1 || value > most)
    throw new ExportFault(`--${name} must be a whole number from 1 to ${most}`);
  return String(value);
}

/**
 * `$f_scrypt$hash$salt$m=…$r=…$s=…` of a user.
 * @throws ExportFault when the export contains REDACTED: every user would be locked out
 */
function variantHash({ password: hash, salt }: User, options: ConvertOptions): FoundPassword | undefined {
  if (hash === undefined) return undefined;
  if (isRedacted(hash)) throw new ExportFault(redacted);
  const text = salt === undefined ? Buffer.from(hash, 'base64').toString('latin1') : '';
  // A file made for auth:import --hash-algo=BCRYPT: base64 of the whole string.
  if (text.startsWith('$2')) return hashPassword('passwordHash', text);
  if (salt === undefined) return badHash('salt', 'the user has a hash and no salt');
  const [memoryCost, rounds] = [options['firebase-mem-cost'] ?? '', options['firebase-rounds'] ?? ''];
  const separator = options['firebase-salt-separator'] ?? '';
  const variant = `${scryptVariantPrefix}${hash}$${salt}$m=${memoryCost}$r=${rounds}$s=${separator}`;
  return hashPassword('passwordHash', variant, 'provider_scrypt');
}

const redacted =
  'the export has REDACTED in place of password hashes: the account that exported may not read them ' +
  '(permission firebaseauth.configs.getHashConfig); export again as an owner of the project';

/** By the decoded beginning: its padding varies. Buffer reads both alphabets. */
function isRedacted(hash: string): boolean {
  return Buffer.from(hash.slice(0, 16), 'base64').toString('latin1').startsWith('REDACTED');
}

/** Whether the first row of a file is one of its users: there is no header by which to recognise it. */
function isFirebaseCsv(cells: readonly string[]): boolean {
  return cellCounts.includes(cells.length) && (cells[2] === 'true' || cells[2] === 'false');
}

/** The row in the form of the JSON export; a JSON row unchanged. `isShifted` when cells are not in their columns. */
function fromCells(row: SourceRow): SourceRow {
  if (!('google.com rawId' in row)) return row;
  const isShifted = !cellCounts.includes(Object.keys(row).length) || (row.end ?? '') !== '';
  const providerUserInfo = [...early, ...late].flatMap((providerId) => {
    const rawId = textIn(row[`${providerId} rawId`]);
    if (rawId === undefined) return [];
    const [email, displayName, photoUrl] = ['email', 'displayName', 'photoUrl'].map(
      (field) => row[`${providerId} ${field}`],
    );
    return [{ providerId, rawId, email, displayName, photoUrl }];
  });
  const own = ownColumns.map((name) => [name, row[name]] as const).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(own), providerUserInfo, ...(isShifted && { isShifted }) };
}
