import * as field from '../../schema/fields.ts';
import type { RequestSchema } from '../../schema/fields.ts';

/** Anything that the other system's users type: if it is not an email, it belongs to no user here. */
const identifier = { ...field.emailSought, maxLength: 1024 } as const;

/** Bodies in which other systems ask whether a password is right; see requests.ts. Fields that are not needed are not declared. */
export const hookBodies = {
  kratosHook: {
    type: 'object',
    properties: { identifier, password: field.password },
    required: ['identifier', 'password'],
  },
  oktaHook: {
    type: 'object',
    properties: {
      data: {
        type: 'object',
        properties: {
          context: {
            type: 'object',
            properties: {
              credential: {
                type: 'object',
                properties: { username: { ...identifier }, password: { ...field.password } },
                required: ['username', 'password'],
              },
            },
            required: ['credential'],
          },
        },
        required: ['context'],
      },
    },
    required: ['data'],
  },
  keycloakHook: {
    type: 'object',
    properties: { password: field.password },
    required: ['password'],
  },
  fusionAuthHook: {
    type: 'object',
    properties: { loginId: { ...identifier }, password: field.password },
    required: ['loginId', 'password'],
  },
  httpHook: {
    type: 'object',
    properties: { email: { ...identifier }, password: field.password },
    required: ['email', 'password'],
  },
} as const satisfies Record<string, RequestSchema>;
