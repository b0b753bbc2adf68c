/** The tables of users, each column described once: see columns.ts. Add a new column here and in a migration. */

import { columnsWith, columnsWithout, pickColumns } from './columns.ts';
import type { ColumnForm, RowOf } from './columns.ts';

interface MethodColumn extends ColumnForm {
  /** How a new login method gets it: from the record, or from the import. */
  readonly source: 'stated' | 'given';
  /** Whether an import keeps or replaces an existing value. Replacing a credential ends earlier password reset links. */
  readonly compares: 'kept' | 'replaced' | 'credential';
}

const notNull = { isNullable: false } as const;
const nullable = { isNullable: true } as const;

/** A row of `users` without its app and job, in the order of COPY. */
export const methodColumns = {
  /** 1 emailpassword, 2 thirdparty, 3 passwordless */
  recipe: { name: 'recipe', type: 'smallint', ...notNull, source: 'stated', compares: 'kept' },
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
  /** Values that the last import stated, if any: see imports/parse/base.ts. */
  base: { name: 'base', type: 'bytea', ...nullable, source: 'given', compares: 'replaced' },
  /** The line that the base was made from, if it can be recognised: see imports/parse/line-mark.ts. */
  lineMark: { name: 'line_mark', type: 'bigint', ...nullable, source: 'given', compares: 'replaced' },
} as const satisfies Readonly<Record<string, MethodColumn>>;

/** Absent is undefined in new rows, null in rows that were read. */
export type MethodRow<Absent> = RowOf<typeof methodColumns, Absent>;

export const statedColumns = columnsWith(methodColumns, { source: 'stated' });

/** Emails, hashes, ids and numbers; each login method has some. */
const statedTextColumns = columnsWith(methodColumns, { source: 'stated', type: 'text' });
export type StatedTexts = RowOf<typeof statedTextColumns, undefined>;
export const statedTexts = Object.keys(statedTextColumns) as readonly (keyof StatedTexts)[];

interface StatedFields {
  readonly recipeId: 'emailpassword' | 'thirdparty' | 'passwordless';
  readonly email?: string;
  readonly phoneNumber?: string;
  readonly thirdPartyId?: string;
  readonly thirdPartyUserId?: string;
}

/**
 * Fields of other recipes were not checked and are not read. Written out: this runs for each record, and a loop over the columns
 * costs five times as much.
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

export const updateColumns = { userId: methodColumns.userId, ...replacedColumns };
export type UpdateRow = RowOf<typeof updateColumns, null>;

export const credentialColumns = columnsWith(methodColumns, { compares: 'credential' });

/** A row of `identities` without the app. */
export const identityColumns = {
  tenantNo: { name: 'tenant_no', type: 'int', ...notNull },
  /** 1 email, 2 third party, 3 passwordless email, 4 passwordless phone: `identityKind` of identity.ts. */
  kind: { name: 'kind', type: 'smallint', ...notNull },
  key: { name: 'key', type: 'uuid', ...notNull },
  userId: { name: 'user_id', type: 'uuid', ...notNull },
} as const;

export const identityKeyColumns = pickColumns(identityColumns, ['tenantNo', 'kind', 'key']);

/** Data of a user in addition to the login methods, without the app. */
export const detailsColumns = {
  userId: { name: 'user_id', type: 'uuid', ...notNull },
  metadata: { name: 'metadata', type: 'jsonb', ...nullable },
  roles: { name: 'roles', type: 'jsonb', ...nullable },
  totpDevices: { name: 'totp_devices', type: 'jsonb', ...nullable },
  restrictions: { name: 'restrictions', type: 'jsonb', ...nullable },
} as const;

/** A row of `user_details` without the app; roles have separate tables. */
export const storedDetails = pickColumns(detailsColumns, [
  'userId',
  'metadata',
  'totpDevices',
  'restrictions',
]);

/** An identity of a record that is decided individually. */
export const soughtIdentityColumns = {
  /** The record's index in the chunk, and the login method's in the record. */
  record: { name: 'record', type: 'int', ...notNull },
  method: { name: 'method', type: 'int', ...notNull },
  tenantNo: identityColumns.tenantNo,
  kind: identityColumns.kind,
  key: identityColumns.key,
} as const;

export const soughtExternalColumns = {
  record: soughtIdentityColumns.record,
  externalId: { name: 'external_id', type: 'text', ...notNull },
  externalKey: identityColumns.key,
  /** The external id if it has the form of a core id. */
  coreId: { name: 'core_id', type: 'uuid', ...nullable },
} as const;

/** A record of one login method in one tenant with one key: columns to compare, and to write when it is new. */
export const simpleColumns = {
  /** Physical line within the chunk, from 1. */
  line: { name: 'line', type: 'bigint', ...notNull },
  tenantNo: identityColumns.tenantNo,
  kind: identityColumns.kind,
  key: identityColumns.key,
  /** UUIDv7 of timeJoined, for a new user. */
  userId: methodColumns.userId,
  timeJoined: methodColumns.timeJoined,
  isVerified: methodColumns.isVerified,
  ...statedTextColumns,
  isPrimary: { name: 'is_primary', type: 'bool', ...nullable },
  externalId: methodColumns.externalId,
  // JSON texts of what the record states.
  metadata: { name: 'metadata', type: 'text', ...nullable },
  roles: { name: 'roles', type: 'text', ...nullable },
  totpDevices: { name: 'totp_devices', type: 'text', ...nullable },
  restrictions: { name: 'restrictions', type: 'text', ...nullable },
  base: { name: 'base', type: 'bytea', ...notNull },
  lineMark: methodColumns.lineMark,
} as const;

/**
 * Bytes of the base of one login method without details or a hash made here: flags, tenants, and 6-byte digests of two identities
 * or credentials. See imports/parse/base.ts.
 */
export const ownBaseBytes = 1 + 4 + 2 * 6;

/** In the tail of a base of a head with details: its tag, and after it the digest of metadata and those of three other details. */
export const detailsTag = 1;
export const detailDigestBytes = 6;
export const otherDetails = 3;

/** Digest bits of a mark; the bits above are the kind of hash, and a number holds both. */
export const lineMarkBits = 47;

export const markedColumns = {
  line: simpleColumns.line,
  externalId: methodColumns.externalId,
  /** The digest alone. */
  lineMark: methodColumns.lineMark,
} as const;

/** What a comparison needs in addition of a marked line. */
export const markedHereColumns = {
  /** Of its email. */
  key: identityColumns.key,
  metadata: simpleColumns.metadata,
  /** That of the base; see imports/parse/base.ts. */
  metadataDigest: { name: 'metadata_digest', type: 'bytea', ...nullable },
} as const;

/** Only the compared columns: PostgreSQL reads every cell of an array, needed or not. Metadata only for a comparison. */
export const comparedColumns = pickColumns(simpleColumns, [
  'line',
  'tenantNo',
  'kind',
  'key',
  'externalId',
  'metadata',
  'restrictions',
  'base',
]);
