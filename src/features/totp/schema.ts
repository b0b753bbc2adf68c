import * as field from '../../schema/fields.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';

const notEmpty = (name: string) => ({ minLength: `${name} cannot be empty` });

/** Any text: devices can be created for ids that are not a user's. */
const userId = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  'x-messages': notEmpty('userId'),
} as const satisfies FieldSchema;

const deviceName = {
  type: 'string',
  minLength: 1,
  maxLength: 256,
  'x-messages': notEmpty('deviceName'),
} as const satisfies FieldSchema;

const made = {
  userId,
  deviceName: { ...deviceName, type: ['string', 'null'] },
  skew: {
    type: 'integer',
    minimum: 0,
    maximum: 10,
    'x-why': { maximum: 'must be at most 10 periods' },
    'x-messages': { minimum: 'skew must be >= 0' },
  },
  period: { type: 'integer', minimum: 1, maximum: 86_400, 'x-messages': { minimum: 'period must be > 0' } },
} as const satisfies Record<string, FieldSchema>;

/** Bodies of requests. */
export const totpBodies = {
  createTotpDevice: { type: 'object', properties: made, required: ['userId', 'skew', 'period'] },
  importTotpDevice: {
    type: 'object',
    properties: {
      ...made,
      secretKey: {
        type: 'string',
        description: 'Base32, as authenticator apps take it.',
        minLength: 1,
        maxLength: 256,
        'x-normalise': 'trim',
        'x-messages': notEmpty('secretKey'),
      },
      algorithm: { type: 'string', enum: ['SHA1', 'SHA256', 'SHA512'] },
      digits: { type: 'integer', minimum: 6, maximum: 8 },
    },
    required: ['userId', 'skew', 'period', 'secretKey'],
  },
  renameTotpDevice: {
    type: 'object',
    properties: {
      userId,
      existingDeviceName: { ...deviceName, 'x-messages': notEmpty('existingDeviceName') },
      newDeviceName: { ...deviceName, 'x-messages': notEmpty('newDeviceName') },
    },
    required: ['userId', 'existingDeviceName', 'newDeviceName'],
  },
  removeTotpDevice: {
    type: 'object',
    properties: { userId, deviceName },
    required: ['userId', 'deviceName'],
  },
  verifyTotpDevice: {
    type: 'object',
    properties: { userId, deviceName, totp: field.text },
    required: ['userId', 'deviceName', 'totp'],
  },
  verifyTotp: {
    type: 'object',
    properties: { userId, totp: field.text },
    required: ['userId', 'totp'],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const totpQueries = {
  listDevices: {
    type: 'object',
    properties: {
      userId: { type: 'string', minLength: 1, 'x-messages': { minLength: 'userId cannot be empty' } },
    },
    required: ['userId'],
  },
} as const satisfies Record<string, RequestSchema>;

export type TotpInputs = Inputs<typeof totpBodies & typeof totpQueries>;
