/** Failed requests in words for people, with codes for programs. */

import { startCore } from '../../process/called.ts';
import { CommandError } from '../command-error.ts';
import { CoreRefusal } from './core-client.ts';
import { addressText, ConnectionBroken, type Server } from './http.ts';

/** Turns the error of a request into one line with the cure; anything else is a bug and is returned unchanged. */
export function commandErrorOf(error: unknown, { url, app, apiKey }: Server): unknown {
  const where = addressText(url);
  if (error instanceof ConnectionBroken)
    return new CommandError(
      `No core answers at ${where}: ${error.reason}. Start it with '${startCore}', or give its address with --url`,
      {
        cause: error,
        code: 'NO_CORE',
        field: '--url',
        cure: `start the core with '${startCore}', or give its address with --url`,
      },
    );
  if (!(error instanceof CoreRefusal)) return error;
  const { code } = error;
  if (error.http === 401 && apiKey === undefined)
    return new CommandError(
      `The core at ${where} needs an API key, and none was given: set CARRYOVER_API_KEY, or CARRYOVER_API_KEY_FILE to the name of its file, or run this in the folder of the core, where ./data/api-key is found`,
      { cause: error, code: 'API_KEY_MISSING', field: '--api-key', cure: 'set CARRYOVER_API_KEY' },
    );
  return new CommandError(wordsFor(error, where, app), { cause: error, code, ...placeOf(error) });
}

/** The wrong option. */
function placeOf({ http, code }: CoreRefusal): { readonly field?: string; readonly cure?: string } {
  if (http === 401) return { field: '--api-key', cure: 'give the right key in CARRYOVER_API_KEY' };
  if (code === 'APP_OR_TENANT_NOT_FOUND') return { field: '--app', cure: 'make the app, or name another' };
  return code === 'NOT_A_CORE' ? { field: '--url', cure: 'give the address of a core' } : {};
}

function wordsFor(refused: CoreRefusal, where: string, app: string | undefined): string {
  if (refused.http === 401)
    return `The core at ${where} does not take this API key: give the right one with --api-key or in CARRYOVER_API_KEY`;
  if (refused.code === 'APP_OR_TENANT_NOT_FOUND')
    return `The core at ${where} has no app '${app ?? 'public'}': make it first, or give another with --app`;
  if (refused.code === 'NOT_A_CORE')
    return `What answers at ${where} is no carryover core: give its address with --url`;
  if (refused.http === 404) return `The core at ${where} does not know this: ${refused.message}`;
  return `The core at ${where} refuses: ${refused.message}`;
}
