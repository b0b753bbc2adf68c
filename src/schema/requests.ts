import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import * as field from './fields.ts';
import type { RequestSchema } from './fields.ts';
import { linkingBodies } from './linking-requests.ts';
import { queries } from './queries.ts';
import { roleBodies } from './role-requests.ts';
import { sessionBodies } from './session-requests.ts';
import { totpBodies } from './totp-requests.ts';

export { queries };

const factors = { firstFactors: field.factors, requiredSecondaryFactors: field.factors } as const;

/**
 * Every request that carries input. One source for four readers: normalising, validating (validators.generated.cjs),
 * the TypeScript types below, and the OpenAPI document. Properties stand in the order in which they are reported.
 */
export const bodies = {
  importPasswordHash: {
    type: 'object',
    properties: {
      email: field.email,
      passwordHash: {
        type: 'string',
        minLength: 1,
        'x-normalise': 'trim',
        'x-messages': { minLength: 'Password hash cannot be an empty string' },
      },
      hashingAlgorithm: {
        type: 'string',
        description: 'The kind of the hash. May be left out where the hash itself tells.',
      },
    },
    required: ['email', 'passwordHash'],
  },
  signUp: {
    type: 'object',
    properties: { email: field.email, password: field.password },
    required: ['email', 'password'],
  },
  signIn: {
    type: 'object',
    properties: { email: field.email, password: field.password },
    required: ['email', 'password'],
  },
  signInUp: {
    type: 'object',
    properties: {
      thirdPartyId: field.thirdPartyId,
      thirdPartyUserId: field.thirdPartyUserId,
      email: {
        type: 'object',
        properties: { id: field.email, isVerified: field.flag },
        required: ['id'],
      },
    },
    required: ['thirdPartyId', 'thirdPartyUserId', 'email'],
  },
  createVerificationToken: {
    type: 'object',
    properties: { email: field.email, userId: field.userId },
    required: ['email', 'userId'],
  },
  redeemVerificationToken: {
    type: 'object',
    properties: {
      method: {
        type: 'string',
        enum: ['token'],
        'x-messages': { enum: 'Unsupported method for email verification' },
      },
      token: field.text,
    },
    required: ['method', 'token'],
  },
  verificationPair: {
    type: 'object',
    properties: { userId: field.userId, email: field.email },
    required: ['userId', 'email'],
  },
  mapUserId: {
    type: 'object',
    properties: {
      superTokensUserId: field.mappedUserId,
      externalUserId: field.externalUserId,
      externalUserIdInfo: field.externalUserIdInfo,
      force: field.flag,
    },
    required: ['superTokensUserId', 'externalUserId'],
  },
  removeUserIdMap: {
    type: 'object',
    properties: { userId: field.mappedUserId, userIdType: field.userIdType, force: field.flag },
    required: ['userId'],
  },
  updateExternalUserIdInfo: {
    type: 'object',
    properties: {
      userId: field.mappedUserId,
      userIdType: field.userIdType,
      externalUserIdInfo: field.externalUserIdInfo,
    },
    required: ['userId', 'externalUserIdInfo'],
  },
  removeUser: {
    type: 'object',
    properties: { userId: field.userId, removeAllLinkedAccounts: field.flag },
    required: ['userId'],
  },
  updateUser: {
    type: 'object',
    properties: { recipeUserId: field.userId, email: field.email, password: field.password },
    required: ['recipeUserId'],
  },
  putRestrictions: {
    type: 'object',
    properties: {
      userId: field.userId,
      isDisabled: { ...field.flag, description: 'Whether the user may not sign in at all.' },
      isHeld: {
        ...field.flag,
        description:
          'Whether the sign-in waits for a second factor or an action that cannot be asked for here yet.',
      },
    },
    required: ['userId'],
  },
  createResetToken: {
    type: 'object',
    properties: { userId: field.userId, email: field.email },
    required: ['userId', 'email'],
  },
  consumeResetToken: {
    type: 'object',
    properties: { token: field.text },
    required: ['token'],
  },
  putApp: {
    type: 'object',
    properties: { appId: field.name, coreConfig: field.coreConfig, ...factors },
    required: ['appId'],
  },
  putTenant: {
    type: 'object',
    properties: { tenantId: field.tenantName, coreConfig: field.coreConfig, ...factors },
    required: ['tenantId'],
  },
  removeApp: { type: 'object', properties: { appId: field.name }, required: ['appId'] },
  removeTenant: { type: 'object', properties: { tenantId: field.name }, required: ['tenantId'] },
  addBulkUsers: {
    type: 'object',
    properties: {
      users: { type: 'array', description: 'At most 10,000 records, as in a line of a bulk import.' },
      sameIds: field.sameIds,
      restoreRemoved: field.restoreRemoved,
    },
    required: ['users'],
  },
  importBulkUser: {
    type: 'object',
    description: 'A record, as in a line of a bulk import.',
    properties: {
      externalUserId: field.text,
      userMetadata: { type: 'object' },
      userRoles: { type: 'array' },
      totpDevices: { type: 'array' },
      secondFactors: { type: 'array' },
      requiredActions: { type: 'array' },
      isDisabled: field.flag,
      sameIds: field.sameIds,
      restoreRemoved: field.restoreRemoved,
      loginMethods: { type: 'array' },
    },
    required: ['loginMethods'],
  },
  removeBulkUsers: {
    type: 'object',
    properties: {
      ids: { type: 'array', description: 'At most 500.', items: { type: 'string', minLength: 1 } },
    },
    required: ['ids'],
  },
  undoJob: { type: 'object', properties: { force: field.flag }, required: [] },
  createCheckedJob: {
    type: 'object',
    description:
      'Known passwords, verified before the job is made; its bytes follow. In a body only: headers, Upload-Metadata among them, get into the logs of proxies.',
    properties: {
      canaries: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            email: field.email,
            password: field.password,
            passwordHash: {
              type: 'string',
              description: 'As the upload will hold it.',
              minLength: 1,
              'x-normalise': 'trim',
            },
            hashingAlgorithm: field.text,
          },
          required: ['password', 'passwordHash'],
        },
      },
      onConflict: { type: 'string', enum: ['update', 'theirs', 'ours', 'reject', 'skip'] },
      dryRun: field.flag,
      secondFactor: field.secondFactorRule,
      sameIds: field.sameIds,
      idPrefix: field.idPrefix,
      restoreRemoved: field.restoreRemoved,
      source: field.source,
      absent: field.absent,
      absentYes: field.absentYes,
      name: { type: 'string', maxLength: 256 },
    },
    required: ['canaries'],
  },
  ...sessionBodies,
  ...roleBodies,
  ...linkingBodies,
  ...totpBodies,
} as const satisfies Record<string, RequestSchema>;

export type BodyName = keyof typeof bodies;
export type QueryName = keyof typeof queries;

/** Unknown fields are dropped while normalising, so the types need not leave room for them. */
type Closed<S> = S extends { readonly properties: infer P }
  ? Omit<S, 'properties'> & {
      readonly properties: { readonly [K in keyof P]: Closed<P[K]> };
      readonly additionalProperties: false;
    }
  : S;

type InputOf<S> = Closed<S> extends infer C extends JSONSchema ? FromSchema<C> : never;

export type BodyInputs = { readonly [N in BodyName]: InputOf<(typeof bodies)[N]> };
export type QueryInputs = { readonly [N in QueryName]: InputOf<(typeof queries)[N]> };

export type ImportPasswordHashInput = BodyInputs['importPasswordHash'];
export type SignUpInput = BodyInputs['signUp'];
export type SignInInput = BodyInputs['signIn'];
export type SignInUpInput = BodyInputs['signInUp'];
export type CreateVerificationTokenInput = BodyInputs['createVerificationToken'];
export type RedeemVerificationTokenInput = BodyInputs['redeemVerificationToken'];
export type VerificationPairInput = BodyInputs['verificationPair'];
export type MapUserIdInput = BodyInputs['mapUserId'];
export type RemoveUserIdMapInput = BodyInputs['removeUserIdMap'];
export type UpdateExternalUserIdInfoInput = BodyInputs['updateExternalUserIdInfo'];
export type RemoveUserInput = BodyInputs['removeUser'];
export type UpdateUserInput = BodyInputs['updateUser'];
export type PutRestrictionsInput = BodyInputs['putRestrictions'];
export type CreateResetTokenInput = BodyInputs['createResetToken'];
export type ConsumeResetTokenInput = BodyInputs['consumeResetToken'];
export type PutAppInput = BodyInputs['putApp'];
export type PutTenantInput = BodyInputs['putTenant'];
export type RemoveAppInput = BodyInputs['removeApp'];
export type RemoveTenantInput = BodyInputs['removeTenant'];

export type PutRoleInput = BodyInputs['putRole'];
export type RemovePermissionsInput = BodyInputs['removePermissions'];
export type RemoveRoleInput = BodyInputs['removeRole'];
export type PutMetadataInput = BodyInputs['putMetadata'];
export type RemoveMetadataInput = BodyInputs['removeMetadata'];

export type CreateSessionInput = BodyInputs['createSession'];
export type RefreshSessionInput = BodyInputs['refreshSession'];
export type VerifySessionInput = BodyInputs['verifySession'];
export type RegenerateSessionInput = BodyInputs['regenerateSession'];
export type PutSessionDataInput = BodyInputs['putSessionData'];
export type PutJwtDataInput = BodyInputs['putJwtData'];
export type RemoveSessionsInput = BodyInputs['removeSessions'];
export type CreateJwtInput = BodyInputs['createJwt'];

export type RecipeUserInput = BodyInputs['recipeUser'];
export type LinkUsersInput = BodyInputs['linkUsers'];

export type VerificationQuery = QueryInputs['verification'];
export type UserIdMapQuery = QueryInputs['userIdMap'];
export type UserIdQuery = QueryInputs['userId'];
export type RoleQuery = QueryInputs['role'];
export type PermissionQuery = QueryInputs['permission'];
export type RestrictionsQuery = QueryInputs['restrictions'];
export type ListDevicesQuery = QueryInputs['listDevices'];
export type HashReportInput = QueryInputs['hashReport'];
export type AccountInfoQuery = QueryInputs['accountInfo'];
export type ListUsersQuery = QueryInputs['listUsers'];
export type CountUsersQuery = QueryInputs['countUsers'];
export type CreateJobQuery = QueryInputs['createJob'];
export type ListJobsQuery = QueryInputs['listJobs'];
export type SessionQuery = QueryInputs['session'];
export type ListSessionsQuery = QueryInputs['listSessions'];
