import type { HookOperations, HookUser } from './hooks.ts';
import { hookBodies } from './schema.ts';
import { bodyForms } from '../../schema/forms.ts';
import { bodilessReply, jsonReply, type Reply } from '../../http/response/replies.ts';
import { body, requireTenant } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { callerOf } from '../../http/routes/sign-in.ts';

const inBody = bodyForms(hookBodies);
const path = '/hooks';
const common = {
  method: 'POST',
  scope: 'tenant',
  tag: 'Hooks',
  keys: 'hooks',
  needs: 'any',
  refusals: [429],
  unaudited: 'takes the password of the user',
} as const;
const wrong = { 403: 'The password is wrong, or no user has this name' } as const;

/**
 * Other systems ask whether a password is right, each in its own form, for users who are still here. Off for an app or tenant
 * without `hook_keys`; the core's own keys do not authorise them.
 */
export function hookRoutes(hooks: HookOperations): Route[] {
  return [kratos(hooks), okta(hooks), fusionAuth(hooks), http(hooks), ...keycloak(hooks)];
}

/** Ory Kratos, password migration hook. */
function kratos(hooks: HookOperations): Route {
  return {
    ...common,
    path: `${path}/kratos`,
    successes: { 200: 'The password is right', ...wrong },
    summary: 'Answers the password migration hook of Ory Kratos',
    ...body(inBody.kratosHook, async (tenant, { identifier: email, password }, context) => {
      const found = await hooks.check(tenant, { email, password }, callerOf(context));
      return isUser(found)
        ? jsonReply({ status: 'password_match' })
        : jsonReply({ status: 'password_mismatch' }, 403);
    }),
  };
}

/** Okta, password import inline hook. */
function okta(hooks: HookOperations): Route {
  return {
    ...common,
    path: `${path}/okta`,
    successes: { 200: 'A command that says whether the password is right' },
    summary: 'Answers the password import inline hook of Okta',
    ...body(inBody.oktaHook, async (tenant, { data }, context) => {
      const { username: email, password } = data.context.credential;
      const found = await hooks.check(tenant, { email, password }, callerOf(context));
      const credential = isUser(found) ? 'VERIFIED' : 'UNVERIFIED';
      return jsonReply({ commands: [{ type: 'com.okta.action.update', value: { credential } }] });
    }),
  };
}

/** FusionAuth, generic connector. */
function fusionAuth(hooks: HookOperations): Route {
  return {
    ...common,
    path: `${path}/fusionauth`,
    successes: { 200: 'The password is right', 404: 'It is wrong, or no user has this name' },
    summary: 'Answers the generic connector of FusionAuth',
    ...body(inBody.fusionAuthHook, async (tenant, { loginId: email, password }, context) => {
      const found = await hooks.check(tenant, { email, password }, callerOf(context));
      return isUser(found) ? jsonReply({ user: asFusionAuth(found) }) : bodilessReply(404);
    }),
  };
}

/** It accepts only UUIDs as ids, and makes one if it gets none. */
function asFusionAuth({ id, email, isVerified, timeJoined }: HookUser): object {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  return { ...(isUuid && { id }), email, verified: isVerified, active: true, insertInstant: timeJoined };
}

/** Another core, or any client of its protocol: see the dialect http of the legacy sources. */
function http(hooks: HookOperations): Route {
  return {
    ...common,
    path: `${path}/http`,
    successes: {
      200: 'The password is right: the user as a record',
      ...wrong,
      404: 'No user has this email',
    },
    summary: 'Answers another core that asks about a password',
    ...body(inBody.httpHook, async (tenant, pair, context) => {
      const found = await hooks.check(tenant, pair, callerOf(context));
      return isUser(found) ? jsonReply(recordOf(found)) : bodilessReply(found === 'unknown' ? 404 : 403);
    }),
  };
}

function recordOf({ id, email, isVerified, timeJoined }: HookUser): object {
  const method = { recipeId: 'emailpassword', email, isVerified, timeJoinedInMSSinceEpoch: timeJoined };
  return { externalUserId: id, loginMethods: [method] };
}

/** The user migration plugin of Keycloak: a user by name, then whether the password is that user's. */
function keycloak(hooks: HookOperations): Route[] {
  const route = { ...common, path: `${path}/keycloak-migration/{name}` };
  return [
    {
      ...route,
      method: 'GET',
      successes: { 200: 'The user', 404: 'No user has this name' },
      summary: 'Answers the user migration plugin of Keycloak: the user with this email or id',
      handle: async ({ tenant, id }) => {
        const found = await hooks.find(requireTenant(tenant), id);
        return found === undefined ? bodilessReply(404) : jsonReply(asKeycloak(found));
      },
    },
    {
      ...route,
      successes: { 200: 'The password is right', ...wrong },
      summary: 'Answers the user migration plugin of Keycloak: whether this is their password',
      ...body(inBody.keycloakHook, async (tenant, { password }, context): Promise<Reply> => {
        const email = (await hooks.find(tenant, context.id))?.email ?? context.id;
        const found = await hooks.check(tenant, { email, password }, callerOf(context));
        return bodilessReply(isUser(found) ? 200 : 403);
      }),
    },
  ];
}

/** Ids in paths are in lower case: any other is left out, and the plugin asks by the name. */
function asKeycloak({ id, email, isVerified }: HookUser): object {
  return {
    ...(id === id.toLowerCase() && { id }),
    username: email,
    email,
    emailVerified: isVerified,
    enabled: true,
    attributes: {},
    roles: [],
    groups: [],
    requiredActions: [],
  };
}

function isUser(found: HookUser | string): found is HookUser {
  return typeof found !== 'string';
}
