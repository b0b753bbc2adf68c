import type { Tenant } from '../model.ts';
import type { BodyName, QueryName } from '../schema/requests.ts';
import type { TenantNames } from './paths.ts';
import { methodNotSupportedReply, type Reply } from './replies.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A route's own part of the OpenAPI document. */
export interface RouteDescription {
  readonly summary: string;
  readonly tag: string;
  /** The status words of a 200, `OK` first. */
  readonly statuses?: readonly string[];
  readonly contentType?: string;
}

/** What a handler gets: the names in the path, the tenant they name, the checked input. */
export interface RouteContext {
  readonly names: TenantNames;
  readonly tenant: Tenant | undefined;
  readonly input: unknown;
}

/** A reply, or a result that is answered as JSON with 200. */
export type Outcome = Reply | object;

export interface Route extends RouteDescription {
  readonly method: Method;
  readonly path: string;
  /**
   * tenant: works in every tenant. app: only under the app's public tenant. core: belongs to the process, and
   * answers without a look-up where the path names no tenant.
   */
  readonly scope: 'tenant' | 'app' | 'core';
  /** Asks for no key. */
  readonly open?: boolean;
  /** The handler itself says what an unknown tenant means. */
  readonly tenantMayBeMissing?: boolean;
  readonly body?: BodyName;
  readonly query?: QueryName;
  readonly handle: (context: RouteContext) => Promise<Outcome> | Outcome;
}

/** All routes of one path. */
export interface Endpoint {
  readonly path: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** Asks for no key, whatever the verb: so that a wrong verb is told as such. */
  readonly open: boolean;
  readonly methodNotSupported: Reply;
}

/**
 * Groups the routes by path. A path with a parameter, such as an import job's id, would be a second look-up here,
 * tried when the exact one finds nothing.
 * @throws Error when two routes have the same path and method
 */
export function routeTable(routes: readonly Route[]): ReadonlyMap<string, Endpoint> {
  const byPath = Map.groupBy(routes, (route) => route.path.toLowerCase());
  return new Map([...byPath].map(([path, group]) => [path, endpoint(path, group)]));
}

function endpoint(path: string, group: readonly Route[]): Endpoint {
  const routes = new Map(group.map((route) => [route.method, route]));
  if (routes.size < group.length) throw new Error(`two routes with one method: ${path}`);
  const open = group.some((route) => route.open === true);
  return { path, routes, open, methodNotSupported: methodNotSupportedReply([...routes.keys()]) };
}
