/** The tables of users, each column described once: see columns.ts. A new column begins here and in a migration. */

import { columnsWith, columnsWithout, pickColumns } from './columns.ts';
import type { ColumnForm, RowOf } from './columns.ts';

interface MethodColumn extends ColumnForm {
  /** Where a new login method has it from: the record states it, or the import gives it. */
  readonly source: 'stated' | 'given';
  /**
   * How the existing value is treated when an import has another one: kept or replaced. When a credential is
   * replaced, password reset links that were sent before end.
   */
  readonly compares: 'kept' | 'replaced' | 'credential';
}

const notNull = { isNullable: false } as const;
const nullable = { isNullable: true } as const;

/** A login method: a row of `users`, but for its app and the job that made it. COPY brings them in this order. */
export const methodColumns = {
  /** 1 emailpassword, 2 thirdparty, 3 passwordless */
  recipe: { name: 'recipe', type: 'smallint', ...notNull, source: 'stated', compares: 'kept' },
  /** Its email. */
  isVerified: { name: 'email_verified', type: 'bool', ...notNull, source: 'stated', compares: 'replaced' },
  userId: { name: 'user_id', type: 'uuid', ...notNull, source: 'given', compares: 'kept' },
  /** NULL for neither linked nor primary, the own id for the head of a linked user. */
  primaryUserId: {
    name: 'primary_user_id',
    type: 'uuid',
    ...nullable,
    source: 'given',
    compares: 'replaced',
  },
  /** ms since the epoch */
  timeJoined: { name: 'time_joined', type: 'bigint', ...notNull, source: 'stated', compares: 'kept' },
  email: { name: 'email', type: 'text', ...nullable, source: 'stated', compares: 'credential' },
  /** A secret. */
  passwordHash: {
    name: 'password_hash',
    type: 'text',
    ...nullable,
    source: 'stated',
    compares: 'credential',
  },
  thirdPartyId: { name: 'third_party_id', type: 'text', ...nullable, source: 'stated', compares: 'kept' },
  thirdPartyUserId: {
    name: 'third_party_user_id',
    type: 'text',
    ...nullable,
    source: 'stated',
    compares: 'replaced',
  },
  phone: { name: 'phone', type: 'text', ...nullable, source: 'stated', compares: 'replaced' },
  externalId: { name: 'external_id', type: 'text', ...nullable, source: 'given', compares: 'replaced' },
  /** What the last import stated of it, if any did: see imports/parse/base.ts. */
  base: { name: 'base', type: 'bytea', ...nullable, source: 'given', compares: 'replaced' },
  /** Of the line that the base was made from, where the line can be recognised: see imports/parse/line-mark.ts. */
  lineMark: { name: 'line_mark', type: 'bigint', ...nullable, source: 'given', compares: 'replaced' },
} as const satisfies Readonly<Record<string, MethodColumn>>;

/** Absent is undefined where a row is made, and null where it was read. */
export type MethodRow<Absent> = RowOf<typeof methodColumns, Absent>;

/** What a record states of a login method, as it is stored. */
export const statedColumns = columnsWith(methodColumns, { source: 'stated' });

/** Texts of which each login method has some: emails, hashes, ids, numbers. */
const statedTextColumns = columnsWith(methodColumns, { source: 'stated', type: 'text' });
export type StatedTexts = RowOf<typeof statedTextColumns, undefined>;
export const statedTexts = Object.keys(statedTextColumns) as readonly (keyof StatedTexts)[];

/** What a record's login method says of them. */
interface StatedFields {
  readonly recipeId: 'emailpassword' | 'thirdparty' | 'passwordless';
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly thirdPartyId?: string;
  readonly thirdPartyUserId?: string;
}

/**
 * Fields that do not belong to its recipe were not checked, and are not read. Written out, because each record has
 * it made, and a loop over the columns costs five times as much.
 */
export function statedTextsOf(method: StatedFields, passwordHash: string | undefined): StatedTexts {
  const { recipeId, email } = method;
  const isSocial = recipeId === 'thirdparty';
  return {
    email,
    passwordHash,
    thirdPartyId: isSocial ? method.thirdPartyId : undefined,
    thirdPartyUserId: isSocial ? method.thirdPartyUserId : undefined,
    phone: recipeId === 'passwordless' ? method.phoneNumber : undefined,
  };
}

export const replacedColumns = columnsWithout(methodColumns, { compares: 'kept' });

/** A login method that was there, as it will be. */
export const updateColumns = { userId: methodColumns.userId, ...replacedColumns };
export type UpdateRow = RowOf<typeof updateColumns, null>;

export const credentialColumns = columnsWith(methodColumns, { compares: 'credential' });

/** A row of `identities`, but for the app. */
export const identityColumns = {
  tenantNo: { name: 'tenant_no', type: 'int', ...notNull },
  /** 1 email, 2 third party, 3 passwordless email, 4 passwordless phone: `identityKind` of identity.ts. */
  kind: { name: 'kind', type: 'smallint', ...notNull },
  key: { name: 'key', type: 'uuid', ...notNull },
  userId: { name: 'user_id', type: 'uuid', ...notNull },
} as const;

/** What an identity is looked up by. */
export const identityKeyColumns = pickColumns(identityColumns, ['tenantNo', 'kind', 'key']);

/** What is stored of a user in addition to the login methods, except for the app. */
export const detailsColumns = {
  /** Of the user's head. */
  userId: { name: 'user_id', type: 'uuid', ...notNull },
  metadata: { name: 'metadata', type: 'jsonb', ...nullable },
  roles: { name: 'roles', type: 'jsonb', ...nullable },
  totpDevices: { name: 'totp_devices', type: 'jsonb', ...nullable },
  restrictions: { name: 'restrictions', type: 'jsonb', ...nullable },
} as const;

/** A row of `user_details`, but for the app: roles have tables of their own. */
export const storedDetails = pickColumns(detailsColumns, [
  'userId',
  'metadata',
  'totpDevices',
  'restrictions',
]);

/** An identity of a record that is decided individually. */
export const soughtIdentityColumns = {
  /** The record's ordinal in the chunk, and the login method's in the record. */
  record: { name: 'record', type: 'int', ...notNull },
  method: { name: 'method', type: 'int', ...notNull },
  tenantNo: identityColumns.tenantNo,
  kind: identityColumns.kind,
  key: identityColumns.key,
} as const;

/** An external id of one. */
export const soughtExternalColumns = {
  record: soughtIdentityColumns.record,
  externalId: { name: 'external_id', type: 'text', ...notNull },
  externalKey: identityColumns.key,
  /** The external id where it has the form of a core id. */
  coreId: { name: 'core_id', type: 'uuid', ...nullable },
} as const;

/** A record of one login method in one tenant with one key: what is compared, and what is written when it is new. */
export const simpleColumns = {
  /** Physical line within the chunk, from 1. */
  line: { name: 'line', type: 'bigint', ...notNull },
  tenantNo: identityColumns.tenantNo,
  kind: identityColumns.kind,
  key: identityColumns.key,
  /** UUIDv7 of timeJoined, for when the user is new. */
  userId: methodColumns.userId,
  timeJoined: methodColumns.timeJoined,
  isVerified: methodColumns.isVerified,
  ...statedTextColumns,
  /** True, or NULL. */
  isPrimary: { name: 'is_primary', type: 'bool', ...nullable },
  externalId: methodColumns.externalId,
  // JSON texts, of what the record states.
  metadata: { name: 'metadata', type: 'text', ...nullable },
  roles: { name: 'roles', type: 'text', ...nullable },
  totpDevices: { name: 'totp_devices', type: 'text', ...nullable },
  restrictions: { name: 'restrictions', type: 'text', ...nullable },
  base: { name: 'base', type: 'bytea', ...notNull },
  lineMark: methodColumns.lineMark,
} as const;

/**
 * Bytes of the base of a login method alone, without details or a hash that was made here: flags, tenants, and a digest of 6 bytes for
 * each of two identities or credentials. See imports/parse/base.ts, which writes it.
 */
export const ownBaseBytes = 1 + 4 + 2 * 6;

/** A mark is a digest of so many bits, and above them what kind of hash the record has: what a number holds. */
export const lineMarkBits = 47;

/** A line that may be one that was imported before. */
export const markedColumns = {
  line: simpleColumns.line,
  externalId: methodColumns.externalId,
  /** The digest alone. */
  lineMark: methodColumns.lineMark,
} as const;

/** What of it is compared, and nothing else: PostgreSQL reads each cell of an array, wanted or not. */
export const comparedColumns = pickColumns(simpleColumns, [
  'line',
  'tenantNo',
  'kind',
  'key',
  'externalId',
  'restrictions',
  'base',
]);
