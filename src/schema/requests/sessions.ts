import * as field from '../fields.ts';
import type { FieldSchema, RequestSchema } from '../fields.ts';

const object = { type: 'object' } as const satisfies FieldSchema;
const objectOrNull = { type: ['object', 'null'] } as const satisfies FieldSchema;
const textOrNull = { type: ['string', 'null'] } as const satisfies FieldSchema;
/** Any text: sessions can be made for ids that are no user's. */
const ofSession = { type: 'string', maxLength: 128 } as const satisfies FieldSchema;

/** ms since the epoch */
const moment = { type: 'integer', minimum: 0, maximum: 253_402_300_799_999 } as const satisfies FieldSchema;

/** Bodies of requests about sessions; see ../requests.ts. */
export const sessionBodies = {
  createSession: {
    type: 'object',
    properties: {
      userId: ofSession,
      enableAntiCsrf: field.flag,
      userDataInJWT: object,
      userDataInDatabase: object,
      useDynamicSigningKey: field.flag,
    },
    required: ['userId', 'enableAntiCsrf', 'userDataInJWT', 'userDataInDatabase'],
  },
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
      userId: ofSession,
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

/** Parameters of URLs of requests about sessions; see ../queries.ts. */
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
