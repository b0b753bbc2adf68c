import * as field from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';

/** Whether it is an address, and whether the password is strong enough, is answered with a separate status. */
const email = { ...field.emailSought } as const satisfies FieldSchema;
const password = { type: 'string', 'x-maxBytes': 4096 } as const satisfies FieldSchema;
/** Null is the same as leaving it out. */
const idOrNull = { type: ['string', 'null'] } as const satisfies FieldSchema;
const emailOrNull = { type: ['string', 'null'], 'x-normalise': 'email' } as const satisfies FieldSchema;
const passwordOrNull = { type: ['string', 'null'], 'x-maxBytes': 4096 } as const satisfies FieldSchema;

/** Bodies of requests. */
export const dashboardBodies = {
  dashboardSignIn: { type: 'object', properties: { email, password }, required: ['email', 'password'] },
  addDashboardUser: { type: 'object', properties: { email, password }, required: ['email', 'password'] },
  changeDashboardUser: {
    type: 'object',
    description:
      "Of the user with this id or, where it is left out, with this email. All of the user's sessions end.",
    properties: {
      newEmail: emailOrNull,
      newPassword: passwordOrNull,
      userId: idOrNull,
      email: emailOrNull,
    },
    required: [],
  },
  verifyDashboardSession: {
    type: 'object',
    properties: { sessionId: field.text },
    required: ['sessionId'],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const dashboardQueries = {
  dashboardUser: { type: 'object', properties: { userId: field.text, email }, required: [] },
  dashboardSession: { type: 'object', properties: { sessionId: field.text }, required: ['sessionId'] },
  dashboardSessions: { type: 'object', properties: { userId: field.text }, required: ['userId'] },
} as const satisfies Record<string, RequestSchema>;

export type DashboardInputs = Inputs<typeof dashboardBodies & typeof dashboardQueries>;
