/** The nouns of import jobs. Types and tables only. */

import type { CancelReason } from '../domain/jobs/cancel-reasons.ts';
import type { JobCounter, JobFields, JobOutcome } from '../domain/jobs/job-fields.ts';
import type { ByState } from '../domain/jobs/sign-in-states.ts';
import type { Absence, AbsentRule } from './absence.ts';

type WordOf<Field extends 'state' | 'onConflict' | 'secondFactor'> = keyof JobFields[Field]['words'];

export const onConflicts = [
  'update',
  'theirs',
  'ours',
  'reject',
  'skip',
] as const satisfies readonly WordOf<'onConflict'>[];
/**
 * How a record whose user exists and differs is treated. With `update`, `theirs` and `ours` the user gets what changed only at
 * the source. Of what changed on both sides `theirs` takes the source's value, `ours` keeps the stored one, and `update` keeps a
 * password and a withdrawn verification, and takes the rest. `skip` does not change the user, and with `reject` the record is an
 * error.
 */
export type OnConflict = (typeof onConflicts)[number];

export const secondFactorRules = [
  'refuse',
  'flag',
  'drop',
] as const satisfies readonly WordOf<'secondFactor'>[];
/**
 * How a record with a second factor is treated, while codes are not asked for: imported with its devices, and the user's sign-in
 * is refused until then; imported with them, and the password alone signs in; or imported without them.
 */
export type SecondFactorRule = (typeof secondFactorRules)[number];
export const defaultSecondFactor: SecondFactorRule = 'refuse';

/** Second factors that a source may have; for `totp` a record can hold the devices, for `backup` the codes. */
export type SecondFactor = 'totp' | 'hotp' | 'sms' | 'email' | 'push' | 'webauthn' | 'backup' | 'other';

export const jobStates = [
  'receiving',
  'done',
  'cancelled',
  'undone',
] as const satisfies readonly WordOf<'state'>[];
export type JobState = (typeof jobStates)[number];

/** Records by their outcome. Their sum is the job's `lines`. */
export type Counts = Readonly<Record<JobOutcome, number>>;

/** Password hashes by their kind, without those of rejected records. */
export type ByKind = Readonly<Record<string, number>>;

/** Records by their second factors, without rejected ones; a record with two kinds counts for each. */
export type ByFactor = Readonly<Partial<Record<SecondFactor, number>>>;

/** Identifies a job. */
export interface JobRef {
  readonly appNo: number;
  readonly id: string;
}

/** The origin of written rows: a job, or the id that marks records without one. */
export interface WritingJob extends JobRef {
  readonly dryRun: boolean;
  readonly compare?: boolean;
  readonly absent?: AbsentRule | undefined;
  /** The outcome of each line is stored, for a receipt. Default: false. */
  readonly receipt?: boolean;
}

/** A dry run rolls back what it has written for a chunk. A comparison writes only which records and users it has met. */
export function isRolledBack({ dryRun, compare = false }: Pick<WritingJob, 'dryRun' | 'compare'>): boolean {
  return dryRun && !compare;
}

/** A job as it is requested. */
export interface NewJob {
  readonly name: string;
  readonly onConflict: OnConflict;
  readonly dryRun: boolean;
  /**
   * Finds every difference between the records and the users here, in a dry run, and users who are in one of the two alone.
   * Default: false.
   */
  readonly compare?: boolean;
  readonly secondFactor: SecondFactorRule;
  /** The user with a record's external id is the one it means, even with nothing else in common. Default: false. */
  readonly sameIds?: boolean;
  /** Added before the external ids of all records. */
  readonly idPrefix?: string | undefined;
  /** Users who were removed here may be imported again. Default: false. */
  readonly restoreRemoved?: boolean;
  /** A label of the system that the file comes from. Default: the system without a label. */
  readonly source?: string;
  /** The name of the series that it belongs to, whose jobs are listed as one entry; undefined: none. */
  readonly series?: string | undefined;
  /** In a series: the upload has all users of the source, so its rejects are those of the series. Default: false. */
  readonly whole?: boolean;
  /** The rule for users that the source no longer has; undefined: they are not searched for. */
  readonly absent?: AbsentRule | undefined;
  /** Apply `absent` even if the file appears to be truncated. */
  readonly absentYes?: boolean;
  /** The outcome of each line is stored, for a receipt. Default: false. */
  readonly receipt?: boolean;
  /** Bytes of the whole upload; undefined while the sender does not know them. */
  readonly uploadLength: number | undefined;
}

/** Counters visible to callers of the store: those of the table that are not internal. */
type JobCounters = {
  readonly [Key in JobCounter as JobFields[Key] extends { isInner: true } ? never : Key]: number;
};

/** A job as it is stored: see jobFields, which has a column for each of these. */
export interface Job extends NewJob, JobCounters {
  /** The app's number: a job belongs to one app. */
  readonly appNo: number;
  /** UUIDv7 of its start: newest last. */
  readonly id: string;
  /** Users that an undo has removed or restored so far. */
  readonly undone: number;
  readonly state: JobState;
  /** Of a job with a receipt: 64 hexadecimal digits, from which the salts of its lines follow. Never shown. */
  readonly receiptSecret?: string | undefined;
  /** The result of `absent`; undefined until all lines are there. */
  readonly absence?: Absence | undefined;
  /** Why it was cancelled, unless a client requested it. */
  readonly cancelReason: CancelReason | undefined;
  /** Bytes whose lines are committed: always at the end of a line. */
  readonly bytes: number;
  /** Physical lines in those bytes, including blank ones: rejects are numbered by them. */
  readonly physicalLines: number;
  readonly byKind: ByKind;
  readonly byFactor: ByFactor;
  readonly byState: ByState;
  /** ms since the epoch */
  readonly startedAt: number;
  readonly finishedAt: number | undefined;
  /** ms since the epoch, of the last committed chunk. */
  readonly lastCommitAt: number | undefined;
  /** ms from a commit, or the start, to the beginning of the upload that continued: nothing was sent then. */
  readonly pausedMs: number;
  /** ms since the epoch: since then its rejects and before-images are deleted, so it cannot be undone. */
  readonly purgedAt: number | undefined;
}

/** All jobs of a series. */
export interface SeriesCounts extends Counts {
  readonly jobs: number;
  /** The start of its first job, ms since the epoch. */
  readonly since: number;
  /** Its newest job that is done, and not undone, and that had all users of the source; undefined without one. */
  readonly lastWhole:
    { readonly id: string; readonly startedAt: number; readonly rejected: number } | undefined;
}

/** An entry of the list of jobs: a job without a series, or the newest of one. */
export interface ListedJob extends Job {
  readonly seriesCounts?: SeriesCounts;
}

/** A record that was not imported, and why. Never holds a hash, a password or a secret. */
export interface Reject {
  /** The physical line in the upload, from 1. */
  readonly line: number;
  readonly externalUserId?: string | undefined;
  readonly code: RejectCode;
  /** Path of the field, such as `loginMethods.0.email`; empty for the whole line. */
  readonly field: string;
  /** What is wrong and the cure. */
  readonly message: string;
  /** The user who has the key that the record may not take, by the id that callers know. */
  readonly otherUserId?: string | undefined;
  /** The sender rejected it, and sent no record. */
  readonly isStated?: true;
  /** The source still has the record, but marks its person as deleted. */
  readonly isGone?: true;
}

/** Fields that are compared as a whole when a record is repeated. */
export type ConflictGroup = 'password' | 'email' | 'phone' | 'social' | 'metadata' | 'roles' | 'totp';
/** Those of a comparison; `user`: the whole user is missing here. */
export type DifferenceGroup =
  ConflictGroup | 'user' | 'externalId' | 'loginMethods' | 'tenants' | 'restrictions';

/** `kept`: the stored value; `replaced`: by the source's value; `compared`: nothing was to be changed. */
export type ConflictOutcome = 'kept' | 'replaced' | 'skipped' | 'rejected' | 'compared';

/** The side that has changed a field since both were last equal; `unknown`: no import has stated the user's. */
export type ChangedBy = 'there' | 'here' | 'both' | 'unknown';

/**
 * A field that was changed here and at the source since the last import; of a comparison, any field that differs. Never holds a
 * hash, a password or a secret.
 */
export interface Conflict {
  /** The physical line in the upload, from 1. */
  readonly line: number;
  readonly externalUserId?: string | undefined;
  /** The user's id as callers know it. */
  readonly userId: string;
  /** The core's id of the login method, or for details that of the user; undefined for a user who is missing here. */
  readonly methodId: string | undefined;
  readonly group: DifferenceGroup;
  /** Path in the record. */
  readonly field: string;
  readonly here: string;
  readonly source: string;
  readonly done: ConflictOutcome;
  /** Given for a comparison. */
  readonly changed?: ChangedBy | undefined;
}

/** Every reason why a record is rejected: stable codes, for programs. */
export const rejectCodes = [
  /** The line is not a JSON object, or not UTF-8. */
  'INVALID_JSON',
  'DUPLICATE_KEY',
  'LINE_TOO_LONG',
  'MISSING_FIELD',
  'INVALID_FIELD',
  'UNKNOWN_TENANT',
  'UNSUPPORTED_HASHING_ALGORITHM',
  'INVALID_PASSWORD_HASH',
  'HASH_OVER_CEILING',
  'SIGNER_KEY_MISSING',
  /** The record has second factors, but the core has no key to seal them with. */
  'ENCRYPTION_KEY_MISSING',
  'PLAIN_TEXT_NOT_ALLOWED',
  /** An earlier line of the same job has this external id, email in this tenant, phone number or provider identity. */
  'DUPLICATE_IN_JOB',
  /** The user exists and differs, and the job's onConflict is `reject`. */
  'ALREADY_EXISTS',
  /** The field was changed here and at the source, and the job's onConflict is `reject`. */
  'CHANGED_HERE',
  /** The email, phone number or provider identity belongs to another user than the record's. */
  'IDENTITY_TAKEN',
  /** The external id belongs to another user, or is a core id. */
  'EXTERNAL_ID_TAKEN',
  /** The external id is that of a user with nothing in common with the record, and the job does not set sameIds. */
  'DIFFERENT_PERSON',
  /** The user was imported and then removed here, and the job does not set restoreRemoved. */
  'REMOVED_HERE',
  /** The key of the sender may only create users, but the record would change one: see CreatesOnly. */
  'KEY_SCOPE_MISSING',
  /** Found when converting an export: the record has nothing to sign in with, is deleted, and so on. */
  'NOT_IMPORTABLE',
] as const;
export type RejectCode = (typeof rejectCodes)[number];

/** The record was valid and collided with another one, which is not a fault of the file. */
const codesOfValid: ReadonlySet<RejectCode> = new Set([
  'DUPLICATE_IN_JOB',
  'ALREADY_EXISTS',
  'CHANGED_HERE',
  'IDENTITY_TAKEN',
  'EXTERNAL_ID_TAKEN',
  'DIFFERENT_PERSON',
  'REMOVED_HERE',
  'KEY_SCOPE_MISSING',
]);

/** Whether the record would be rejected whatever users exist. */
export function isUnusable(reject: Reject): boolean {
  return !codesOfValid.has(reject.code) && !isPassedOver(reject);
}

/** The sender found no user to import, as in an account that was deleted there, which is not a fault of the file. */
export function isPassedOver({ code, isStated }: Reject): boolean {
  return isStated === true && code === 'NOT_IMPORTABLE';
}

/** What an undo would do: counts of users; those that it does not change by the reason. */
export interface UndoForeseen {
  readonly removed: number;
  readonly restored: number;
  readonly left: Readonly<Record<'SIGNED_IN' | 'CHANGED_SINCE' | 'IDENTITY_TAKEN', number>>;
}

export interface UndoResult {
  readonly removed: number;
  readonly restored: number;
  readonly left: readonly { readonly userId: string; readonly email?: string; readonly reason: string }[];
  /** The part of `restored` that is held because a second factor could not be restored. Left out if 0. */
  readonly held?: number;
}
