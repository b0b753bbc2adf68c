import * as field from './fields.ts';
import type { FieldSchema, RequestSchema } from './fields.ts';
import type { InputOf } from './input.ts';

/**
 * A record of a bulk import in pieces: the whole record, and its login methods by recipe, so that faults match the named recipe.
 * Tenants, dates and hashes depend on the job and are checked later.
 */

const tenantIds = {
  type: 'array',
  minItems: 1,
  items: { type: 'string', 'x-normalise': 'lower' },
  'x-why': {
    type: 'must be a list of tenant ids',
    minItems: 'must name a tenant; leave it out for the public one',
  },
} as const satisfies FieldSchema;

/** Fields that all three recipes share, in the order of reporting: before and after their own. */
const methodHead = { recipeId: field.text } as const;
const methodTail = {
  tenantIds,
  isVerified: field.flag,
  isPrimary: field.flag,
  timeJoinedInMSSinceEpoch: field.timeMs,
} as const;

export const records = {
  bulkUser: {
    type: 'object',
    properties: {
      externalUserId: field.externalUserId,
      loginMethods: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            recipeId: { type: 'string', enum: ['emailpassword', 'thirdparty', 'passwordless'] },
          },
          required: ['recipeId'],
        },
      },
      userMetadata: { type: 'object' },
      userRoles: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            role: { type: 'string', minLength: 1, maxLength: 255, 'x-normalise': 'trim' },
            tenantIds,
          },
          required: ['role'],
        },
      },
      totpDevices: {
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          properties: {
            secretKey: { type: 'string', minLength: 1, maxLength: 256, 'x-normalise': 'trim' },
            secretEncoding: { type: 'string', enum: ['base32', 'text', 'hex', 'base64', 'latin1'] },
            algorithm: { type: 'string', enum: ['SHA1', 'SHA256', 'SHA512'] },
            digits: { type: 'integer', minimum: 6, maximum: 8 },
            period: { type: 'integer', minimum: 1, maximum: 86_400 },
            skew: {
              type: 'integer',
              minimum: 0,
              maximum: 10,
              'x-why': { maximum: 'must be at most 10 periods: write 10 or less' },
            },
            deviceName: { type: 'string', minLength: 1, maxLength: 256, 'x-normalise': 'trim' },
          },
          required: ['secretKey'],
        },
        'x-why': {
          maxItems: 'must not have more than 10 items: leave out devices that are not used any more',
        },
      },
      backupCodes: {
        type: 'array',
        maxItems: 64,
        items: {
          type: 'object',
          properties: {
            code: { type: 'string', minLength: 6, maxLength: 64, 'x-normalise': 'trim' },
            hash: { type: 'string', minLength: 1, maxLength: 1024, 'x-normalise': 'trim' },
            hashingAlgorithm: field.text,
          },
          required: [],
        },
        'x-why': { maxItems: 'must not have more than 64 items' },
      },
      secondFactors: {
        type: 'array',
        items: {
          type: 'string',
          enum: ['totp', 'hotp', 'sms', 'email', 'push', 'webauthn', 'backup', 'other'],
        },
      },
      requiredActions: {
        type: 'array',
        maxItems: 64,
        items: { type: 'string', minLength: 1, maxLength: 255, 'x-normalise': 'trim' },
        'x-why': { maxItems: 'must not have more than 64 items' },
      },
      isDisabled: field.flag,
      disabledUntil: field.timeMs,
      sameIds: field.flag,
      restoreRemoved: field.flag,
    },
    required: ['loginMethods'],
  },
  bulkPasswordMethod: {
    type: 'object',
    properties: {
      ...methodHead,
      email: field.email,
      passwordHash: { type: 'string', 'x-normalise': 'trim' },
      hashingAlgorithm: field.text,
      passwordTransforms: field.text,
      plainTextPassword: field.password,
      legacy: { type: 'string', 'x-normalise': 'trim' },
      ...methodTail,
    },
    required: ['recipeId', 'email'],
  },
  bulkThirdPartyMethod: {
    type: 'object',
    properties: {
      ...methodHead,
      email: field.email,
      thirdPartyId: field.thirdPartyId,
      thirdPartyUserId: field.thirdPartyUserId,
      ...methodTail,
    },
    required: ['recipeId', 'email', 'thirdPartyId', 'thirdPartyUserId'],
  },
  bulkPasswordlessMethod: {
    type: 'object',
    properties: {
      ...methodHead,
      email: field.email,
      phoneNumber: field.phoneNumber,
      ...methodTail,
    },
    required: ['recipeId'],
  },
} as const satisfies Record<string, RequestSchema>;

export type RecordName = keyof typeof records;

type OuterForm<P> = {
  readonly [N in keyof P]: P[N] extends { readonly type: infer T } ? { readonly type: T } : never;
};

/** Types only: values are checked when the record is imported, in whichever way it arrives. */
function outerForm<P extends Readonly<Record<string, FieldSchema>>>(properties: P): OuterForm<P> {
  const types = Object.entries(properties).map(([name, { type }]) => [name, { type }] as const);
  return Object.fromEntries(types) as OuterForm<P>;
}

export const outerRecord = outerForm(records.bulkUser.properties);

export type RecordInputs = { readonly [N in RecordName]: InputOf<(typeof records)[N]> };
