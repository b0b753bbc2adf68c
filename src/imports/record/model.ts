/** A record that passed every check that needs no database. Types only. */

import type { LegacyKind } from '../../domain/legacy-mark.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import type { RowOf } from '../../domain/columns.ts';
import type { statedColumns } from '../../domain/user-columns.ts';
import type { StatedRestrictions } from '../../operations/ports/ports.ts';
import type { Reject, SecondFactor } from '../model.ts';
import type { NativeRole, NativeTotpDevice } from './native-record.ts';

/** Texts are normalised as they are stored. What the record does not state is undefined; an empty list states nothing. */
export interface BulkRecord {
  readonly externalUserId: string | undefined;
  /**
   * As JSON.parse gives it, so a key `__proto__` is an own property like any other: to be passed on as a whole or written by
   * JSON.stringify, never copied key by key.
   */
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Declared fields only; tenants are known and lower-cased. */
  readonly roles: readonly NativeRole[] | undefined;
  /** Declared fields only; the backup codes after the devices. Secrets. */
  readonly totpDevices: readonly (NativeTotpDevice | KeptCode)[] | undefined;
  /** Kinds of second factors, including devices that the job drops, each once; undefined for none. */
  readonly secondFactors: readonly SecondFactor[] | undefined;
  /** What it states about whether the user may sign in. */
  readonly restrictions: StatedRestrictions | undefined;
  /** Stated: see NativeUser. */
  readonly sameIds?: true;
  readonly restoreRemoved?: true;
  /** At least one, in the order of the record; at most one of them is primary. */
  readonly methods: readonly BulkMethod[];
}

/** The stored form of a backup code: its hash. */
export interface KeptCode {
  readonly backupCode: string;
}

/** All kinds of login method in one shape: hot loops see one hidden class. */
export interface BulkMethod extends RowOf<typeof statedColumns, undefined> {
  readonly recipe: 1 | 2 | 3;
  /** Without repetitions, in the order of the record; never empty. */
  readonly tenantNos: readonly number[];
  /** What it is looked up by in each of its tenants: one, or for passwordless with email and phone number two. */
  readonly identities: readonly BulkIdentity[];
  readonly isPrimary: boolean;
  /** The import's own time if the record has none, or one in the future. */
  readonly timeJoined: number;
  /** The record states a date before 2000 or in the future. */
  readonly isDateOdd: boolean;
  /** The kind of `passwordHash`. */
  readonly hashKind: HashKindName | LegacyKind | undefined;
  /** Set only if the configuration allows it, and then instead of a hash. A secret. */
  readonly plainTextPassword: string | undefined;
}

export interface BulkIdentity {
  /** `identityKind` of identity.ts */
  readonly kind: 1 | 2 | 3 | 4;
  /** `identityKey` or `thirdPartyKey` of identity.ts: 32 hexadecimal digits. */
  readonly key: string;
}

/** Why a record is rejected; the caller adds the line. */
export type RecordReject = Omit<Reject, 'line'>;

export type RecordResult =
  { readonly ok: true; readonly record: BulkRecord } | { readonly ok: false; readonly reject: RecordReject };
