/** From a provider's data of one person to the native record: the rules that all providers share. */

import type { SecondFactor } from '../../../imports/model.ts';
import type {
  NativeLoginMethod,
  NativeBackupCode,
  NativeTotpDevice,
  NativeUser,
} from '../../../imports/record/native-record.ts';
import { sourceOfKind } from '../../../domain/legacy-mark.ts';
import { isSourceName } from '../../../config/legacy/read-sources.ts';
import type { Disabled } from '../../fields/disabled.ts';
import { type CountryCode, countryNamed } from '../../fields/national-phones.ts';
import { isEmail, madeUpDomain } from '../../../domain/email.ts';
import { metadataOf } from './fields.ts';
import { ExportFault } from '../provider.ts';
import type { Conversion, ConversionReject, ConvertOptions, ProviderOption } from '../provider.ts';
import { thirdPartyIdOf } from './third-party-ids.ts';

/** A password as a hash string, or why it cannot be one. Without one it is undefined, never an empty hash. */
export type FoundPassword =
  | {
      readonly hash: string;
      readonly algorithm?: string | undefined;
      /** The source's transforms of the password before hashing: see hashes/transforms. */
      readonly transforms?: string | undefined;
    }
  | { readonly plainText: string }
  | {
      readonly reject: ConversionReject;
      /** The source has the password, but the file has no hash of it. */
      readonly isElsewhere?: true;
      /** The password if its hash is of a kind that the export does not show. */
      readonly as?: (how: string, salt?: string) => FoundPassword | undefined;
    };

export interface SocialIdentity {
  /** The provider as the source names it. */
  readonly provider: string;
  readonly userId: string;
  /** If it is missing, the person's. */
  readonly email?: string | undefined;
  /** For its own email. If that is the person's, the person's flag applies too. */
  readonly isVerified?: boolean | undefined;
  readonly timeJoined?: number | undefined;
}

export interface Person {
  /** The provider's user id. */
  readonly id: string | undefined;
  /** The primary one. */
  readonly email?: string | undefined;
  readonly isEmailVerified?: boolean | undefined;
  /** In E.164, and verified. */
  readonly phone?: string | undefined;
  /** The source has an unverified number: a reject for lack of any address mentions it. */
  readonly hasUnverifiedPhone?: boolean;
  readonly password?: FoundPassword | undefined;
  readonly social?: readonly SocialIdentity[];
  /** ms since the epoch */
  readonly timeJoined?: number | undefined;
  /** Absent and empty values are left out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly roles?: readonly string[];
  readonly totpDevices?: readonly NativeTotpDevice[];
  readonly backupCodes?: readonly NativeBackupCode[];
  /** Second factors at the source; `totp` if its devices cannot be imported. */
  readonly secondFactors?: readonly SecondFactor[];
  /**
   * Whether the person may not sign in at the source: disabled, blocked, banned or suspended; a number: until then, ms since the
   * epoch. Undefined: unknown.
   */
  readonly isDisabled?: Disabled;
  /** Actions that the source requires before a sign-in, in Keycloak's words: `UPDATE_PASSWORD`. */
  readonly requiredActions?: readonly string[];
  /** How the source marks the person as deleted, although the row exists: refused unless `--include-deleted`. */
  readonly deleted?: string | undefined;
}

export const withoutPasswordOption: ProviderOption = {
  name: 'without-password',
  about:
    'users with an email and nothing to sign in with: passwordless (default: sign-in by email), legacy:<source> (the old system checks their password) or reject',
};

/** The options that convertPerson reads: every provider that uses it lists them. */
export const personOptions: readonly ProviderOption[] = [
  withoutPasswordOption,
  {
    name: 'include-disabled',
    about: 'no longer needed: disabled users are imported as disabled',
    isSwitch: true,
  },
];

/** For formats whose files have phone numbers as the users typed them. */
export const countryOption: ProviderOption = {
  name: 'country',
  about:
    'the country of phone numbers that do not name theirs, by its ISO 3166 code, such as DE; left out: these users are imported without the number, or not at all if it is all that identifies them',
};

/** The value of `--country`; undefined if it is not given. */
export function countryIn({ country }: ConvertOptions): CountryCode | undefined {
  return country === undefined ? undefined : countryNamed(country);
}

/** For sources that mark deleted users and keep the row. */
export const deletedOption: ProviderOption = {
  name: 'include-deleted',
  about: 'import users that the source marks as deleted, as disabled ones',
  isSwitch: true,
};

const withoutPassword: readonly string[] = ['passwordless', 'legacy:<source>', 'reject'];

/** The conversion's name for the salt of the present record: the column in `--map passwordSalt=column`. */
export const saltOption = 'salt of this record';

/** The source that `legacy:<source>` names. */
function sourceIn(how: string | undefined): string | undefined {
  const source = how === undefined ? undefined : sourceOfKind(how);
  return source !== undefined && isSourceName(source) ? source : undefined;
}

/** Checks the options that convertPerson reads, once for a run. @throws ExportFault */
export function preparePerson(options: ConvertOptions): void {
  const how = options['without-password'];
  if (how !== undefined && how !== 'passwordless' && how !== 'reject' && sourceIn(how) === undefined)
    throw new ExportFault(`--without-password must be one of ${withoutPassword.join(', ')}`);
  if (options.country !== undefined && countryIn(options) === undefined)
    throw new ExportFault('--country takes the two letters of a country by ISO 3166, such as DE, GB or US');
  if (isOn(options['include-disabled']))
    throw new ExportFault(
      'users that are disabled at the source are imported as disabled: leave --include-disabled out, and lift it for single users (PUT /user/restrictions)',
    );
}

/**
 * One linked user: the password or email method is primary, or else the first. A person with social identities gets no method for
 * a missing password; a person with nothing else is imported by email as `--without-password` states.
 */
export function convertPerson(given: Person, options: ConvertOptions): Conversion {
  const person = { ...given, password: withKind(given.password, options) };
  const { id, password, deleted } = person;
  if (deleted !== undefined && !isOn(options['include-deleted']))
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: '',
      message: `the user is deleted (${deleted}); --include-deleted imports such users as disabled ones`,
      externalUserId: id,
      isGone: true,
    });
  if (password !== undefined && 'reject' in password) {
    if (password.isElsewhere && sourceIn(options['without-password'] ?? '') !== undefined)
      return addressed({ ...person, password: undefined }, options);
    const conversion = withLostPassword(person, { ...password.reject, externalUserId: id }, options);
    return conversion.ok && password.isElsewhere ? { ...conversion, isHashElsewhere: true } : conversion;
  }
  if (password !== undefined && person.email === undefined)
    return withLostPassword(person, { ...noEmail, externalUserId: id }, options);
  return addressed(person, options);
}

const noEmail = {
  code: 'MISSING_FIELD',
  field: 'email',
  message: 'the user has a password and no email to sign in with',
} as const;

/** As for a user without a password, but with the reason; if there is no other way to sign in, the user is rejected with it. */
function withLostPassword(person: Person, lost: ConversionReject, options: ConvertOptions): Conversion {
  const conversion = addressed({ ...person, password: undefined }, options);
  return conversion.ok ? { ...conversion, lostPassword: lost } : rejected(lost);
}

/** With an email for each identity. */
function addressed(person: Person, options: ConvertOptions): Conversion {
  const { id, email, social: stated = [] } = person;
  const social = stated.map((each) => withMadeUpEmail(each, email));
  const withoutEmail = social.find((each) => (each.email ?? email) === undefined);
  if (withoutEmail !== undefined) return withoutAnyEmail(withoutEmail, id);
  const conversion = linked({ ...person, social }, options);
  const isMadeUp = social.some((each, place) => each !== stated[place]);
  return conversion.ok && isMadeUp ? { ...conversion, note: madeUpEmails } : conversion;
}

const madeUpEmails = `whose provider gives no email: they get the address that SDKs make up for them (<id>.<provider>@${madeUpDomain}). No mail reaches it`;

/** SDKs do the same at a sign-in with a provider that returns no email, and treat it as verified. */
function withMadeUpEmail(identity: SocialIdentity, email: string | undefined): SocialIdentity {
  if ((identity.email ?? email) !== undefined) return identity;
  const address = `${identity.userId}.${thirdPartyIdOf(identity.provider)}@${madeUpDomain}`;
  return isEmail(address) ? { ...identity, email: address, isVerified: true } : identity;
}

function withKind(
  password: FoundPassword | undefined,
  { 'hash-as': how, [saltOption]: salt }: ConvertOptions,
): FoundPassword | undefined {
  if (how === undefined || password === undefined || !('reject' in password)) return password;
  return password.as === undefined ? password : password.as(how, salt);
}

function withoutAnyEmail({ provider }: SocialIdentity, id: string | undefined): Conversion {
  return rejected({
    code: 'MISSING_FIELD',
    field: 'email',
    message: `the identity at ${thirdPartyIdOf(provider).slice(0, 64)} has no email, and neither has the user`,
    externalUserId: id,
  });
}

function linked(person: Person, options: ConvertOptions): Conversion {
  const own = [...passwordMethods(person), ...socialMethods(person)];
  // A phone number does not replace the email.
  const byEmail = own.length > 0 ? own : bareMethods(person, options);
  const methods = [...byEmail, ...phoneMethods(person)];
  const { id } = person;
  if (methods.length === 0)
    return rejected({
      code: 'NOT_IMPORTABLE',
      field: '',
      message: 'the user has nothing to sign in with',
      externalUserId: id,
    });
  const isLinked = methods.length > 1;
  const loginMethods = methods.map((method, place) => ({
    ...method,
    ...(isLinked && { isPrimary: place === 0 }),
  }));
  const metadata = metadataOf(person.metadata ?? {});
  const user: NativeUser = {
    ...(id !== undefined && { externalUserId: id }),
    ...(metadata !== undefined && { userMetadata: metadata }),
    ...(person.roles?.length && { userRoles: person.roles.map((role) => ({ role })) }),
    ...protectionOf(person),
    loginMethods,
  };
  return { ok: true, user };
}

/** The limit of a record; sources make 8 to 16. */
const mostCodes = 64;

/** Restrictions and second factors at the source. */
function protectionOf(person: Person): Omit<NativeUser, 'loginMethods'> {
  const { totpDevices, backupCodes, secondFactors, requiredActions, deleted } = person;
  const disabled = deleted === undefined ? person.isDisabled : true;
  return {
    ...(totpDevices?.length && { totpDevices }),
    ...(backupCodes?.length && { backupCodes: backupCodes.slice(0, mostCodes) }),
    ...(secondFactors?.length && { secondFactors: [...new Set(secondFactors)] }),
    ...(requiredActions?.length && { requiredActions }),
    ...(disabled !== undefined && { isDisabled: disabled !== false }),
    ...(typeof disabled === 'number' && { disabledUntil: disabled }),
  };
}

function passwordMethods({ email, password, isEmailVerified, timeJoined }: Person): NativeLoginMethod[] {
  if (password === undefined || email === undefined || 'reject' in password) return [];
  return [
    {
      recipeId: 'emailpassword',
      email,
      ...('plainText' in password
        ? { plainTextPassword: password.plainText }
        : {
            passwordHash: password.hash,
            ...(password.algorithm !== undefined && { hashingAlgorithm: password.algorithm }),
            ...(password.transforms !== undefined && { passwordTransforms: password.transforms }),
          }),
      isVerified: isEmailVerified === true,
      ...joined(timeJoined),
    },
  ];
}

function socialMethods(person: Person): NativeLoginMethod[] {
  return (person.social ?? []).flatMap(({ provider, userId, email, isVerified, timeJoined }) => {
    const used = email ?? person.email;
    if (used === undefined) return [];
    const isOwn = used.toLowerCase() === person.email?.toLowerCase();
    return [
      {
        recipeId: 'thirdparty' as const,
        email: used,
        thirdPartyId: thirdPartyIdOf(provider),
        thirdPartyUserId: userId,
        isVerified: isVerified === true || (isOwn && person.isEmailVerified === true),
        ...joined(timeJoined ?? person.timeJoined),
      },
    ];
  });
}

function phoneMethods({ phone, timeJoined }: Person): NativeLoginMethod[] {
  return phone === undefined
    ? []
    : [{ recipeId: 'passwordless', phoneNumber: phone, isVerified: true, ...joined(timeJoined) }];
}

/** For a user with an email and nothing else. */
function bareMethods(person: Person, options: ConvertOptions): NativeLoginMethod[] {
  const { email, isEmailVerified, timeJoined } = person;
  const how = options['without-password'] ?? 'passwordless';
  if (email === undefined || how === 'reject') return [];
  const common = { email, isVerified: isEmailVerified === true, ...joined(timeJoined) };
  const legacy = sourceIn(how);
  if (legacy !== undefined) return [{ recipeId: 'emailpassword', legacy, ...common }];
  return [{ recipeId: 'passwordless', ...common }];
}

function joined(timeJoined: number | undefined): { readonly timeJoinedInMSSinceEpoch?: number } {
  return timeJoined === undefined ? {} : { timeJoinedInMSSinceEpoch: timeJoined };
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== 'false';
}

/** The conversion of a reject. The message names no secret and no value of the record except known names. */
export function rejected(reason: ConversionReject): Conversion {
  return { ok: false, reason };
}

/** Shorthand: a password that cannot be imported, by its field and its fault. */
export function badHash(field: string, message: string): FoundPassword {
  return { reject: { code: 'INVALID_PASSWORD_HASH', field, message } };
}

/** Shorthand: a password of a kind that is not verified here, by the source's name for it. */
export function unsupportedHash(field: string, name: string): FoundPassword {
  const shown = /^[\w{}.:#@-]{1,64}$/.test(name) ? name : 'an unknown name';
  return {
    reject: {
      code: 'UNSUPPORTED_HASHING_ALGORITHM',
      field,
      message: `hashes of the kind ${shown} cannot be verified`,
    },
  };
}
