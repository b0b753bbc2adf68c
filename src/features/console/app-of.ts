import { requireTenant } from '../../http/routing/handlers.ts';
import type { RouteContext } from '../../http/routing/route.ts';

/** The app of the request's path. */
export function appOf({ tenant }: Pick<RouteContext, 'tenant'>): string {
  return requireTenant(tenant).appId;
}
