/** The native record: the bulk user of the driver interface, one JSON object a line. Types only. */

import type { RecordInputs } from '../../schema/records.ts';
import type { SecondFactor } from '../model.ts';

export interface NativeUser {
  readonly externalUserId?: string;
  readonly userMetadata?: Readonly<Record<string, unknown>>;
  readonly userRoles?: readonly NativeRole[];
  readonly totpDevices?: readonly NativeTotpDevice[];
  /** Codes that work once, instead of a device's. Stored as hashes. */
  readonly backupCodes?: readonly NativeBackupCode[];
  /** Second factors of the user whose secrets the record does not hold: they are counted. */
  readonly secondFactors?: readonly SecondFactor[];
  /** Actions that the source requires before a sign-in, such as `UPDATE_PASSWORD`. */
  readonly requiredActions?: readonly string[];
  /** The user may not sign in, even with the right password. Default: unchanged, and a new user may. */
  readonly isDisabled?: boolean;
  /** The end of the ban, ms since the epoch: `isDisabled` may be left out next to it. From then on the user may sign in. */
  readonly disabledUntil?: number;
  /** For imports: the external id is that of the same person here, even if nothing else is the same. */
  readonly sameIds?: boolean;
  /** For imports: the user is restored, even after a removal here. */
  readonly restoreRemoved?: boolean;
  /** At least one. With one of them primary they are one linked user, otherwise separate users. */
  readonly loginMethods: readonly NativeLoginMethod[];
}

export interface NativeRole {
  readonly role: string;
  readonly tenantIds?: readonly string[];
}

/** `secretKey` is a secret: it stays out of logs, errors and listings. */
export interface NativeTotpDevice {
  readonly secretKey: string;
  /** The encoding of `secretKey`. Default `base32`. */
  readonly secretEncoding?: 'base32' | 'text' | 'hex' | 'base64' | 'latin1';
  /** Default `SHA1`. */
  readonly algorithm?: 'SHA1' | 'SHA256' | 'SHA512';
  /** Default 6. */
  readonly digits?: number;
  /** Seconds. */
  readonly period?: number;
  readonly skew?: number;
  readonly deviceName?: string;
}

/** Has one of the two fields. Both are secrets. */
export interface NativeBackupCode {
  /** In clear text. */
  readonly code?: string;
  readonly hash?: string;
  /** Needed next to `passwordHash` only if the hash does not show its kind. */
  readonly hashingAlgorithm?: string;
}

/** A login method as its schema in schema/records.ts accepts it; lists are read only. */
type MethodOf<Recipe extends string, Input> = { readonly recipeId: Recipe } & {
  readonly [Field in keyof Input as Field extends 'recipeId' ? never : Field]: Input[Field] extends
    (infer Item)[] | undefined
    ? readonly Item[]
    : Input[Field];
};

/** With `passwordHash`, `plainTextPassword`, or `legacy`: the old system that knows the password, by its name in `legacy_sources`. */
export type NativePasswordMethod = MethodOf<'emailpassword', RecordInputs['bulkPasswordMethod']>;
export type NativeThirdPartyMethod = MethodOf<'thirdparty', RecordInputs['bulkThirdPartyMethod']>;
/** With an email, a phone number in E.164, or both. */
export type NativePasswordlessMethod = MethodOf<'passwordless', RecordInputs['bulkPasswordlessMethod']>;

export type NativeLoginMethod = NativePasswordMethod | NativeThirdPartyMethod | NativePasswordlessMethod;
