import * as field from '../fields.ts';
import type { FieldSchema, RequestSchema } from '../fields.ts';

const emailSought = { ...field.emailSought } as const satisfies FieldSchema;

/** Bodies that only older versions of the driver interface accept, for http/versions; see ../requests.ts. */
export const formerBodies = {
  refreshSessionByKeptKey: {
    type: 'object',
    properties: {
      refreshToken: field.text,
      antiCsrfToken: { type: ['string', 'null'] },
      enableAntiCsrf: field.flag,
      useDynamicSigningKey: { ...field.flag, description: 'Left out: as the session has it.' },
    },
    required: ['refreshToken', 'enableAntiCsrf'],
  },
  putFormerTenant: {
    type: 'object',
    properties: {
      tenantId: field.tenantName,
      emailPasswordEnabled: field.flag,
      thirdPartyEnabled: field.flag,
      passwordlessEnabled: field.flag,
      coreConfig: field.coreConfig,
      firstFactors: field.factors,
      requiredSecondaryFactors: field.factors,
    },
    required: [],
  },
  createFormerResetToken: {
    type: 'object',
    properties: { userId: field.userId },
    required: ['userId'],
  },
  resetPassword: {
    type: 'object',
    properties: {
      method: {
        type: 'string',
        enum: ['token'],
        'x-messages': { enum: 'Unsupported method for password reset' },
      },
      token: field.text,
      newPassword: field.password,
    },
    required: ['method', 'token', 'newPassword'],
  },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters that only older versions of the driver interface accept; see ../queries.ts. */
export const formerQueries = {
  methodOfUser: {
    type: 'object',
    properties: {
      userId: field.text,
      email: emailSought,
      phoneNumber: field.text,
      thirdPartyId: field.thirdPartyId,
      thirdPartyUserId: field.thirdPartyUserId,
    },
    required: [],
  },
  usersByEmail: { type: 'object', properties: { email: { ...emailSought } }, required: ['email'] },
} as const satisfies Record<string, RequestSchema>;
