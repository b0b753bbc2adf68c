import type { Operations } from '../../operations/operations.ts';
import { query } from '../routing/handlers.ts';
import type { Route } from '../routing/route.ts';

/** What is kept of users beside their login methods. */
export function detailsRoutes({ details }: Operations): Route[] {
  const common = { method: 'GET', tag: 'User details', statuses: ['OK'] } as const;
  return [
    {
      ...common,
      path: '/recipe/user/roles',
      scope: 'tenant',
      summary: 'Tells which roles a user has in the tenant',
      ...query('userId', (tenant, input) => details.roles(tenant, input)),
    },
    {
      ...common,
      path: '/recipe/user/metadata',
      scope: 'app',
      summary: "Gets a user's metadata",
      ...query('userId', (tenant, input) => details.metadata(tenant, input)),
    },
    {
      ...common,
      path: '/recipe/totp/device/list',
      scope: 'app',
      summary: "Lists a user's TOTP devices, without their secrets",
      ...query('listDevices', (tenant, input) => details.devices(tenant, input)),
    },
  ];
}
