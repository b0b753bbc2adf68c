import * as field from '../../schema/fields.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';

const object = { type: 'object' } as const satisfies FieldSchema;

/** ms since the epoch */
const moment = { type: 'integer', minimum: 0, maximum: 253_402_300_799_999 } as const satisfies FieldSchema;

/** Bodies of requests. */
export const carryBodies = {
  carrySession: {
    type: 'object',
    properties: {
      source: field.text,
      token: { type: 'string', minLength: 1, maxLength: 32_768 },
      userDataInJWT: object,
      userDataInDatabase: object,
      enableAntiCsrf: field.flag,
      useDynamicSigningKey: field.flag,
    },
    required: ['source', 'token'],
  },
  importSessions: {
    type: 'object',
    properties: {
      source: field.text,
      sessions: {
        type: 'array',
        minItems: 1,
        maxItems: 5000,
        items: {
          type: 'object',
          properties: {
            kind: { type: 'string', enum: ['session'] },
            userId: { type: 'string', minLength: 1, maxLength: 128 },
            tokenSha256: { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
            expiresAt: moment,
            issuedAt: moment,
          },
          required: ['userId', 'tokenSha256', 'expiresAt'],
        },
      },
    },
    required: ['source', 'sessions'],
  },
} as const satisfies Record<string, RequestSchema>;

export type CarryInputs = Inputs<typeof carryBodies>;
