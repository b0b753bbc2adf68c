/** The native record: the bulk user of the driver interface, one JSON object a line. Types only. */

import type { RecordInputs } from '../../schema/records.ts';
import type { SecondFactor } from '../model.ts';

export interface NativeUser {
  readonly externalUserId?: string;
  readonly userMetadata?: Readonly<Record<string, unknown>>;
  readonly userRoles?: readonly NativeRole[];
  readonly totpDevices?: readonly NativeTotpDevice[];
  /** Codes that work once, in place of a device's. Kept as hashes. */
  readonly backupCodes?: readonly NativeBackupCode[];
  /** Second factors of the person whose secrets the record does not hold: they are counted. */
  readonly secondFactors?: readonly SecondFactor[];
  /** What the source asks the person to do before they are let in, such as `UPDATE_PASSWORD`. */
  readonly requiredActions?: readonly string[];
  /** The person may not sign in, whatever they prove. Left out: as it is, and a new user may. */
  readonly isDisabled?: boolean;
  /** Until when, ms since the epoch: `isDisabled` may be left out next to it. From then on the user may sign in. */
  readonly disabledUntil?: number;
  /** Of an import: the external id is that of the same person here, also where nothing else is the same. */
  readonly sameIds?: boolean;
  /** Of an import: the person comes back, also after a removal here. */
  readonly restoreRemoved?: boolean;
  /** At least one. With one of them primary they are one linked user, else separate users. */
  readonly loginMethods: readonly NativeLoginMethod[];
}

export interface NativeRole {
  readonly role: string;
  readonly tenantIds?: readonly string[];
}

/** `secretKey` is a secret: it stays out of logs, errors and listings. */
export interface NativeTotpDevice {
  readonly secretKey: string;
  /** How `secretKey` is written. Default `base32`. */
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

/** One of the two. Both are secrets. */
export interface NativeBackupCode {
  /** In clear. */
  readonly code?: string;
  readonly hash?: string;
  /** Needed only where the hash does not show its kind, next to `passwordHash`. */
  readonly hashingAlgorithm?: string;
}

/** A login method, as its schema in schema/records.ts lets it through; lists are read only. */
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
