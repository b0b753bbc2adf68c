import * as field from './fields.ts';
import type { FieldSchema, RequestSchema } from './fields.ts';
import { formerQueries } from './requests/former.ts';
import { linkingQueries } from './requests/tenants.ts';

const uuid = { type: 'string', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' } as const;

const pageAfter = {
  ...uuid,
  'x-why': { pattern: 'must be a token that an earlier page gave' },
} as const satisfies FieldSchema;

/** The contract's text, which callers search for. */
const leastLimit = 'limit must a positive integer with min value 1';
const pageLimit = {
  type: 'integer',
  description: 'At most 500, where nothing is searched for.',
  minimum: 1,
  'x-why': { type: leastLimit, minimum: leastLimit },
} as const satisfies FieldSchema;

const beginnings = (what: string) =>
  ({ type: 'string', description: `The beginning of ${what}, or several between semicolons.` }) as const;

export const jobParameters = {
  onConflict: { type: 'string', enum: ['update', 'theirs', 'ours', 'reject', 'skip'] },
  dryRun: field.flag,
  compare: field.compare,
  secondFactor: field.secondFactorRule,
  sameIds: field.sameIds,
  idPrefix: field.idPrefix,
  restoreRemoved: field.restoreRemoved,
  source: field.source,
  series: field.series,
  whole: field.whole,
  absent: field.absent,
  absentYes: field.absentYes,
  receipt: field.receipt,
  name: { type: 'string', maxLength: 256 },
} as const satisfies Record<string, FieldSchema>;

/** Every request with parameters in the URL; see requests.ts. Types are those after conversion: queries arrive as text. */
export const queries = {
  verification: {
    type: 'object',
    properties: { userId: field.userId, email: field.emailSought },
    required: ['userId', 'email'],
  },
  userIdMap: {
    type: 'object',
    properties: { userId: field.mappedUserId, userIdType: field.userIdType },
    required: ['userId'],
  },
  userId: { type: 'object', properties: { userId: field.text }, required: ['userId'] },
  restrictions: {
    type: 'object',
    properties: {
      userId: { ...field.text, description: 'Left out: all users who may not sign in, page by page.' },
      requiredAction: {
        ...field.text,
        description:
          'Without userId: only users whose record states this action, and that nothing else restricts that can be read: CHECK_AT_SOURCE, UPDATE_PASSWORD.',
      },
      job: {
        ...uuid,
        description: 'Without userId: only users that this import created or changed.',
        'x-why': { pattern: 'must be the id of an import, as carryover jobs lists it' },
      },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      paginationToken: pageAfter,
    },
    required: [],
  },
  accountInfo: {
    type: 'object',
    properties: {
      email: field.emailSought,
      phoneNumber: { ...field.text, description: 'In any spelling: it is converted to E.164.' },
      thirdPartyId: field.thirdPartyId,
      thirdPartyUserId: field.thirdPartyUserId,
      doUnionOfAccountInfo: field.flag,
    },
    required: [],
  },
  listUsers: {
    type: 'object',
    description:
      'With email, phone or provider a search: up to 1000 users with a login method that fits each of them, without limit and paginationToken.',
    properties: {
      limit: pageLimit,
      timeJoinedOrder: { type: 'string', enum: ['ASC', 'DESC'] },
      paginationToken: field.text,
      includeRecipeIds: field.recipeIds,
      email: beginnings('an email or of its domain'),
      phone: beginnings('a phone number'),
      provider: beginnings("a provider's id"),
    },
    required: [],
  },
  countUsers: {
    type: 'object',
    properties: {
      includeRecipeIds: field.recipeIds,
      includeAllTenants: field.flag,
      allowApproximate: {
        ...field.flag,
        description: 'Answers approximate and asOf as well; the count is exact.',
      },
    },
    required: [],
  },
  countActive: {
    type: 'object',
    properties: {
      since: {
        type: 'integer',
        description: 'ms since the epoch. Activity is noted to the nearest five minutes.',
        minimum: 0,
        'x-messages': { type: "'since' query parameter must be >= 0" },
      },
    },
    required: ['since'],
  },
  listBulkUsers: {
    type: 'object',
    properties: {
      status: field.queueStatus,
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      paginationToken: field.text,
    },
    required: [],
  },
  countBulkUsers: { type: 'object', properties: { status: field.queueStatus }, required: [] },
  exportUsers: {
    type: 'object',
    properties: {
      changedSince: {
        type: 'string',
        description:
          'The id of a job, whose beginning counts, or a time (ISO 8601, or ms since 1970): only users who were made or changed here since then. Left out: all.',
      },
    },
    required: [],
  },
  hashReport: {
    type: 'object',
    properties: {
      days: {
        type: 'integer',
        description: 'How far back activity is looked at. 30 when left out.',
        minimum: 1,
        maximum: 3650,
      },
      limit: {
        type: 'integer',
        description: 'The most mismatches to list. Default: 100.',
        minimum: 1,
        maximum: 500,
      },
    },
    required: [],
  },
  createJob: {
    type: 'object',
    properties: jobParameters,
    required: [],
  },
  cancelJob: {
    type: 'object',
    properties: {
      purge: {
        ...field.flag,
        description: 'Removes the personal data of a job that has ended: its rejects, and what it replaced.',
      },
    },
    required: [],
  },
  foreseeUndo: {
    type: 'object',
    properties: { force: field.flag },
    required: [],
  },
  listJobs: {
    type: 'object',
    properties: {
      series: { ...field.series, description: 'Only the jobs of this series, each as an entry.' },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      paginationToken: pageAfter,
    },
    required: [],
  },
  ...linkingQueries,
  ...formerQueries,
} as const satisfies Record<string, RequestSchema>;

/** Searches that would return other users if a parameter were ignored: unknown ones are refused. */
export const closedQueries: ReadonlySet<string> = new Set<keyof typeof queries>([
  'accountInfo',
  'countUsers',
  'listUsers',
]);
