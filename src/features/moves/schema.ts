import * as field from '../../schema/fields.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';

const count = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const satisfies FieldSchema;

/** Numbers by names that the reporting command chooses, such as classes of differences. */
const counts = {
  type: 'object',
  description: 'Whole numbers by name, at most 50.',
} as const satisfies FieldSchema;

const share = {
  type: 'integer',
  description: 'Percentage of the users who sign in here.',
  minimum: 1,
  maximum: 100,
} as const satisfies FieldSchema;

const source = {
  system: {
    type: 'string',
    description: 'The provider that reads the old system, such as laravel.',
    pattern: '^[a-z0-9-]{1,64}$',
    'x-why': { pattern: 'must be the name of a provider' },
  },
  address: {
    type: 'string',
    description: 'Of its database, without user, password and options. Left out: it is read from files.',
    maxLength: 255,
    pattern: '^[a-z]+://[^@?#\\s]+$',
    'x-why': { pattern: 'must be a URL without user, password and options' },
  },
  source: { ...field.source, description: 'The label of its imports. Default: no label.' },
} as const satisfies Record<string, FieldSchema>;

const step = {
  dryRun: { ...field.flag, description: 'Says what the step would do, and what is against it.' },
  revision: {
    ...count,
    description: 'Of the status that the step was decided by: after another step it is refused.',
  },
} as const satisfies Record<string, FieldSchema>;

const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
const role = { type: 'string', enum: ['follow', 'write-back'] } as const satisfies FieldSchema;
const fence = { ...count, description: 'As claimed.' } as const satisfies FieldSchema;

/** Bodies of requests. */
export const moveBodies = {
  startMove: { type: 'object', properties: source, required: ['system'] },
  stepForwards: {
    type: 'object',
    properties: {
      ...step,
      share,
      refusedBefore: {
        type: 'number',
        description:
          'Percentage of users who give two wrong passwords in a row before a right one. Left out: by the sign-ins that were reported.',
        minimum: 0,
        maximum: 50,
      },
    },
    required: [],
  },
  stepBack: { type: 'object', properties: { ...step, share }, required: [] },
  closeMove: {
    type: 'object',
    properties: { ...step, abandon: { ...field.flag, description: 'The old system stays.' } },
    required: [],
  },
  reportPlan: { type: 'object', properties: { users: count, counts }, required: ['users'] },
  reportCanaries: {
    type: 'object',
    properties: { verified: count, failed: count },
    required: ['verified', 'failed'],
  },
  reportComparison: {
    type: 'object',
    properties: {
      users: count,
      unexplained: { ...count, description: 'Differences that are not settled.' },
      counts,
      digest: {
        type: 'string',
        description: 'Of what was compared.',
        pattern: '^[0-9a-f]{16,128}$',
        'x-why': { pattern: 'must be 16 to 128 lower-case hexadecimal digits' },
      },
      tookMs: count,
    },
    required: ['users', 'unexplained', 'tookMs'],
  },
  reportWayBack: {
    type: 'object',
    properties: {
      users: count,
      without: { ...count, description: 'Users who could not return to the old system.' },
      why: { ...counts, description: 'How many of them, by the code of the reason.' },
      tookMs: count,
    },
    required: ['users', 'without', 'tookMs'],
  },
  claimLease: {
    type: 'object',
    properties: {
      role,
      holder: {
        type: 'string',
        description: 'For messages, such as the name of a machine and the number of a process.',
        minLength: 1,
        maxLength: 128,
      },
      ...source,
    },
    required: ['role', 'holder', 'system'],
  },
  renewLease: {
    type: 'object',
    properties: {
      role,
      fence,
      position: { type: 'string', description: 'Read by the holder alone.', maxLength: 4096 },
      lagMs: count,
      lagRecords: count,
      jobId: {
        type: 'string',
        description: 'The import that the holder is about to send: who takes the lease over ends it.',
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        'x-why': { pattern: 'must be the id of an import' },
      },
    },
    required: ['role', 'fence'],
  },
  releaseLease: { type: 'object', properties: { role, fence }, required: ['role', 'fence'] },
  settleChanges: {
    type: 'object',
    properties: {
      fence,
      settled: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: {
              ...field.userId,
              pattern: uuid,
              'x-why': { pattern: 'must be an id of GET /move/changes' },
            },
            changes: {
              type: 'array',
              items: {
                type: 'string',
                pattern: '^[0-9]{1,18}$',
                'x-why': { pattern: 'must be a number of GET /move/changes' },
              },
              minItems: 1,
              maxItems: 500,
            },
            oldId: {
              type: 'string',
              description: 'The key of the row that was made there.',
              minLength: 1,
              maxLength: 256,
            },
            conflict: {
              type: 'string',
              description: 'Why the user was not written. Left out: what changed is in the old system.',
              pattern: '^[A-Z_]{1,64}$',
              'x-why': { pattern: 'must be capital letters and _' },
            },
            passwordMark: {
              type: 'string',
              description:
                'The first 16 bytes of SHA-256 of the hash here whose password the old system has by now, in hexadecimal digits.',
              pattern: '^[0-9a-f]{32}$',
              'x-why': { pattern: 'must be 32 lower-case hexadecimal digits' },
            },
          },
          required: ['id', 'changes'],
        },
        minItems: 1,
        maxItems: 500,
      },
    },
    required: ['fence', 'settled'],
  },
  reportSignIns: {
    type: 'object',
    properties: {
      signIns: {
        type: 'array',
        items: {
          type: 'object',
          properties: { email: field.emailSought, userId: field.userId, isRight: field.flag },
          required: ['isRight'],
        },
        minItems: 1,
        maxItems: 500,
      },
    },
    required: ['signIns'],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const moveQueries = {
  whereToSignIn: {
    type: 'object',
    properties: {
      email: { ...field.emailSought, minLength: 1, maxLength: 256 },
      userId: field.userId,
    },
    required: [],
  },
  readChanges: {
    type: 'object',
    properties: {
      limit: { type: 'integer', description: 'Changes, default 500.', minimum: 1, maximum: 500 },
      conflicts: { ...field.flag, description: 'Those that were not written, instead of those that wait.' },
      after: {
        type: 'string',
        description: 'The greatest number of the answer before, to read on without confirming it.',
        pattern: '^[0-9]{1,18}$',
        'x-why': { pattern: 'must be a number of GET /move/changes' },
      },
      changedSince: { ...field.timeMs, description: 'Only changes from then on, in ms since 1970.' },
    },
    required: [],
  },
} as const satisfies Record<string, RequestSchema>;

export type MoveInputs = Inputs<typeof moveBodies & typeof moveQueries>;
