import { Refusal } from '../../domain/errors.ts';
import type { Operations } from '../../operations/operations.ts';
import { Receive, type Outcome } from '../response/outcome.ts';
import { Reply, StreamReply } from '../response/replies.ts';
import { requireTenant } from '../routing/handlers.ts';
import type { FormerRequest, Route } from '../routing/route.ts';
import { type Fields, without } from './fields.ts';
import type { RouteChange, VersionStep } from './step.ts';

/**
 * The routes as they were before a step.
 * @param routes as they are after it
 * @throws Error when the step changes a route that does not exist
 */
export function routesBefore(
  routes: readonly Route[],
  step: VersionStep,
  operations: Operations,
): readonly Route[] {
  const old = step.routes?.(operations) ?? [];
  const replaced = new Set(old.map(fullNameOf));
  const all = [...routes.filter((route) => !replaced.has(fullNameOf(route))), ...old];
  requireKnown(step, all);
  const { changes, everyRoute = (route: Route) => route } = step;
  return all.map((route) => {
    const change = changes[nameOf(route)];
    return everyRoute(change === undefined ? route : changed(route, change));
  });
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function fullNameOf(route: Route): string {
  return `${nameOf(route)} ${route.rid ?? ''}`;
}

function requireKnown({ until, changes }: VersionStep, routes: readonly Route[]): void {
  const known = new Set(routes.map(nameOf));
  const unknown = Object.keys(changes).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`the step before ${until} changes what is not served: ${unknown.join()}`);
}

function changed(route: Route, change: RouteChange): Route {
  const { wants, guard, answer } = change;
  const former = formerRequest(route.former, change);
  return {
    ...route,
    ...(change.body !== undefined && { body: change.body }),
    ...(former !== undefined && { former }),
    handle: async (context) => {
      if (guard !== undefined) guard(requireTenant(context.tenant));
      const outcome = await route.handle({ ...context, wants: { ...wants, ...context.wants } });
      if (answer === undefined || !isResult(outcome)) return outcome;
      return answer(outcome, {
        input: (context.input ?? {}) as Fields,
        tenant: context.tenant,
      });
    },
  };
}

function isResult(outcome: Outcome | Receive): outcome is Fields {
  return !(outcome instanceof Reply || outcome instanceof StreamReply || outcome instanceof Receive);
}

/** @param next changes of newer steps, applied after this one */
function formerRequest(next: FormerRequest | undefined, change: RouteChange): FormerRequest | undefined {
  const { renamed = {}, request } = change;
  const names = Object.entries(renamed);
  if (request === undefined && names.length === 0) return next;
  return {
    names: { ...next?.names, ...renamed },
    upgrade: (body) => {
      const own = request === undefined ? body : request(body);
      const upgraded = names.reduce(renameField, own);
      return next === undefined ? upgraded : next.upgrade(upgraded);
    },
  };
}

/** A value under the present name is ignored, as any unknown field was then. */
function renameField(body: Fields, [present, former]: readonly [string, string]): Fields {
  const others = without(present, former)(body);
  return Object.hasOwn(body, former) ? { ...others, [present]: body[former] } : others;
}

/** Names fields as the sender of the request does. */
export function inFormerWords(error: unknown, { names }: FormerRequest): unknown {
  if (!(error instanceof Refusal) || error.code !== 'INVALID_FIELD') return error;
  const message = Object.entries(names).reduce(
    (text, [present, former]) => text.replace(`'${present}'`, () => `'${former}'`),
    error.message,
  );
  return new Refusal(error.code, message);
}
