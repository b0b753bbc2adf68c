/** A user of a core on the way back to the old system. */
import { createHash } from 'node:crypto';
import { madeUpDomain } from '../../domain/email.ts';
import { asStated } from '../../hashes/transforms/transforms.ts';

/** As `GET /move/changes` answers it. */
export interface BackRecord {
  readonly externalUserId?: string;
  readonly userMetadata?: Readonly<Record<string, unknown>>;
  readonly userRoles?: readonly object[];
  readonly totpDevices?: readonly object[];
  readonly isDisabled?: boolean;
  readonly loginMethods: readonly BackMethod[];
}

export interface BackMethod {
  readonly recipeId: string;
  readonly tenantIds?: readonly string[];
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly thirdPartyId?: string;
  readonly thirdPartyUserId?: string;
  readonly passwordHash?: string;
  readonly hashingAlgorithm?: string;
  /** What is done to the password before it is hashed: no other system does that. */
  readonly passwordTransforms?: string;
  /** The old system that knows the password. */
  readonly legacy?: string;
  readonly isVerified?: boolean;
  readonly isPrimary?: boolean;
  readonly timeJoinedInMSSinceEpoch?: number;
}

/** A login method before a change here. */
export interface BackFormer {
  readonly id: string;
  /** The user did not have it: it was linked. Nothing but its ids is known then. */
  readonly isNew?: boolean;
  readonly externalId: string | null;
  readonly email: string | null;
  readonly isVerified: boolean;
  /** The first 16 bytes of SHA-256 of its hash, in hexadecimal digits. */
  readonly passwordMark: string | null;
}

export interface BackChange {
  /** Of the core. */
  readonly id: string;
  readonly was: readonly BackFormer[];
  /** The id there, if the user was brought there before. */
  readonly oldId: string | null;
  /** As the user is now; null: removed, or linked to another user, who has changed, too. */
  readonly record: BackRecord | null;
  /** Of its login methods, in their order. */
  readonly methods: readonly { readonly id: string; readonly externalId?: string }[];
  /** Whether a login method was removed. */
  readonly isRemoval: boolean;
}

export type ChangedField = 'email' | 'isVerified' | 'password' | 'other';

/** One account, as most systems have it: with one email, one password and one phone number. */
export interface BackPerson {
  /** There; of a new user the one that it gets. */
  readonly id: string;
  readonly isThere: boolean;
  /** The login method that stands for the account: the one with the password, or else the first with an email. */
  readonly method: BackMethod | undefined;
  readonly email: string | undefined;
  readonly isVerified: boolean;
  readonly phone: string | undefined;
  /** Whether the user has a password; `elsewhere`: the old system alone knows it. */
  readonly password: 'none' | 'here' | 'elsewhere';
  /** Undefined also for one that no other system could verify. */
  readonly hash: string | undefined;
  /** As the core stores it: with what is done to the password before it. */
  readonly storedHash: string | undefined;
  readonly social: readonly { readonly provider: string; readonly userId: string; readonly email?: string }[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly isDisabled: boolean;
  /** ms since the epoch */
  readonly timeJoined: number | undefined;
  readonly record: BackRecord;
}

/** The id that a user has there. @returns undefined for a user who is not there, as far as it is known */
export function idThere({ record, was, oldId }: BackChange, idPrefix: string): string | undefined {
  const given = record?.externalUserId ?? was.findLast((each) => each.externalId !== null)?.externalId;
  return oldId ?? (given?.startsWith(idPrefix) === true ? given.slice(idPrefix.length) : undefined);
}

/**
 * The id that a new user gets there, the same in each file. Not the core's own: no external id can be one, so the user's record in a later
 * export of the old system would be rejected here.
 */
export function newIdOf(coreId: string): string {
  const digits = createHash('sha256').update(`carryover back ${coreId}`).digest('hex');
  // UUID version 8 (RFC 9562, section 5.8): some systems take UUIDs alone.
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

export function personOf(change: BackChange, record: BackRecord, idPrefix: string): BackPerson {
  const { loginMethods: methods, userMetadata = {}, isDisabled = false } = record;
  const there = idThere(change, idPrefix);
  const withPassword = methods.find(({ recipeId }) => recipeId === 'emailpassword');
  const addressed = withPassword ?? methods.find(({ email }) => isReal(email));
  const { email } = addressed ?? {};
  const joined = methods.flatMap(({ timeJoinedInMSSinceEpoch: at = [] }) => at);
  return {
    id: there ?? newIdOf(change.id),
    isThere: there !== undefined,
    method: addressed,
    email,
    // By whichever login the user has shown that it is theirs.
    isVerified:
      email !== undefined && methods.some((each) => each.isVerified === true && each.email === email),
    phone: methods.find(({ phoneNumber }) => phoneNumber !== undefined)?.phoneNumber,
    password: passwordOf(withPassword),
    hash: withPassword?.passwordTransforms === undefined ? withPassword?.passwordHash : undefined,
    storedHash: withPassword && storedHashOf(withPassword),
    social: methods.flatMap(socialOf),
    metadata: userMetadata,
    isDisabled,
    timeJoined: joined.length === 0 ? undefined : Math.min(...joined),
    record,
  };
}

function storedHashOf({ passwordHash: hash, passwordTransforms: forms }: BackMethod): string | undefined {
  return hash === undefined ? undefined : asStated({ forms, hash });
}

/** Identities without an email got one that the import made up. */
export function isReal(email: string | undefined): boolean {
  return email !== undefined && !email.endsWith(`@${madeUpDomain}`);
}

function passwordOf(method: BackMethod | undefined): BackPerson['password'] {
  if (method === undefined) return 'none';
  return method.legacy === undefined ? 'here' : 'elsewhere';
}

function socialOf({ thirdPartyId: provider, thirdPartyUserId: userId, email }: BackMethod) {
  if (provider === undefined || userId === undefined) return [];
  return [{ provider, userId, ...(email !== undefined && isReal(email) && { email }) }];
}

/** What the journal says of a change; `other` stands for all that it does not name, such as links and metadata. */
export function changedOf({ was }: Pick<BackChange, 'was'>, person: BackPerson): readonly ChangedField[] {
  const methods = person.record.loginMethods;
  const hashes = methods.flatMap((method) => storedHashOf(method) ?? []);
  const marks = new Set(hashes.map(markOf));
  const emails = new Set(methods.map(({ email }) => email ?? null));
  const found: ChangedField[] = [];
  if (was.some(({ email }) => email !== null && !emails.has(email))) found.push('email');
  if (was.some((each) => each.email === person.email && each.isVerified !== person.isVerified))
    found.push('isVerified');
  const isNewPassword = person.password === 'here' && was.some(({ isNew }) => isNew === true);
  if (isNewPassword || was.some(({ passwordMark: mark }) => mark !== null && !marks.has(mark)))
    found.push('password');
  return found.length === 0 ? ['other'] : found;
}

function markOf(hash: string): string {
  return createHash('sha256').update(hash).digest('hex').slice(0, 32);
}

/** A text of the metadata; undefined for anything else. */
export function textOf(
  { metadata }: Pick<BackPerson, 'metadata'>,
  ...names: readonly string[]
): string | undefined {
  for (const name of names) {
    const value = metadata[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** An object of the metadata. */
export function objectOf({ metadata }: Pick<BackPerson, 'metadata'>, name: string): object | undefined {
  const value = metadata[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}
