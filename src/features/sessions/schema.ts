import * as field from '../../schema/fields.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';

const object = { type: 'object' } as const satisfies FieldSchema;
const objectOrNull = { type: ['object', 'null'] } as const satisfies FieldSchema;
const textOrNull = { type: ['string', 'null'] } as const satisfies FieldSchema;
/** Any text: sessions can be created for ids that are not a user's. */
const userId = { type: 'string', maxLength: 128 } as const satisfies FieldSchema;

/** Bodies of requests. */
export const sessionBodies = {
  createSession: {
    type: 'object',
    properties: {
      userId,
      enableAntiCsrf: field.flag,
      userDataInJWT: object,
      userDataInDatabase: object,
      useDynamicSigningKey: field.flag,
    },
    required: ['userId', 'enableAntiCsrf', 'userDataInJWT', 'userDataInDatabase'],
  },
  refreshSession: {
    type: 'object',
    properties: {
      refreshToken: field.text,
      antiCsrfToken: textOrNull,
      enableAntiCsrf: field.flag,
      useDynamicSigningKey: field.flag,
    },
    required: ['refreshToken', 'enableAntiCsrf', 'useDynamicSigningKey'],
  },
  verifySession: {
    type: 'object',
    properties: {
      accessToken: field.text,
      antiCsrfToken: textOrNull,
      doAntiCsrfCheck: field.flag,
      enableAntiCsrf: field.flag,
      checkDatabase: field.flag,
    },
    required: ['accessToken', 'doAntiCsrfCheck', 'enableAntiCsrf', 'checkDatabase'],
  },
  regenerateSession: {
    type: 'object',
    properties: { accessToken: field.text, userDataInJWT: objectOrNull },
    required: ['accessToken'],
  },
  putSessionData: {
    type: 'object',
    properties: { sessionHandle: field.text, userDataInDatabase: object },
    required: ['sessionHandle', 'userDataInDatabase'],
  },
  putJwtData: {
    type: 'object',
    properties: { sessionHandle: field.text, userDataInJWT: object },
    required: ['sessionHandle', 'userDataInJWT'],
  },
  removeSessions: {
    type: 'object',
    properties: {
      sessionHandles: { type: 'array', items: field.text },
      userId,
      revokeAcrossAllTenants: field.flag,
      revokeSessionsForLinkedAccounts: field.flag,
    },
    required: [],
  },
  createJwt: {
    type: 'object',
    properties: {
      algorithm: field.text,
      jwksDomain: field.text,
      payload: object,
      validity: {
        type: 'integer',
        minimum: 1,
        'x-messages': { minimum: 'validity must be greater than or equal to 0' },
      },
      useStaticSigningKey: field.flag,
    },
    required: ['algorithm', 'jwksDomain', 'payload', 'validity'],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const sessionQueries = {
  session: { type: 'object', properties: { sessionHandle: field.text }, required: ['sessionHandle'] },
  listSessions: {
    type: 'object',
    properties: {
      userId: field.text,
      fetchAcrossAllTenants: field.flag,
      fetchSessionsForAllLinkedAccounts: field.flag,
    },
    required: ['userId'],
  },
} as const satisfies Record<string, RequestSchema>;

export type SessionInputs = Inputs<typeof sessionBodies & typeof sessionQueries>;
