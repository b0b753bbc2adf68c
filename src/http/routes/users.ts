import type { Operations } from '../../operations/operations.ts';
import { body, query } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';

const tag = 'Users';

/** Finding and changing users. */
export function userRoutes(operations: Operations): Route[] {
  return [...readingRoutes(operations), ...changingRoutes(operations)];
}

function readingRoutes({ users }: Operations): Route[] {
  return [
    {
      method: 'GET',
      path: '/user/id',
      scope: 'app',
      tag,
      summary: 'Gets a user by id',
      statuses: ['OK', 'UNKNOWN_USER_ID_ERROR'],
      ...query('userId', (tenant, input) => users.get(tenant, input)),
    },
    {
      method: 'GET',
      path: '/users/by-accountinfo',
      scope: 'tenant',
      tag,
      summary: "Finds users by email, phone number or a third party's id",
      statuses: ['OK'],
      ...query('accountInfo', (tenant, input) => users.listByAccountInfo(tenant, input)),
    },
    {
      method: 'GET',
      path: '/users',
      scope: 'tenant',
      tag,
      summary: 'Lists users page by page',
      statuses: ['OK'],
      ...query('listUsers', (tenant, input) => users.list(tenant, input)),
    },
    {
      method: 'GET',
      path: '/users/count',
      scope: 'tenant',
      tag,
      summary: 'Counts users',
      statuses: ['OK'],
      ...query('countUsers', (tenant, input) => users.count(tenant, input)),
    },
  ];
}

function changingRoutes({ users }: Operations): Route[] {
  return [
    {
      method: 'POST',
      path: '/user/remove',
      scope: 'app',
      tag,
      summary: 'Removes a user; one that does not exist is no error',
      statuses: ['OK'],
      ...body('removeUser', (tenant, input) => users.remove(tenant, input)),
    },
    {
      method: 'PUT',
      path: '/recipe/user',
      scope: 'app',
      tag,
      summary: "Changes a user's email or password",
      statuses: [
        'OK',
        'UNKNOWN_USER_ID_ERROR',
        'EMAIL_ALREADY_EXISTS_ERROR',
        'EMAIL_CHANGE_NOT_ALLOWED_ERROR',
      ],
      ...body('updateUser', (tenant, input, { signal }) => users.update(tenant, input, signal)),
    },
  ];
}
