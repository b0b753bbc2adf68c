import { CommandError } from '../command-error.ts';
import { printable } from '../output/format.ts';
import { addressText } from './http.ts';
import type { Core } from './server.ts';

/**
 * Called before an upload whose records would all be rejected. A key that may not ask, or a core that cannot answer, does not
 * stop it: the import itself reports it then.
 * @throws CommandError when the app has no such tenant
 */
export async function requireTenant(
  { client, server }: Core,
  tenant: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (tenant === undefined) return;
  const path = `/${tenant}/recipe/multitenancy/tenant/v2`;
  const asked = client.call<{ readonly status?: unknown }>({ method: 'GET', path, signal });
  const { status } = await asked.catch(() => ({ status: undefined }));
  signal.throwIfAborted();
  if (status !== 'TENANT_NOT_FOUND_ERROR') return;
  const app = server.app === undefined ? '' : `/appid-${server.app}`;
  throw new CommandError(
    `There is no tenant '${printable(tenant)}' in this app, and nothing was uploaded: correct --tenant, or make it: ` +
      `curl -X PUT ${addressText(server.url)}${app}/recipe/multitenancy/tenant/v2 -H "api-key: $CARRYOVER_API_KEY" -d '{"tenantId":"${printable(tenant)}"}'`,
  );
}
