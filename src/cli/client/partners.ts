/** Which of several cores take parts of an upload. */

import { CommandError } from '../command-error.ts';
import { CoreRefusal } from './core-client.ts';
import { ConnectionBroken } from './http.ts';
import type { RelayCore } from './relay.ts';
import type { Core } from './server.ts';

/**
 * A core that is away now, or whose version knows no parts, is left out.
 * @param note for people, of each that is left out
 * @throws CommandError for a core that has another database, where the parts would be lost
 */
export async function partnersOf(
  { cores }: Pick<Core, 'cores'>,
  id: string,
  note: (line: string) => void,
  signal: AbortSignal,
): Promise<readonly RelayCore[]> {
  if (cores.length < 2) return cores;
  const found = await Promise.all(
    cores.map(async (core) => {
      const hindrance = await hindranceOf(core, id, signal);
      if (hindrance !== undefined) note(`${core.name} takes no part: ${hindrance}`);
      return hindrance === undefined ? [core] : [];
    }),
  );
  return found.flat();
}

async function hindranceOf(
  { name, tus }: RelayCore,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await tus.state(id, signal);
    return (await tus.takesParts(signal)) ? undefined : 'its version imports whole uploads only';
  } catch (error) {
    if (error instanceof CoreRefusal && error.http === 404)
      throw new CommandError(
        `The core at ${name} does not know this import: give only cores that have the same database`,
        { cause: error, code: 'OTHER_DATABASE', field: '--url', cure: 'give cores of one database' },
      );
    if (error instanceof ConnectionBroken) return error.reason;
    if (error instanceof CoreRefusal && error.http >= 500) return error.message;
    throw error;
  }
}
