import { Refusal } from '../domain/errors.ts';
import { allows, type KeyHolder, lackOf, type Needs, withoutKey } from '../domain/access/key-holder.ts';
import type { Tenant } from '../domain/model.ts';
import { sessionBytes } from '../domain/access/session-bytes.ts';
import type { BodyLimits, RequestHead } from './request/head.ts';
import { parsePath, type TenantNames } from './request/paths.ts';
import type { CoreKeys, Door } from './ports.ts';
import { refusalReply, type Reply } from './response/replies.ts';
import { type Endpoint, type Route, routeOf, type RouteTable } from './routing/route.ts';

/** What is known of a request before any look-up or body. */
export type Admission =
  | {
      readonly kind: 'admitted';
      readonly route: Route;
      readonly names: TenantNames;
      readonly id: string;
      /** Whether a key of the core authorises it; an app may have its own keys instead: see mayCall. */
      readonly hasCoreKey: boolean;
      /** The holder of the core's key; undefined if no key was required, or the app has to check it. */
      readonly holder: KeyHolder | undefined;
    }
  /** `path` is that of the table, undefined for an unknown path. */
  | {
      readonly kind: 'refused';
      readonly path: string | undefined;
      readonly reply: Reply;
      readonly key?: { readonly code: 'INVALID_API_KEY' | 'KEY_SCOPE_MISSING'; readonly who: string };
    };

export interface Gate {
  /** For requests that name no version of the driver interface. */
  readonly table: RouteTable;
  readonly versions: ReadonlyMap<string, RouteTable>;
  readonly apiKeys: CoreKeys;
  /** false: callers without a key are authorised too, except for apps with their own keys. */
  readonly requireApiKey: boolean;
  /** For requests without a key. */
  readonly door?: Door | undefined;
}

const notFound = refusalReply(new Refusal('NOT_FOUND'));
const invalidKey = refusalReply(new Refusal('INVALID_API_KEY'));
/** An invalid key is treated as no key. */
export const unknownKey = { code: 'INVALID_API_KEY', who: 'unknown' } as const;
const invalidVersion = refusalReply(new Refusal('CDI_VERSION_INVALID'));

/** The first four checks of the contract, in its order: path, key, version, verb; and the key's scope. */
export function admit(gate: Gate, head: RequestHead): Admission {
  const ofVersion = tableFor(gate, head);
  const names = parsePath(head.path);
  const found = (ofVersion ?? gate.table).find(names?.endpoint ?? '');
  if (names === undefined || found === undefined)
    return { kind: 'refused', path: undefined, reply: notFound };
  const { path, methodNotSupported } = found.endpoint;
  const route = routeOf(found.endpoint, head);
  const isHook = route?.keys === 'hooks';
  const { holder, hasCoreKey } = isHook ? noKey : coreKeyOf(gate, head, { ...found.endpoint, route, names });
  if (!hasCoreKey && !mayHaveOther(route, names, head))
    return { kind: 'refused', path, reply: invalidKey, key: unknownKey };
  if (ofVersion === undefined) return { kind: 'refused', path, reply: versionRefusal(head.cdiVersion) };
  if (route === undefined) return { kind: 'refused', path, reply: methodNotSupported };
  const lack = holder && scopeRefusal(holder, route.needs);
  if (lack !== undefined) return { kind: 'refused', path, ...lack };
  return { kind: 'admitted', route, names: namesFor(route, names), id: found.id, hasCoreKey, holder };
}

/** @returns undefined for an unsupported version */
function tableFor({ table, versions }: Gate, { cdiVersion }: RequestHead): RouteTable | undefined {
  return cdiVersion === undefined ? table : versions.get(cdiVersion);
}

function namesFor({ ignoresTenant }: Route, names: TenantNames): TenantNames {
  return ignoresTenant === true ? { ...names, tenantId: 'public' } : names;
}

export function requesterOf(
  tenant: Tenant | undefined,
  { holder, names }: Extract<Admission, { kind: 'admitted' }>,
): KeyHolder {
  if (tenant?.settings.apiKeys === undefined) return holder ?? withoutKey;
  return { name: `app:${names.appId}`, scopes: 'all' };
}

export function mayCall(
  tenant: Tenant | undefined,
  { route, hasCoreKey }: Extract<Admission, { kind: 'admitted' }>,
  { apiKey }: RequestHead,
): boolean {
  if (route.keys === 'hooks') return isKeyOf(tenant?.settings.hookKeys, apiKey);
  const own = tenant?.settings.apiKeys;
  if (own === undefined || route.open === true || route.keys === 'core') return hasCoreKey;
  return isKeyOf(own, apiKey);
}

function isKeyOf(keys: Matching | undefined, key: string | undefined): boolean {
  return key !== undefined && keys?.matches(key) === true;
}

type Matching = NonNullable<Tenant['settings']['apiKeys']>;

/** An unknown path or verb gets the limits of most routes. */
const usualLimits: BodyLimits = {};
/** Enough for a session's token, and no list of users. */
const unjudgedBytes = sessionBytes.withToken;

/** If only the app can check the key: streams, which check it before they read, and other bodies up to 3 MiB. */
export function limitsOf(admission: Admission): BodyLimits {
  if (admission.kind === 'refused') return usualLimits;
  const { route, hasCoreKey } = admission;
  if (hasCoreKey || route.streams === true || route.maxBodyBytes === undefined) return route;
  return { maxBodyBytes: Math.min(route.maxBodyBytes, unjudgedBytes) };
}

/** An app's own keys, and those of hooks, are checked when the app of the path is known. */
function mayHaveOther(
  { keys }: Partial<Route> = {},
  { appId }: TenantNames,
  { apiKey }: RequestHead,
): boolean {
  const isJudgedLater = keys === undefined ? appId !== 'public' : keys === 'hooks';
  return isJudgedLater && apiKey !== undefined;
}

type RefusedKey = Required<Pick<Extract<Admission, { kind: 'refused' }>, 'reply' | 'key'>>;
type CoreKey = Pick<Extract<Admission, { kind: 'admitted' }>, 'hasCoreKey' | 'holder'>;
const noKey: CoreKey = { hasCoreKey: false, holder: undefined };
const noneNeeded: CoreKey = { hasCoreKey: true, holder: undefined };

function isOpen({ open }: Endpoint, route: Route | undefined): boolean {
  return route?.open ?? open;
}

interface Sought extends Endpoint {
  readonly route: Route | undefined;
  readonly names: TenantNames;
}

function coreKeyOf(gate: Gate, head: RequestHead, sought: Sought): CoreKey {
  if (isOpen(sought, sought.route)) return noneNeeded;
  const holder = throughDoor(gate, head, sought) ?? holderOf(gate, head);
  return holder === undefined ? noKey : { hasCoreKey: true, holder };
}

/** A key counts before a cookie: a browser sends cookies whether they are meant or not. */
function throughDoor({ door }: Gate, head: RequestHead, { path, names }: Sought): KeyHolder | undefined {
  const { apiKey, cookies, csrf, method } = head;
  if (door === undefined || apiKey !== undefined || cookies === undefined || csrf === undefined)
    return undefined;
  return door({ cookies, csrf, appId: names.appId, method, path });
}

function holderOf({ apiKeys, requireApiKey }: Gate, { apiKey }: RequestHead): KeyHolder | undefined {
  const holder = apiKey === undefined ? undefined : apiKeys.holderOf(apiKey);
  if (requireApiKey) return holder;
  return holder === undefined ? withoutKey : { name: holder.name, scopes: 'all' };
}

function scopeRefusal(holder: KeyHolder, needs: Needs): RefusedKey | undefined {
  if (allows(holder, needs)) return undefined;
  const message = lackOf(holder, needs === 'any' ? [] : needs);
  const key = { code: 'KEY_SCOPE_MISSING', who: holder.name } as const;
  return { reply: refusalReply(new Refusal(key.code, message)), key };
}

/** Whether a driver of the interface sent it, in a supported version or for routes of one. */
export function isOfDriver({ versions }: Pick<Gate, 'versions'>, { cdiVersion, path }: RequestHead): boolean {
  return cdiVersion === undefined ? path.endsWith('/apiversion') : versions.has(cdiVersion);
}

function versionRefusal(version = ''): Reply {
  if (!/^\d+(\.\d+)*$/.test(version)) return invalidVersion;
  return refusalReply(new Refusal('CDI_VERSION_NOT_SUPPORTED', `cdi-version ${version} not supported`));
}
