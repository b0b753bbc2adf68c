import { makeGuest, newAppName, removeGuest } from '../../src/cli/load/app/guest.ts';
import { inhabitantsOf, requireScopes, requireTestCore } from '../../src/cli/load/preflight.ts';
import { CoreClient } from '../../src/cli/client/core-client.ts';
import { addressText, HttpClient, type Server } from '../../src/cli/client/http.ts';
import { TusClient } from '../../src/cli/client/tus.ts';
import type { CoreProcess } from './processes.ts';

/** An app of a core, by its own address. */
export type Addressed = Pick<CoreProcess, 'url' | 'apiKey'>;

/** A core that runs elsewhere. What scenarios do there, they do in an app of their own. */
export interface Deployed {
  /** @param settings of the app, as in `coreConfig`. It is removed afterwards */
  readonly withApp: <Result>(
    settings: Readonly<Record<string, unknown>>,
    work: (app: Addressed) => Promise<Result>,
  ) => Promise<Result>;
}

/**
 * @param isKnown whether users of the core may wait for the load
 * @throws CommandError for a key without a scope, or a core with users of its own, before anything is sent
 */
export async function openDeployed(
  { url, apiKey }: Addressed,
  isKnown: boolean,
  signal: AbortSignal,
): Promise<Deployed> {
  const server: Server = { url: new URL(url), apiKey, app: undefined };
  const http = new HttpClient(server);
  const client = new CoreClient(http);
  const core = { server, client, tus: new TusClient(http), cores: [] };
  await requireScopes(core, ['read', 'admin', 'import', 'sign-in'], signal);
  const inhabitants = await inhabitantsOf(core, signal);
  requireTestCore(inhabitants, {
    app: newAppName(Date.now()),
    load: 'the scenarios',
    isKnown,
    url: server.url,
  });
  return {
    async withApp(settings, work) {
      const appId = newAppName(Date.now());
      try {
        await makeGuest(client, { appId, settings }, signal);
        return await work({ url: `${addressText(server.url)}/appid-${appId}`, apiKey });
      } finally {
        await removeGuest(client, appId, new AbortController().signal);
      }
    },
  };
}
