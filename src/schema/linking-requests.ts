import * as field from './fields.ts';
import type { RequestSchema } from './fields.ts';

const recipeUser = {
  type: 'object',
  properties: { recipeUserId: field.userId },
  required: ['recipeUserId'],
} as const satisfies RequestSchema;

const twoUsers = {
  type: 'object',
  properties: { recipeUserId: field.userId, primaryUserId: field.userId },
  required: ['recipeUserId', 'primaryUserId'],
} as const satisfies RequestSchema;

/** The message names the field as the contract does. */
const tenantUser = {
  type: 'object',
  properties: {
    recipeUserId: {
      ...field.userId,
      'x-messages': { minLength: "Field name 'userId' cannot be an empty String" },
    },
  },
  required: ['recipeUserId'],
} as const satisfies RequestSchema;

/** Bodies of requests about linked users; see requests.ts. */
export const linkingBodies = { recipeUser, linkUsers: twoUsers, tenantUser } as const;

/** Parameters of URLs of requests about linked users; see queries.ts. Objects of their own, as each validator needs. */
export const linkingQueries = { primaryCheck: { ...recipeUser }, linkCheck: { ...twoUsers } } as const;
