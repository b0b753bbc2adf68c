/** The apps that `carryover load` makes: their names, the mark by which they are found again, and their removal. */

import { randomBytes } from 'node:crypto';
import type { CoreClient } from '../../client/core-client.ts';

/**
 * The core stores it with the app, by the request that makes the app, so no moment leaves an app without it. It is one of the
 * app's first factors, which the core only repeats to a backend; no factor of that name exists.
 */
const mark = 'made-by.carryover-load';
const namePattern = /^load-\d{8}t\d{6}-[0-9a-f]{8}$/;

export interface AppView {
  readonly appId: string;
  readonly tenants: readonly { readonly tenantId: string; readonly firstFactors?: readonly string[] }[];
}

/** @param now ms since the epoch @returns `load-20261127t070248-3fa2c1d9` */
export function newAppName(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').split('T');
  return `load-${date}t${time}-${randomBytes(4).toString('hex')}`;
}

/** By name and mark: another app with such a name lacks the mark, and the other way round. */
export function isGuest({ appId, tenants }: AppView): boolean {
  const factors = tenants.find(({ tenantId }) => tenantId === 'public')?.firstFactors ?? [];
  return namePattern.test(appId) && factors.includes(mark);
}

/** @param settings of the app, as in `coreConfig` */
export async function makeGuest(
  client: CoreClient,
  app: { readonly appId: string; readonly settings: Readonly<Record<string, unknown>> },
  signal: AbortSignal,
): Promise<void> {
  const { appId, settings } = app;
  const input = { appId, firstFactors: ['emailpassword', mark], coreConfig: settings };
  await client.call({ method: 'PUT', path: '/recipe/multitenancy/app/v2', input, signal });
}

/** In an app's own client. */
export async function makeTenant(client: CoreClient, tenantId: string, signal: AbortSignal): Promise<void> {
  await client.call({ method: 'PUT', path: '/recipe/multitenancy/tenant/v2', input: { tenantId }, signal });
}

export async function listApps(client: CoreClient, signal: AbortSignal): Promise<readonly AppView[]> {
  const path = '/recipe/multitenancy/app/list/v2';
  return (await client.call<{ readonly apps: readonly AppView[] }>({ method: 'GET', path, signal })).apps;
}

export async function removeGuest(client: CoreClient, appId: string, signal: AbortSignal): Promise<void> {
  await client.call({
    method: 'POST',
    path: '/recipe/multitenancy/app/remove',
    input: { appId },
    signal,
  });
}
