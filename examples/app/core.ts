/** Requests to the core before the app starts: an app for its users, and their import. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Settings } from './settings.ts';

const command = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const users = fileURLToPath(new URL('users.ndjson', import.meta.url));

/** An app of a core has separate users, keys and settings. The request changes nothing if it exists already. */
export async function makeApp({ coreUrl, apiKey, appId, accessTokenSeconds }: Settings): Promise<void> {
  const answer = await fetch(`${coreUrl}/recipe/multitenancy/app/v2`, {
    method: 'PUT',
    headers: { 'api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ appId, coreConfig: { access_token_validity: accessTokenSeconds } }),
  }).catch((cause: unknown) => {
    throw new Error(`no core answers at ${coreUrl}: start it with \`npm start\` in another terminal`, {
      cause,
    });
  });
  if (!answer.ok) throw new Error(`the core refused to make the app ${appId}: ${await answer.text()}`);
}

/**
 * The command that imports any export. `--second-factor flag` admits users whose second factor the app itself asks for; without
 * it the core would refuse Grace.
 */
export async function importUsers({ coreUrl, apiKey, appId }: Settings): Promise<void> {
  const options = ['--url', coreUrl, '--app', appId, '--second-factor', 'flag'];
  const child = spawn(process.execPath, [command, 'import', '--yes', users, ...options], {
    env: { ...process.env, CARRYOVER_API_KEY: apiKey },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the users of the example were not imported: see above');
}
