import { body, plain, query } from '../../http/routing/handlers.ts';
import type { Route } from '../../http/routing/route.ts';
import { bodyForms, queryForms } from '../../schema/forms.ts';
import type { MetadataOperations } from './metadata.ts';
import type { RoleFeature } from './operations.ts';
import type { RoleOperations } from './roles.ts';
import { roleBodies, roleQueries } from './schema.ts';

const inBody = bodyForms(roleBodies);
const inQuery = queryForms(roleQueries);
const tag = 'Roles';
const unknown = 'UNKNOWN_ROLE_ERROR';
/** Applications may store much data of a user. */
const maxMetadataBytes = 1_048_576;

/** Roles of an app, their permissions and assignments, and metadata of users. */
export function roleRoutes({ roles, metadata }: RoleFeature): Route[] {
  return [
    ...roleListRoutes(roles),
    ...permissionRoutes(roles),
    ...assignmentRoutes(roles),
    ...metadataRoutes(metadata),
  ];
}

function roleListRoutes(roles: RoleOperations): Route[] {
  const common = { scope: 'app', tag, statuses: ['OK'], needs: ['admin'] } as const;
  return [
    {
      ...common,
      method: 'PUT',
      path: '/recipe/role',
      summary: 'Makes a role, or adds permissions to one',
      audit: { what: 'role.put', fields: ['role'] },
      ...body(inBody.putRole, (tenant, input) => roles.put(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: '/recipe/role/remove',
      summary: 'Removes a role and all its assignments',
      audit: { what: 'role.remove', fields: ['role'] },
      ...body(inBody.removeRole, (tenant, input) => roles.remove(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: '/recipe/roles',
      needs: ['read'],
      summary: "Lists the app's roles",
      ...plain((tenant) => roles.list(tenant)),
    },
  ];
}

function permissionRoutes(roles: RoleOperations): Route[] {
  const path = '/recipe/role/permissions';
  return [
    {
      method: 'GET',
      path,
      scope: 'app',
      needs: ['sign-in', 'read'],
      tag,
      statuses: ['OK', unknown],
      summary: 'Lists the permissions of a role',
      ...query(inQuery.role, (tenant, input) => roles.permissions(tenant, input)),
    },
    {
      method: 'POST',
      path: `${path}/remove`,
      scope: 'app',
      needs: ['admin'],
      tag,
      statuses: ['OK', unknown],
      summary: 'Takes permissions from a role',
      audit: { what: 'role.permissions.remove', fields: ['role'] },
      ...body(inBody.removePermissions, (tenant, input) => roles.removePermissions(tenant, input)),
    },
    {
      method: 'GET',
      path: '/recipe/permission/roles',
      needs: ['read'],
      scope: 'app',
      tag,
      statuses: ['OK'],
      summary: 'Lists the roles that have a permission',
      ...query(inQuery.permission, (tenant, input) => roles.rolesWith(tenant, input)),
    },
  ];
}

function assignmentRoutes(roles: RoleOperations): Route[] {
  const common = { scope: 'tenant', tag, statuses: ['OK', unknown], needs: ['admin'] } as const;
  return [
    {
      ...common,
      method: 'PUT',
      path: '/recipe/user/role',
      summary: 'Gives a user a role in the tenant',
      audit: { what: 'user.role.give', fields: ['userId', 'role'] },
      ...body(inBody.userRole, (tenant, input) => roles.assign(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: '/recipe/user/role/remove',
      summary: 'Takes a role from a user in the tenant',
      audit: { what: 'user.role.take', fields: ['userId', 'role'] },
      ...body(inBody.userRole, (tenant, input) => roles.take(tenant, input)),
    },
    {
      method: 'GET',
      path: '/recipe/user/roles',
      needs: ['sign-in', 'read'],
      scope: 'tenant',
      tag,
      statuses: ['OK'],
      summary: 'Lists the roles of a user in the tenant',
      ...query(inQuery.userRoles, (tenant, input) => roles.ofUser(tenant, input)),
    },
    {
      ...common,
      method: 'GET',
      path: '/recipe/role/users',
      needs: ['read'],
      summary: 'Lists the users who have a role in the tenant',
      ...query(inQuery.role, (tenant, input) => roles.users(tenant, input)),
    },
  ];
}

function metadataRoutes(metadata: MetadataOperations): Route[] {
  const path = '/recipe/user/metadata';
  const needs = ['sign-in', 'admin'] as const;
  const common = { scope: 'app', needs, tag: 'User details', statuses: ['OK'] } as const;
  return [
    {
      ...common,
      method: 'GET',
      path,
      needs: ['sign-in', 'read'],
      summary: "Gets a user's metadata",
      ...query(inQuery.metadata, (tenant, input) => metadata.get(tenant, input)),
    },
    {
      ...common,
      method: 'PUT',
      path,
      summary: "Merges into a user's metadata, and gets all of it",
      maxBodyBytes: maxMetadataBytes,
      audit: { what: 'user.metadata.put', when: 'hourly' },
      ...body(inBody.putMetadata, (tenant, input) => metadata.put(tenant, input)),
    },
    {
      ...common,
      method: 'POST',
      path: `${path}/remove`,
      summary: "Removes a user's metadata",
      audit: { what: 'user.metadata.remove', when: 'hourly' },
      ...body(inBody.removeMetadata, (tenant, input) => metadata.remove(tenant, input)),
    },
  ];
}
