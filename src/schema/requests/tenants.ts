import * as field from '../fields.ts';
import type { FieldSchema, RequestSchema } from '../fields.ts';

const textOrNull = { type: ['string', 'null'] } as const satisfies FieldSchema;
const flagOrNull = { type: ['boolean', 'null'] } as const satisfies FieldSchema;
/** Unchanged, including nulls inside, with which the SDK removes a default. */
const objectOrNull = { type: ['object', 'null'] } as const satisfies FieldSchema;

const client = {
  type: 'object',
  properties: {
    clientId: textOrNull,
    clientType: textOrNull,
    clientSecret: { ...textOrNull, description: 'Sealed in the database, as all of the configuration.' },
    scope: { type: ['array', 'null'], items: textOrNull },
    forcePKCE: flagOrNull,
    additionalConfig: objectOrNull,
  },
  required: [],
} as const satisfies FieldSchema;

/** As the SDK configures it. */
const config = {
  type: 'object',
  properties: {
    thirdPartyId: textOrNull,
    name: textOrNull,
    clients: { type: 'array', items: client },
    authorizationEndpoint: textOrNull,
    authorizationEndpointQueryParams: objectOrNull,
    tokenEndpoint: textOrNull,
    tokenEndpointBodyParams: objectOrNull,
    userInfoEndpoint: textOrNull,
    userInfoEndpointQueryParams: objectOrNull,
    userInfoEndpointHeaders: objectOrNull,
    jwksURI: textOrNull,
    oidcDiscoveryEndpoint: textOrNull,
    requireEmail: flagOrNull,
    userInfoMap: objectOrNull,
  },
  required: [],
} as const satisfies FieldSchema;

/** Fields from before factors existed. Refused: ignoring them would allow factors that were meant to be closed. */
const former = (what: string) =>
  ({
    type: 'null',
    description: 'Set firstFactors instead.',
    'x-messages': { type: `${what} is not a valid input for this API` },
  }) as const;

const factors = {
  firstFactors: field.factors,
  requiredSecondaryFactors: field.factors,
  emailPasswordEnabled: former('emailPasswordEnabled'),
  thirdPartyEnabled: former('thirdParty'),
  passwordlessEnabled: former('passwordless'),
} as const;

export const tenantBodies = {
  putApp: {
    type: 'object',
    properties: { appId: field.name, coreConfig: field.coreConfig, place: field.text, ...factors },
    required: ['appId'],
  },
  putTenant: {
    type: 'object',
    properties: { tenantId: field.tenantName, coreConfig: field.coreConfig, ...factors },
    required: ['tenantId'],
  },
  removeApp: { type: 'object', properties: { appId: field.name }, required: ['appId'] },
  removeTenant: { type: 'object', properties: { tenantId: field.name }, required: ['tenantId'] },
  putProvider: {
    type: 'object',
    properties: { config, skipValidation: field.flag },
    required: ['config'],
  },
  removeProvider: { type: 'object', properties: { thirdPartyId: field.text }, required: ['thirdPartyId'] },
} as const satisfies Record<string, RequestSchema>;

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

export const linkingBodies = { recipeUser, linkUsers: twoUsers, tenantUser } as const;

/** Separate objects, as each validator needs one. */
export const linkingQueries = { primaryCheck: { ...recipeUser }, linkCheck: { ...twoUsers } } as const;
