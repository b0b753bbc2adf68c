import { emailMaxLength, emailPattern, emailRule } from '../domain/email.ts';
import { namePattern, tenantNamePattern } from './names.ts';

/**
 * Fields of several requests as JSON Schema, with five annotations:
 * - `x-normalise`: 'trim', 'lower' (trim, then lower-case) or 'email' (email.ts), before all checks;
 * - `x-maxBytes`: maximum bytes of UTF-8 (JSON Schema counts characters);
 * - `x-why`: by keyword, the end of the sentence `Field name '…' is invalid in JSON input: …`;
 * - `x-messages`: by keyword, the whole message, if the contract has its own text;
 * - `x-commaList`: a query parameter with several values, separated by commas.
 */
export interface FieldSchema {
  readonly type: string | readonly string[];
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
  readonly 'x-normalise'?: 'trim' | 'lower' | 'email';
  readonly 'x-maxBytes'?: number;
  readonly 'x-why'?: Readonly<Record<string, string>>;
  readonly 'x-messages'?: Readonly<Record<string, string>>;
  readonly 'x-commaList'?: true;
}

export interface RequestSchema extends FieldSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FieldSchema>>;
  readonly required: readonly string[];
}

/** No stricter on purpose: every address that another provider accepted must be importable. */
export const email = {
  type: 'string',
  description: 'Trimmed, lower-cased and normalised to Unicode NFC before it is checked and stored.',
  minLength: 1,
  maxLength: emailMaxLength,
  pattern: emailPattern,
  'x-normalise': 'email',
  'x-why': { pattern: emailRule },
} as const satisfies FieldSchema;

/** Empty for a caller that only wants a link for the user, as the drivers' functions do. */
export const resetEmail = {
  ...email,
  minLength: 0,
  pattern: `(^$)|(${emailPattern})`,
} as const satisfies FieldSchema;

/** Only looked up, never stored: an invalid address finds no user. */
export const emailSought = { type: 'string', 'x-normalise': 'email' } as const satisfies FieldSchema;

/** Unchanged, white space included; the limit prevents hashing of megabytes. */
export const password = {
  type: 'string',
  description: 'At most 4096 bytes of UTF-8; neither trimmed nor normalised.',
  minLength: 1,
  'x-maxBytes': 4096,
  'x-messages': { minLength: 'Password cannot be an empty string' },
} as const satisfies FieldSchema;

/** ms since the epoch. */
export const timeMs = {
  type: 'integer',
  minimum: 0,
  // ECMA-262, Time Values and Time Range.
  maximum: 8.64e15,
  'x-why': {
    type: 'must be a whole number of milliseconds since 1970',
    minimum: 'must be a whole number of milliseconds since 1970',
    maximum: 'must be a whole number of milliseconds since 1970',
  },
} as const satisfies FieldSchema;

/**
 * Any id of a user. External ids have at most 128 characters, but an email can be verified for an id without a user: the limit
 * only ensures that an index entry holds it with an email.
 */
export const userId = { type: 'string', minLength: 1, maxLength: 256 } as const satisfies FieldSchema;

/** Trimmed, because the external id is trimmed when it is stored. */
export const mappedUserId = { ...userId, 'x-normalise': 'trim' } as const satisfies FieldSchema;

export const externalUserId = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  'x-normalise': 'trim',
} as const satisfies FieldSchema;

export const externalUserIdInfo = { type: ['string', 'null'] } as const satisfies FieldSchema;

export const userIdType = {
  type: 'string',
  enum: ['ANY', 'SUPERTOKENS', 'EXTERNAL'],
} as const satisfies FieldSchema;

export const thirdPartyId = { type: 'string', minLength: 1, maxLength: 128 } as const satisfies FieldSchema;

export const thirdPartyUserId = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
} as const satisfies FieldSchema;

export const recipeIds = {
  type: 'array',
  description: 'Separated by commas. No user has a login method of webauthn.',
  items: { type: 'string', enum: ['emailpassword', 'thirdparty', 'passwordless', 'webauthn'] },
  'x-commaList': true,
} as const satisfies FieldSchema;

export const name = {
  type: 'string',
  pattern: namePattern,
  'x-normalise': 'lower',
  'x-why': { pattern: 'must be 1 to 64 letters, digits and hyphens' },
} as const satisfies FieldSchema;

/** A tenant with the name of an endpoint's first segment could not be reached. */
export const tenantName = {
  ...name,
  pattern: tenantNamePattern,
  'x-why': { pattern: 'must be 1 to 64 letters, digits and hyphens, and no word that begins an endpoint' },
} as const satisfies FieldSchema;

export const coreConfig = {
  type: 'object',
  description: 'Merged into what is set already; null removes a key.',
} as const satisfies FieldSchema;

/** ITU-T E.164: at most 15 digits with the country code, which never begins with 0. No number has fewer than 5. */
export const phoneNumber = {
  type: 'string',
  pattern: '^\\+[1-9][0-9]{4,14}$',
  'x-normalise': 'trim',
  'x-why': { pattern: 'must be in E.164: + and 5 to 15 digits with the country code, without spaces' },
} as const satisfies FieldSchema;

export const queueStatus = {
  type: 'string',
  enum: ['NEW', 'PROCESSING', 'FAILED'],
} as const satisfies FieldSchema;

export const text = { type: 'string' } as const satisfies FieldSchema;
export const flag = { type: 'boolean' } as const satisfies FieldSchema;

/** See SecondFactorRule of imports/model.ts. */
export const secondFactorRule = {
  type: 'string',
  enum: ['refuse', 'flag', 'drop'],
  description:
    'How users with a second factor or a required action such as UPDATE_PASSWORD, which a sign-in here does not ask for, are treated: refuse (when left out) imports them and refuses their sign-in until it is lifted (PUT /user/restrictions), flag imports them with what the record holds of it, drop without the factor. After flag and drop the right password alone signs in. All are counted.',
} as const satisfies FieldSchema;

export const sameIds = {
  ...flag,
  description:
    'The user with the external id is the one the record means, also with another email, phone number, provider identity and password. Left out, such a record is rejected as DIFFERENT_PERSON.',
} as const satisfies FieldSchema;

export const restoreRemoved = {
  ...flag,
  description:
    'Users who were imported and then removed here are imported again. Left out, their records are rejected as REMOVED_HERE.',
} as const satisfies FieldSchema;

export const source = {
  type: 'string',
  description:
    'Which system the file is of: a label that distinguishes its imports from those of other systems. Default: no label.',
  maxLength: 64,
} as const satisfies FieldSchema;

/** Short enough for a word of a command. */
export const series = {
  type: 'string',
  description:
    'The series that the import belongs to, as those of a follower: its imports are one entry of the list, with the sums of their counts. Not for a dry run.',
  pattern: '^[A-Za-z0-9_.-]{1,64}$',
  'x-why': { pattern: 'must be 1 to 64 letters, digits and any of _ . -' },
} as const satisfies FieldSchema;

export const whole = {
  ...flag,
  description:
    'Only with series: the file has all users of the source, so that its rejects are those that the series has now.',
} as const satisfies FieldSchema;

export const absent = {
  type: 'string',
  enum: ['report', 'disable', 'remove'],
  description:
    'For a whole export only: the treatment of users that an import of the same source created, that are in a tenant of the file, and that are not in the file. report lists them. No user is disabled or removed in a dry run, or where the file has half or fewer of those users or invalid records, unless absentYes allows it. Left out: they are not looked for.',
} as const satisfies FieldSchema;

export const absentYes = {
  ...flag,
  description: 'Users are disabled or removed (absent) also where the file looks like a part of an export.',
} as const satisfies FieldSchema;

export const receipt = {
  ...flag,
  description:
    'The outcome of each line is stored, so that the ended job can have a signed receipt (POST /bulk-import/jobs/{id}/receipt).',
} as const satisfies FieldSchema;

export const compare = {
  ...flag,
  description:
    'For a whole export only: nothing is imported. The job lists every field in which a record and its user differ, and which side has changed it since the last import (GET …/conflicts), users of either side whom the other lacks, and users who were removed here (GET …/rejects, GET …/absent).',
} as const satisfies FieldSchema;

/** For external ids. */
export const idPrefix = {
  type: 'string',
  description: 'Put before the external ids of all records: for systems whose ids overlap.',
  pattern: '^[A-Za-z0-9_.:|@/+~-]{1,64}$',
  'x-why': { pattern: 'must be 1 to 64 letters, digits and any of _ . : | @ / + ~ -' },
} as const satisfies FieldSchema;

/** As the SDK spells them. */
export const factors = {
  type: ['array', 'null'],
  description: 'Left out: as it is; null: no longer set.',
  items: { type: 'string' },
  maxItems: 100,
} as const satisfies FieldSchema;
