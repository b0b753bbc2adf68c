import type { RequestSchema } from '../../schema/fields.ts';

const name = { type: 'string', minLength: 1, maxLength: 64 } as const;

/** Query parameters of requests. */
export const auditQueries = {
  listAudit: {
    type: 'object',
    properties: {
      since: { type: 'integer', minimum: 0, description: 'No older ones; ms since the epoch.' },
      who: { ...name, description: 'The name of a key.' },
      what: {
        ...name,
        description: 'An act, or its beginning up to a dot: `import` finds `import.undo` too.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      paginationToken: {
        type: 'string',
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        'x-why': { pattern: 'must be a token that an earlier page gave' },
      },
    },
    required: [],
  },
} as const satisfies Record<string, RequestSchema>;
