import type { Operations } from '../../operations/operations.ts';
import { body, query } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';

/** Who may not sign in. */
export function restrictionRoutes({ restrictions }: Operations): Route[] {
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
      summary: 'Tells whether a user may not sign in, or lists all who may not',
      ...query('restrictions', (tenant, input) => restrictions.get(tenant, input)),
    },
    {
      ...common,
      method: 'PUT',
      summary: 'Disables a user, or lets one sign in whom an import disabled or held',
      ...body('putRestrictions', (tenant, input) => restrictions.put(tenant, input)),
    },
  ];
}
