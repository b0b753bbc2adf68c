import type { KeyHolder, Needs } from '../../domain/access/key-holder.ts';
import type { Tenant } from '../../domain/model.ts';
import type { BodyForm, QueryForm } from '../../schema/forms.ts';
import type { RequestAct, RouteAudit } from '../audit/act.ts';
import type { BodyLimits, RequestHead } from '../request/head.ts';
import type { Outcome, Receive } from '../response/outcome.ts';
import type { TenantNames } from '../request/paths.ts';
import { type Header, type HttpStatus, methodNotSupportedReply, type Reply } from '../response/replies.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** A route's own part of the OpenAPI document. */
export interface RouteDescription {
  readonly summary: string;
  readonly tag: string;
  /** The status words of a 200, `OK` first. */
  readonly statuses?: readonly string[];
  readonly contentType?: string;
  /** What answers a success, where it is no 200: status and what it means. */
  readonly successes?: Readonly<Partial<Record<HttpStatus, string>>>;
  /** Parameters of the URL that the handler reads itself. */
  readonly describedQuery?: QueryForm;
  /** A body of JSON that the handler reads itself. */
  readonly describedBody?: BodyForm;
  /** Media types of a body that is taken as it comes. */
  readonly consumes?: readonly string[];
  /** Request headers in addition to those of every request: name and meaning. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** Statuses of refusals in addition to those of every route. */
  readonly refusals?: readonly HttpStatus[];
}

/** The part of the head that handlers may need; the key is not theirs. */
export type HandledHead = Pick<
  RequestHead,
  'method' | 'query' | 'clientAddress' | 'contentType' | 'contentEncoding' | 'uploadHeaders' | 'framing'
>;

/** What an operation does in another way for clients of older versions of the interface; see versions/. */
export interface FormerWants {
  /** The form of the access tokens that are made. */
  readonly tokenVersion?: 4;
  /** A one-time code that is consumed verifies no email. */
  readonly verifiesNoEmail?: true;
}

/** How the body of an older version becomes one of the present version, before it is validated. */
export interface FormerRequest {
  readonly upgrade: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** By the present name of a field its former one: for refusals. */
  readonly names: Readonly<Record<string, string>>;
}

/** What a handler gets: the names in the path, the tenant they name, the checked input. */
export interface RouteContext {
  readonly names: TenantNames;
  readonly tenant: Tenant | undefined;
  readonly input: unknown;
  /** What stands in the path for `{id}` or `{name}`, in lower case; empty where the route's path has neither. */
  readonly id: string;
  readonly head: HandledHead;
  /** Whose key it is, for what a route does for some keys only. */
  readonly holder: KeyHolder;
  /** Aborted when the caller has hung up. What is durable is done all the same; what only costs may be left undone. */
  readonly signal: AbortSignal;
  /** Of a request of an older version of the interface. */
  readonly wants?: FormerWants;
  /** Of a route with `audit`: takes what the handler knows of it. */
  readonly act?: RequestAct | undefined;
}

/** `streams`: the handler is called with the head, and may return a `Receive`. */
export interface Route extends RouteDescription, BodyLimits {
  readonly method: Method;
  readonly path: string;
  /** Only for requests with this header `rid`; others of the path and method go to the route without one. */
  readonly rid?: string;
  /**
   * tenant: works in every tenant. app: only under the app's public tenant. core: belongs to the process, and
   * answers without a look-up where the path names no tenant.
   */
  readonly scope: 'tenant' | 'app' | 'core';
  /** What a named key must be for: one of these. Keys of `api_keys`, and an app's own, are for everything. */
  readonly needs: Needs;
  /** What the audit log keeps of it; left out: nothing. */
  readonly audit?: RouteAudit;
  /** Why it keeps nothing of a route whose method may change something. */
  readonly unaudited?: string;
  /** Asks for no key. */
  readonly open?: boolean;
  /**
   * hooks: asks for a key of `hook_keys`, and no other one opens it: without that setting no key may call it. core: an app's
   * own key does not open it, because it answers for all apps.
   */
  readonly keys?: 'hooks' | 'core';
  /** The handler itself says what an unknown tenant means. */
  readonly tenantMayBeMissing?: boolean;
  readonly body?: BodyForm;
  /** Of a route as an older version of the interface had it. */
  readonly former?: FormerRequest;
  /** Takes the app and passes over the tenant in its path, as older versions of the interface do for scope `app`. */
  readonly ignoresTenant?: boolean;
  /** No body at all is as good as an empty object. */
  readonly bodyMayBeMissing?: boolean;
  /** On every answer of the route, refusals too. */
  readonly headers?: readonly Header[];
  readonly query?: QueryForm;
  /** In place of `handle` for a body over 64 KiB, whose bytes are the input: nothing of them is checked. */
  readonly handleLarge?: (
    context: RouteContext & { readonly input: Uint8Array<ArrayBuffer> },
  ) => Promise<Outcome>;
  readonly handle: (context: RouteContext) => Promise<Outcome | Receive> | Outcome | Receive;
}

function isPattern(path: string): boolean {
  return path.includes(parameter) || path.endsWith(lastParameter);
}

/** All routes of one path. */
export interface Endpoint {
  /** As in the table, a parameter as `{id}`. */
  readonly path: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** Those for one recipe alone, by `rid` and method: see {@link routeOf}. */
  readonly ofRecipes: ReadonlyMap<string, Route>;
  /** No verb asks for a key: so that a wrong verb is answered as such. */
  readonly open: boolean;
  readonly methodNotSupported: Reply;
}

/** @returns undefined when the endpoint has no route of this method */
export function routeOf(
  { routes, ofRecipes }: Endpoint,
  { method, rid }: Pick<RequestHead, 'method' | 'rid'>,
): Route | undefined {
  const own = ofRecipes.size > 0 && rid !== undefined ? ofRecipes.get(`${rid} ${method}`) : undefined;
  return own ?? routes.get(method);
}

/** An endpoint, and the id that its path held. */
export interface Found {
  readonly endpoint: Endpoint;
  readonly id: string;
}

const parameter = '{id}';
/** Any last segment. */
const lastParameter = '{name}';
/** Ids in paths are UUIDs, lower-cased as all of the path. */
const idSegment = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/;

/** Paths by one look-up, those with an id by a second one when the first finds nothing. */
export class RouteTable {
  readonly #exact: ReadonlyMap<string, Endpoint>;
  readonly #patterns: ReadonlyMap<string, Endpoint>;

  /** @throws Error when two routes have the same path and method */
  constructor(routes: readonly Route[]) {
    const byPath = Map.groupBy(routes, (route) => route.path.toLowerCase());
    const endpoints = [...byPath].map(([path, group]) => [path, endpointOf(path, group)] as const);
    this.#exact = new Map(endpoints.filter(([path]) => !isPattern(path)));
    this.#patterns = new Map(endpoints.filter(([path]) => isPattern(path)));
  }

  /** @param path lower-cased, without a slash at its end */
  find(path: string): Found | undefined {
    const endpoint = this.#exact.get(path);
    if (endpoint !== undefined) return { endpoint, id: '' };
    const id = idSegment.exec(path)?.[1];
    const pattern = id === undefined ? undefined : this.#patterns.get(path.replace(id, parameter));
    return pattern === undefined ? this.#findByName(path) : { endpoint: pattern, id: id ?? '' };
  }

  #findByName(path: string): Found | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const endpoint =
      name === '' ? undefined : this.#patterns.get(path.slice(0, -name.length) + lastParameter);
    return endpoint && { endpoint, id: name };
  }

  /** @param path as it stands in the table */
  get(path: string): Endpoint | undefined {
    return this.#exact.get(path) ?? this.#patterns.get(path);
  }
}

/**
 * Groups the routes by path.
 * @throws Error when two routes have the same path and method
 */
export function routeTable(routes: readonly Route[]): RouteTable {
  return new RouteTable(routes);
}

function endpointOf(path: string, group: readonly Route[]): Endpoint {
  const routes = new Map(group.filter(({ rid }) => rid === undefined).map((route) => [route.method, route]));
  const ofRecipes = new Map(
    group.flatMap((route) =>
      route.rid === undefined ? [] : [[`${route.rid} ${route.method}`, route] as const],
    ),
  );
  if (routes.size + ofRecipes.size < group.length) throw new Error(`two routes with one method: ${path}`);
  const open = group.every((route) => route.open === true);
  return { path, routes, ofRecipes, open, methodNotSupported: methodNotSupportedReply([...routes.keys()]) };
}
