import type { Tenant } from '../../domain/model.ts';
import type {
  PermissionQuery,
  PutRoleInput,
  RemovePermissionsInput,
  RemoveRoleInput,
  RoleQuery,
  UserIdQuery,
  UserRoleInput,
} from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { UserRoleStore } from '../ports/ports.ts';

interface UnknownRole {
  readonly status: 'UNKNOWN_ROLE_ERROR';
}

/** Roles of an app, what they permit, and their assignments by tenant, to ids without a user too. */
export interface RoleOperations {
  /** Adds permissions and never removes any. */
  put(tenant: Tenant, input: PutRoleInput): Promise<{ status: 'OK'; createdNewRole: boolean }>;
  /** With it go its assignments in every tenant. */
  remove(tenant: Tenant, input: RemoveRoleInput): Promise<{ status: 'OK'; didRoleExist: boolean }>;
  list(tenant: Tenant): Promise<{ status: 'OK'; roles: string[] }>;
  permissions(
    tenant: Tenant,
    query: RoleQuery,
  ): Promise<{ status: 'OK'; permissions: readonly string[] } | UnknownRole>;
  /** All of them when none are named; those that it has not are passed over. */
  removePermissions(tenant: Tenant, input: RemovePermissionsInput): Promise<{ status: 'OK' } | UnknownRole>;
  rolesWith(tenant: Tenant, query: PermissionQuery): Promise<{ status: 'OK'; roles: string[] }>;
  assign(
    tenant: Tenant,
    input: UserRoleInput,
  ): Promise<{ status: 'OK'; didUserAlreadyHaveRole: boolean } | UnknownRole>;
  take(
    tenant: Tenant,
    input: UserRoleInput,
  ): Promise<{ status: 'OK'; didUserHaveRole: boolean } | UnknownRole>;
  /** Empty for an unknown user. */
  ofUser(tenant: Tenant, query: UserIdQuery): Promise<{ status: 'OK'; roles: readonly string[] }>;
  users(tenant: Tenant, query: RoleQuery): Promise<{ status: 'OK'; users: readonly string[] } | UnknownRole>;
}

const unknownRole: UnknownRole = { status: 'UNKNOWN_ROLE_ERROR' };

export function roleOperations({ stores: { roles, userRoles } }: OperationsContext): RoleOperations {
  return {
    ...assignments(userRoles),
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

function assignments(store: UserRoleStore): Pick<RoleOperations, 'assign' | 'take' | 'ofUser' | 'users'> {
  return {
    assign: async (tenant, input) => {
      const outcome = await store.assign({ tenant, ...input });
      if (outcome === 'unknown-role') return unknownRole;
      return { status: 'OK', didUserAlreadyHaveRole: outcome === 'as-before' };
    },
    take: async (tenant, input) => {
      const outcome = await store.take({ tenant, ...input });
      return outcome === 'unknown-role'
        ? unknownRole
        : { status: 'OK', didUserHaveRole: outcome === 'changed' };
    },
    ofUser: async (tenant, { userId }) => ({ status: 'OK', roles: await store.find(tenant, userId) }),
    users: async (tenant, { role }) => {
      const users = await store.users(tenant, role);
      return users ? { status: 'OK', users } : unknownRole;
    },
  };
}
