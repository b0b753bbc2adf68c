import type { RequestSchema } from '../../schema/fields.ts';

/** Bodies of requests. */
export const receiptBodies = {
  makeReceipt: {
    type: 'object',
    properties: {
      files: {
        type: 'array',
        description: 'The files that were imported, as the sender states them.',
        maxItems: 1000,
        items: {
          type: 'object',
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 255 },
            sha256: {
              type: 'string',
              pattern: '^[0-9a-f]{64}$',
              'x-why': { pattern: 'must be 64 hexadecimal digits in lower case' },
            },
          },
          required: ['name', 'sha256'],
        },
      },
    },
    required: [],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const receiptQueries = {
  proveLine: {
    type: 'object',
    properties: {
      line: { type: 'integer', minimum: 1, description: 'The number of the line in the upload, from 1.' },
    },
    required: ['line'],
  },
} as const satisfies Record<string, RequestSchema>;
