/** Triggers of features for single apps. Replication copies rows alone, and does not fire them at its receiving end. */
import type { AppTriggers } from '../../features/feature.ts';
import { features } from '../../features/index.ts';
import { StartupError } from '../../process/startup-error.ts';
import type { Side } from './replication.ts';

const ofFeatures = (): readonly AppTriggers[] => features.flatMap(({ appTriggers }) => appTriggers ?? []);

/** Before the stop: each trigger waits for a lock on a table of all apps. @throws StartupError */
export async function settleTriggers({ name, database }: Side, appNo: number): Promise<void> {
  for (const triggers of ofFeatures()) if (!(await triggers.settle(database, appNo))) throw locked(name);
}

/** @throws StartupError if the app's rows ask for others since: within the stop there is no time for locks */
export async function requireSettled({ name, database }: Side, appNo: number): Promise<void> {
  for (const triggers of ofFeatures())
    if (!(await triggers.areSettled(database, appNo)))
      throw new StartupError(
        `A step of the app's move from its old system was taken while '${name}' was prepared: run the command again`,
      );
}

/** Before the app's rows are removed: that is no change of its users. @throws StartupError */
export async function removeTriggers({ name, database }: Side, appNo: number): Promise<void> {
  for (const triggers of ofFeatures()) if (!(await triggers.remove(database, appNo))) throw locked(name);
}

function locked(name: string): StartupError {
  return new StartupError(
    `The tables of users in '${name}' were locked for half a minute: let imports and other long transactions end, and run the command again`,
  );
}
