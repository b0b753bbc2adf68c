import * as field from '../fields.ts';
import type { FieldSchema } from '../fields.ts';

/** One-time codes that devices of imported users showed, with the device as its record will hold it. */
export const codeCanaries = {
  type: 'array',
  minItems: 1,
  maxItems: 100,
  items: {
    type: 'object',
    properties: {
      email: field.email,
      code: { type: 'string', minLength: 6, maxLength: 8 },
      at: { type: 'integer', description: 'When it was shown, ms since 1970.', minimum: 0, maximum: 8.64e15 },
      secretKey: { type: 'string', minLength: 1, maxLength: 256, 'x-normalise': 'trim' },
      secretEncoding: { type: 'string', enum: ['base32', 'text', 'hex', 'base64', 'latin1'] },
      algorithm: { type: 'string', enum: ['SHA1', 'SHA256', 'SHA512'] },
      digits: { type: 'integer', minimum: 6, maximum: 8 },
      period: { type: 'integer', minimum: 1, maximum: 86_400 },
      skew: { type: 'integer', minimum: 0, maximum: 1000 },
    },
    required: ['code', 'at', 'secretKey'],
  },
} as const satisfies FieldSchema;
