import type { Tenant } from '../../domain/model.ts';
import type { BodyInputs, BodyName, QueryInputs, QueryName } from '../../schema/requests.ts';
import type { Route, RouteContext } from './route.ts';

/** A route's handler for a tenant and a JSON body; what else is known of the request comes third. */
export function body<N extends BodyName>(
  name: N,
  run: (tenant: Tenant, input: BodyInputs[N], context: RouteContext) => Promise<object>,
): Pick<Route, 'body' | 'handle'> {
  // The exchange passes what parseBody returned for this name.
  return {
    body: name,
    handle: (context) => run(requireTenant(context.tenant), context.input as BodyInputs[N], context),
  };
}

/** A route's handler for a tenant and query parameters. */
export function query<N extends QueryName>(
  name: N,
  run: (tenant: Tenant, input: QueryInputs[N], context: RouteContext) => Promise<object>,
): Pick<Route, 'query' | 'handle'> {
  return {
    query: name,
    handle: (context) => run(requireTenant(context.tenant), context.input as QueryInputs[N], context),
  };
}

/** A route's handler that needs nothing but the tenant. */
export function plain(run: (tenant: Tenant) => Promise<object>): Pick<Route, 'handle'> {
  return { handle: ({ tenant }) => run(requireTenant(tenant)) };
}

/** The exchange refuses an unknown tenant before it calls a handler of these kinds. */
export function requireTenant(tenant: Tenant | undefined): Tenant {
  if (tenant === undefined) throw new Error('a handler was called without its tenant');
  return tenant;
}
