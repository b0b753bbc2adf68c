import * as field from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';

const orNull = ['string', 'null'] as const;
const textOrNull = { type: orNull } as const satisfies FieldSchema;
const email = { ...field.email, type: orNull } as const satisfies FieldSchema;
/** Only looked up. */
const emailSought = { ...field.emailSought, type: orNull } as const satisfies FieldSchema;
const phoneNumber = {
  type: orNull,
  description: 'Stored in E.164 where it is a number with its country code, else as it is, trimmed.',
  minLength: 1,
  maxLength: 256,
  // Without a letter or a digit all such texts would be the contact of one user.
  pattern: '[\\p{L}\\p{N}]',
  'x-normalise': 'trim',
  'x-why': { pattern: 'must have digits' },
} as const satisfies FieldSchema;
/** Only looked up. */
const phoneSought = { ...phoneNumber, description: 'In any spelling.' } as const satisfies FieldSchema;

/** Bodies of requests. */
export const passwordlessBodies = {
  createCode: {
    type: 'object',
    properties: {
      email,
      phoneNumber,
      deviceId: textOrNull,
      userInputCode: {
        type: orNull,
        minLength: 1,
        'x-messages': { minLength: 'userInputCode cannot be an empty string.' },
      },
    },
    required: [],
  },
  useCode: {
    type: 'object',
    properties: {
      preAuthSessionId: field.text,
      linkCode: textOrNull,
      deviceId: textOrNull,
      userInputCode: textOrNull,
    },
    required: ['preAuthSessionId'],
  },
  removeCode: {
    type: 'object',
    properties: { codeId: textOrNull, preAuthSessionId: textOrNull },
    required: [],
  },
  removeCodes: {
    type: 'object',
    properties: { email: emailSought, phoneNumber: phoneSought },
    required: [],
  },
  updatePasswordless: {
    type: 'object',
    properties: { recipeUserId: field.userId, email, phoneNumber },
    required: ['recipeUserId'],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const passwordlessQueries = {
  listCodes: {
    type: 'object',
    properties: {
      email: field.emailSought,
      phoneNumber: { ...phoneSought, type: 'string' },
      deviceId: field.text,
      preAuthSessionId: field.text,
    },
    required: [],
  },
} as const satisfies Record<string, RequestSchema>;

export type PasswordlessInputs = Inputs<typeof passwordlessBodies & typeof passwordlessQueries>;
