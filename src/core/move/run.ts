import { type ConfigSources, loadConfig } from '../../config/load.ts';
import { StartupError } from '../../process/startup-error.ts';
import { readConnectionUri } from '../../database/connection/uri.ts';
import { openDatabase } from '../../database/database.ts';
import { isMissingRight } from '../../database/sqlstate.ts';
import { explained } from '../command-errors.ts';
import { addressesOf } from '../place-address.ts';
import { confirm, goBack, move, type MoveContext, type Stopped } from './move-app.ts';
import type { Side } from './replication.ts';

export interface MoveOptions extends Pick<ConfigSources, 'file' | 'environment'> {
  readonly appId: string;
  /** A place's name, or how the move ends. */
  readonly step: { readonly to: string } | 'back' | 'confirm';
  readonly interrupt: AbortSignal;
  /** Receives progress, a sentence each. */
  readonly note: (line: string) => void;
}

/**
 * Moves an app of the places of the settings, or ends its move.
 * @throws StartupError
 */
export async function moveApp({ appId, step, interrupt, note, ...sources }: MoveOptions): Promise<Stopped> {
  const addresses = addressesOf(loadConfig(sources));
  if (addresses.length < 2)
    throw new StartupError(
      'Apps move between places: give the settings postgresql_connection_uri and places that the cores have, by --config or the environment',
    );
  const all = addresses.map((place): Side => ({
    ...place,
    database: openDatabase({ target: readConnectionUri(place.uri, sources.environment), poolSize: 2 }),
  }));
  const sides = new Map(all.map((side) => [side.name, side]));
  const [{ database: first }] = all as [Side, ...Side[]];
  const context: MoveContext = { appId, first, sides, interrupt, note };
  try {
    return await run(context, step);
  } catch (error) {
    throw await withPlace(withRights(error), all);
  } finally {
    await Promise.all(all.map(({ database }) => database.close(1000)));
  }
}

async function run(context: MoveContext, step: MoveOptions['step']): Promise<Stopped> {
  if (step === 'back') return goBack(context);
  if (step !== 'confirm') return move(context, step.to);
  await confirm(context);
  return { stoppedMs: 0 };
}

/** Names the places that do not answer: the error does not say of which place it is. */
async function withPlace(error: unknown, all: readonly Side[]): Promise<unknown> {
  if (!(error instanceof StartupError) || error.cause === undefined) return error;
  const answers = await Promise.all(
    all.map(({ database }) =>
      database.read('select 1').then(
        () => true,
        () => false,
      ),
    ),
  );
  const away = all.filter((_, at) => answers[at] === false).map(({ name }) => `'${name}'`);
  if (away.length === 0) return error;
  return new StartupError(`The place ${away.join(' and ')} does not answer. ${error.message}`, {
    cause: error,
  });
}

function withRights(error: unknown): unknown {
  if (isMissingRight(error))
    return new StartupError(
      `${(error as Error).message}. A move needs roles that own the tables, with REPLICATION, and pg_create_subscription and CREATE on the database`,
      { cause: error },
    );
  return explained(error);
}
