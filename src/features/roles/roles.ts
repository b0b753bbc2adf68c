import type { Tenant } from '../../domain/model.ts';
import type { DetailsStore } from '../../operations/ports/ports.ts';
import type { RoleStore, UserRoleStore } from './model.ts';
import type { RoleInputs } from './schema.ts';

export interface RoleContext {
  readonly roles: RoleStore;
  readonly userRoles: UserRoleStore;
  readonly details: Pick<DetailsStore, 'roles'>;
}

interface UnknownRole {
  readonly status: 'UNKNOWN_ROLE_ERROR';
}

/** Roles of an app, their permissions, and their assignments in tenants, also to ids without a user. */
export interface RoleOperations {
  /** Adds permissions and never removes any. */
  put(tenant: Tenant, input: RoleInputs['putRole']): Promise<{ status: 'OK'; createdNewRole: boolean }>;
  /** Ends its assignments in every tenant. */
  remove(tenant: Tenant, input: RoleInputs['removeRole']): Promise<{ status: 'OK'; didRoleExist: boolean }>;
  list(tenant: Tenant): Promise<{ status: 'OK'; roles: string[] }>;
  permissions(
    tenant: Tenant,
    query: RoleInputs['role'],
  ): Promise<{ status: 'OK'; permissions: readonly string[] } | UnknownRole>;
  /** Removes all of them when none are named; permissions that the role does not have are ignored. */
  removePermissions(
    tenant: Tenant,
    input: RoleInputs['removePermissions'],
  ): Promise<{ status: 'OK' } | UnknownRole>;
  rolesWith(tenant: Tenant, query: RoleInputs['permission']): Promise<{ status: 'OK'; roles: string[] }>;
  assign(
    tenant: Tenant,
    input: RoleInputs['userRole'],
  ): Promise<{ status: 'OK'; didUserAlreadyHaveRole: boolean } | UnknownRole>;
  take(
    tenant: Tenant,
    input: RoleInputs['userRole'],
  ): Promise<{ status: 'OK'; didUserHaveRole: boolean } | UnknownRole>;
  /** Empty for an unknown user. */
  ofUser(tenant: Tenant, query: RoleInputs['userRoles']): Promise<{ status: 'OK'; roles: readonly string[] }>;
  users(
    tenant: Tenant,
    query: RoleInputs['role'],
  ): Promise<{ status: 'OK'; users: readonly string[] } | UnknownRole>;
}

const unknownRole: UnknownRole = { status: 'UNKNOWN_ROLE_ERROR' };

export function roleOperations(context: RoleContext): RoleOperations {
  const { roles } = context;
  return {
    ...assignments(context),
    put: async ({ appNo }, { role, permissions }) => {
      const createdNewRole = await roles.put({ appNo, role, permissions: permissions ?? [] });
      return { status: 'OK', createdNewRole };
    },
    remove: async ({ appNo }, { role }) => ({ status: 'OK', didRoleExist: await roles.remove(appNo, role) }),
    list: async ({ appNo }) => ({ status: 'OK', roles: await roles.list(appNo) }),
    permissions: async ({ appNo }, { role }) => {
      const permissions = await roles.permissions(appNo, role);
      return permissions ? { status: 'OK', permissions } : unknownRole;
    },
    removePermissions: async ({ appNo }, { role, permissions }) => {
      const isKnown = await roles.removePermissions(appNo, role, permissions ?? undefined);
      return isKnown ? { status: 'OK' } : unknownRole;
    },
    rolesWith: async ({ appNo }, { permission }) => {
      return { status: 'OK', roles: await roles.rolesWith(appNo, permission) };
    },
  };
}

type Assignments = Pick<RoleOperations, 'assign' | 'take' | 'ofUser' | 'users'>;

function assignments({ userRoles, details }: Omit<RoleContext, 'roles'>): Assignments {
  return {
    assign: async (tenant, input) => {
      const outcome = await userRoles.assign({ tenant, ...input });
      if (outcome === 'unknown-role') return unknownRole;
      return { status: 'OK', didUserAlreadyHaveRole: outcome === 'as-before' };
    },
    take: async (tenant, input) => {
      const outcome = await userRoles.take({ tenant, ...input });
      return outcome === 'unknown-role'
        ? unknownRole
        : { status: 'OK', didUserHaveRole: outcome === 'changed' };
    },
    ofUser: async (tenant, { userId }) => ({ status: 'OK', roles: await details.roles(tenant, userId) }),
    users: async (tenant, { role }) => {
      const users = await userRoles.users(tenant, role);
      return users ? { status: 'OK', users } : unknownRole;
    },
  };
}
