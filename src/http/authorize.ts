import { Refusal } from '../domain/errors.ts';
import type { RequestHead } from './request/head.ts';
import { parsePath, type TenantNames } from './request/paths.ts';
import type { ApiKeys } from './ports.ts';
import { refusalReply, type Reply } from './response/replies.ts';
import type { Route, RouteTable } from './routing/route.ts';

/** Versions of the driver interface that are answered. */
export const cdiVersions = ['5.4'] as const;

/** What can be said of a request before anything is looked up or read. */
export type Admission =
  | { readonly kind: 'admitted'; readonly route: Route; readonly names: TenantNames; readonly id: string }
  /** `path` is that of the table, undefined when there is none. */
  | { readonly kind: 'refused'; readonly path: string | undefined; readonly reply: Reply };

export interface Gate {
  readonly table: RouteTable;
  readonly apiKeys: ApiKeys;
}

const notFound = refusalReply(new Refusal('NOT_FOUND'));
const invalidKey = refusalReply(new Refusal('INVALID_API_KEY'));
const invalidVersion = refusalReply(new Refusal('CDI_VERSION_INVALID'));

/** The first four checks of the contract, in its order: path, key, version, verb. */
export function admit({ table, apiKeys }: Gate, head: RequestHead): Admission {
  const names = parsePath(head.path);
  const found = table.find(names?.endpoint ?? '');
  if (names === undefined || found === undefined)
    return { kind: 'refused', path: undefined, reply: notFound };
  const { path, open, routes, methodNotSupported } = found.endpoint;
  const route = routes.get(head.method);
  if (!(route?.open ?? open) && !hasKey(apiKeys, head)) return { kind: 'refused', path, reply: invalidKey };
  const reply = versionRefusal(head.cdiVersion);
  if (reply !== undefined) return { kind: 'refused', path, reply };
  if (route === undefined) return { kind: 'refused', path, reply: methodNotSupported };
  return { kind: 'admitted', route, names, id: found.id };
}

function hasKey(apiKeys: ApiKeys, head: RequestHead): boolean {
  return head.apiKey !== undefined && apiKeys.matches(head.apiKey);
}

function versionRefusal(version: string | undefined): Reply | undefined {
  if (version === undefined || isSupported(version)) return undefined;
  if (!/^[\d.]+$/.test(version)) return invalidVersion;
  return refusalReply(new Refusal('CDI_VERSION_NOT_SUPPORTED', `cdi-version ${version} not supported`));
}

function isSupported(version: string): boolean {
  return (cdiVersions as readonly string[]).includes(version);
}
