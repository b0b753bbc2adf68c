import type { Tenant } from '../../domain/model.ts';
import type { BodyForm, QueryForm } from '../../schema/forms.ts';
import type { Route, RouteContext } from './route.ts';

/** A handler with a tenant and a JSON body; the third argument has the rest of the request. */
export function body<Input>(
  form: BodyForm<Input>,
  run: (tenant: Tenant, input: Input, context: RouteContext) => Promise<object>,
): Pick<Route, 'body' | 'handle'> {
  // The exchange passes what the form's parse returned.
  return {
    body: form,
    handle: (context) => run(requireTenant(context.tenant), context.input as Input, context),
  };
}

export function query<Input>(
  form: QueryForm<Input>,
  run: (tenant: Tenant, input: Input, context: RouteContext) => Promise<object>,
): Pick<Route, 'query' | 'handle'> {
  return {
    query: form,
    handle: (context) => run(requireTenant(context.tenant), context.input as Input, context),
  };
}

export function plain(run: (tenant: Tenant) => Promise<object>): Pick<Route, 'handle'> {
  return { handle: ({ tenant }) => run(requireTenant(tenant)) };
}

/** The exchange refuses an unknown tenant before it calls these handlers. */
export function requireTenant(tenant: Tenant | undefined): Tenant {
  if (tenant === undefined) throw new Error('a handler was called without its tenant');
  return tenant;
}
