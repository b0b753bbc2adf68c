import type { KeyHolder, Needs } from '../../domain/access/key-holder.ts';
import type { Tenant } from '../../domain/model.ts';
import type { BodyForm, QueryForm } from '../../schema/forms.ts';
import type { RequestAct, RouteAudit } from '../audit/act.ts';
import type { BodyLimits, RequestHead } from '../request/head.ts';
import type { Outcome, Receive } from '../response/outcome.ts';
import type { TenantNames } from '../request/paths.ts';
import { type Header, type HttpStatus, methodNotSupportedReply, type Reply } from '../response/replies.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export interface RouteDescription {
  readonly summary: string;
  readonly tag: string;
  /** The status words of a 200, `OK` first. */
  readonly statuses?: readonly string[];
  readonly contentType?: string;
  /** Successful answers other than 200: status and meaning. */
  readonly successes?: Readonly<Partial<Record<HttpStatus, string>>>;
  /** Query parameters that the handler reads itself. */
  readonly describedQuery?: QueryForm;
  /** A JSON body that the handler reads itself. */
  readonly describedBody?: BodyForm;
  /** Media types of a streamed body. */
  readonly consumes?: readonly string[];
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly refusals?: readonly HttpStatus[];
}

/** The part of the head for handlers, without the key. */
export type HandledHead = Pick<
  RequestHead,
  | 'method'
  | 'query'
  | 'clientAddress'
  | 'cookies'
  | 'contentType'
  | 'contentEncoding'
  | 'uploadHeaders'
  | 'framing'
>;

export interface FormerWants {
  readonly tokenVersion?: 4;
  /** Consuming a one-time code does not verify the email. */
  readonly verifiesNoEmail?: true;
}

export interface FormerRequest {
  readonly upgrade: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** The former name of each renamed field, for refusals. */
  readonly names: Readonly<Record<string, string>>;
}

export interface RouteContext {
  readonly names: TenantNames;
  readonly tenant: Tenant | undefined;
  readonly input: unknown;
  /** The path's `{id}` or `{name}` in lower case, else empty. */
  readonly id: string;
  readonly head: HandledHead;
  readonly holder: KeyHolder;
  /** Aborted when the caller has hung up. Durable work must complete; other work may stop. */
  readonly signal: AbortSignal;
  readonly wants?: FormerWants;
  /** For a route with `audit`: receives details from the handler. */
  readonly act?: RequestAct | undefined;
}

/** `streams`: the handler is called with the head, and may return a `Receive`. */
export interface Route extends RouteDescription, BodyLimits {
  readonly method: Method;
  readonly path: string;
  /** Only for requests with this header `rid`; others use the route without one. */
  readonly rid?: string;
  /**
   * tenant: works in every tenant. app: only under the app's public tenant. core: about the process; without a tenant in the path
   * it needs no look-up.
   */
  readonly scope: 'tenant' | 'app' | 'core';
  /** Scopes of which a named key needs one. Keys of `api_keys`, and an app's own, have all. */
  readonly needs: Needs;
  readonly audit?: RouteAudit;
  /** Why a route whose method may change something leaves no entry. */
  readonly unaudited?: string;
  readonly open?: boolean;
  /**
   * hooks: requires a key of `hook_keys`; without that setting all are refused. core: refuses an app's own key, because the route
   * affects all apps.
   */
  readonly keys?: 'hooks' | 'core';
  /** The handler answers for an unknown tenant itself. */
  readonly tenantMayBeMissing?: boolean;
  readonly body?: BodyForm;
  readonly former?: FormerRequest;
  /** Uses the app and ignores the tenant in the path, as older versions do for scope `app`. */
  readonly ignoresTenant?: boolean;
  /** A missing body counts as an empty object. */
  readonly bodyMayBeMissing?: boolean;
  /** On every answer of the route, including refusals. */
  readonly headers?: readonly Header[];
  readonly query?: QueryForm;
  /** Replaces `handle` for a body over 64 KiB; its bytes are the input, unchecked. */
  readonly handleLarge?: (
    context: RouteContext & { readonly input: Uint8Array<ArrayBuffer> },
  ) => Promise<Outcome>;
  readonly handle: (context: RouteContext) => Promise<Outcome | Receive> | Outcome | Receive;
}

function isPattern(path: string): boolean {
  return path.includes(parameter) || path.endsWith(lastParameter);
}

export interface Endpoint {
  /** As in the table, with parameters as `{id}`. */
  readonly path: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** Routes of one recipe, by `rid` and method: see {@link routeOf}. */
  readonly ofRecipes: ReadonlyMap<string, Route>;
  /** No verb requires a key, so that a wrong verb is answered as such. */
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

export interface Found {
  readonly endpoint: Endpoint;
  readonly id: string;
}

const parameter = '{id}';
const lastParameter = '{name}';
/** Ids in paths are UUIDs, lower-cased as the whole path. */
const idSegment = /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=\/|$)/;

/** Finds a path by one look-up, a path with an id by a second. */
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

  /** @param path lower-cased, without a trailing slash */
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

  /** @param path as in the table */
  get(path: string): Endpoint | undefined {
    return this.#exact.get(path) ?? this.#patterns.get(path);
  }
}

/** @throws Error when two routes have the same path and method */
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
