import type { Tenant } from '../../domain/model.ts';
import type { UserIdQuery } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';

export interface DetailsOperations {
  /** Names of the roles that the user has in this tenant, each once. None for a user who is not known. */
  roles(tenant: Tenant, query: UserIdQuery): Promise<{ status: 'OK'; roles: string[] }>;
}

/** A role that names no tenants belongs to the public one, as a login method does that names none. */
const defaultTenants = ['public'];

export function detailsOperations({ stores: { details } }: OperationsContext): DetailsOperations {
  return {
    async roles({ appNo, tenantId }, { userId }) {
      const { roles = [] } = (await details.find(appNo, userId)) ?? {};
      const here = roles.filter(({ tenantIds = defaultTenants }) => tenantIds.includes(tenantId));
      return { status: 'OK', roles: [...new Set(here.map(({ role }) => role))] };
    },
  };
}
