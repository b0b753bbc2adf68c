import type { Operations } from '../../../operations/operations.ts';
import { body, plain, query } from '../../routing/handlers.ts';
import type { Route } from '../../routing/route.ts';
import { inBody, inQuery } from '../../../schema/validate.ts';

const tag = 'Users';

export function userRoutes(operations: Operations): Route[] {
  return [
    ...readingRoutes(operations),
    ...countingRoutes(operations),
    ...changingRoutes(operations),
    ...restrictionRoutes(operations),
  ];
}

function readingRoutes({ users }: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/user/id',
      needs: ['sign-in', 'read'],
      scope: 'app',
      tag,
      summary: 'Gets a user by id',
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      ...query(inQuery.userId, (tenant, input) => users.get(tenant, input)),
    },
    {
      method: 'GET',
      path: '/users/by-accountinfo',
      needs: ['sign-in', 'read'],
      scope: 'tenant',
      tag,
      summary: "Finds users by email, phone number or a third party's id",
      statuses: ['OK'],
      ...query(inQuery.accountInfo, (tenant, input) => users.listByAccountInfo(tenant, input)),
    },
    {
      method: 'GET',
      path: '/users',
      needs: ['read'],
      scope: 'tenant',
      tag,
      summary: 'Lists users page by page, or searches for up to 1000 of them',
      statuses: ['OK'],
      ...query(inQuery.listUsers, (tenant, input, { signal }) => users.list(tenant, input, signal)),
    },
    {
      method: 'GET',
      path: '/user/search/tags',
      needs: ['read'],
      scope: 'app',
      tag,
      summary: 'Lists the fields that users can be searched by',
      statuses: ['OK'],
      ...plain(() => users.searchTags()),
    },
  ];
}

function countingRoutes({ users }: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/users/count',
      needs: ['read'],
      scope: 'tenant',
      tag,
      summary: 'Counts users',
      statuses: ['OK'],
      ...query(inQuery.countUsers, (tenant, input) => users.count(tenant, input)),
    },
    {
      method: 'GET',
      path: '/users/count/active',
      needs: ['read'],
      scope: 'app',
      tag,
      summary: 'Counts users who signed up or in, or had a session made or refreshed, since then',
      statuses: ['OK'],
      ...query(inQuery.countActive, (tenant, input) => users.countActive(tenant, input)),
    },
  ];
}

function changingRoutes({ users }: Operations): Route[] {
  return [
    {
      method: 'POST',
      path: '/user/remove',
      needs: ['admin'],
      scope: 'app',
      tag,
      summary: 'Removes a user; succeeds even if the user does not exist',
      statuses: ['OK'],
      audit: { what: 'user.remove', fields: ['userId'] },
      ...body(inBody.removeUser, (tenant, input) => users.remove(tenant, input)),
    },
    {
      method: 'PUT',
      path: '/recipe/user',
      needs: ['sign-in', 'admin'],
      scope: 'app',
      tag,
      summary: "Changes a user's email or password",
      statuses: [
        'OK',
        'UNKNOWN_USER_ID_ERROR',
        'EMAIL_ALREADY_EXISTS_ERROR',
        'EMAIL_CHANGE_NOT_ALLOWED_ERROR',
        'PHONE_NUMBER_ALREADY_EXISTS_ERROR',
        'PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR',
      ],
      requestHeaders: {
        rid: 'passwordless: the body is recipeUserId, email and phoneNumber of a user without a password; null removes one',
      },
      audit: { what: 'user.change', fields: ['recipeUserId'], changes: ['email', 'password'] },
      ...body(inBody.updateUser, (tenant, input, { signal }) => users.update(tenant, input, signal)),
    },
  ];
}

function restrictionRoutes({ restrictions }: Operations): Route[] {
  const common = {
    path: '/user/restrictions',
    scope: 'app',
    tag: 'Users',
    statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
  } as const;
  return [
    {
      ...common,
      method: 'GET',
      needs: ['read'],
      summary: 'Returns whether a user is restricted, or lists restricted users',
      ...query(inQuery.restrictions, (tenant, input) => restrictions.get(tenant, input)),
    },
    {
      ...common,
      method: 'PUT',
      needs: ['admin'],
      summary: 'Disables a user, or lifts the restriction of an import',
      audit: { what: 'user.restrictions', fields: ['userId', 'isDisabled', 'disabledUntil', 'isHeld'] },
      ...body(inBody.putRestrictions, (tenant, input) => restrictions.put(tenant, input)),
    },
  ];
}
