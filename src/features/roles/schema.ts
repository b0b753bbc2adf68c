import * as field from '../../schema/fields.ts';
import type { FieldSchema, RequestSchema } from '../../schema/fields.ts';
import type { Inputs } from '../../schema/forms.ts';

const nameOf = (what: string) =>
  ({
    type: 'string',
    minLength: 1,
    maxLength: 255,
    'x-normalise': 'trim',
    'x-messages': { minLength: `Field name '${what}' cannot be an empty String` },
  }) as const satisfies FieldSchema;

const role = nameOf('role');
const permission = nameOf('permission');
/** Null is the same as leaving it out. */
const permissions = {
  type: ['array', 'null'],
  items: { type: 'string', minLength: 1, maxLength: 255, 'x-normalise': 'trim' },
  'x-messages': { minLength: "Field name 'permissions' cannot contain an empty string" },
} as const satisfies FieldSchema;
/** Any text: roles and metadata can belong to ids without a user. */
const userId = { type: 'string', maxLength: 128 } as const satisfies FieldSchema;

/** Bodies of requests. */
export const roleBodies = {
  putRole: { type: 'object', properties: { role, permissions }, required: ['role'] },
  removePermissions: { type: 'object', properties: { role, permissions }, required: ['role'] },
  removeRole: { type: 'object', properties: { role }, required: ['role'] },
  userRole: { type: 'object', properties: { userId, role }, required: ['userId', 'role'] },
  putMetadata: {
    type: 'object',
    properties: {
      userId,
      metadataUpdate: {
        type: 'object',
        description: 'Merged into what there is, at the top level; null removes a key.',
      },
    },
    required: ['userId', 'metadataUpdate'],
  },
  removeMetadata: { type: 'object', properties: { userId }, required: ['userId'] },
} as const satisfies Record<string, RequestSchema>;

/** Query parameters of requests. */
export const roleQueries = {
  role: { type: 'object', properties: { role }, required: ['role'] },
  permission: { type: 'object', properties: { permission }, required: ['permission'] },
  userRoles: { type: 'object', properties: { userId: field.text }, required: ['userId'] },
  metadata: { type: 'object', properties: { userId: field.text }, required: ['userId'] },
} as const satisfies Record<string, RequestSchema>;

export type RoleInputs = Inputs<typeof roleBodies & typeof roleQueries>;
