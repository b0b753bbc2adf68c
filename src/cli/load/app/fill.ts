import { Patience } from '../../client/retry.ts';
import { type Core, coreAt } from '../../client/server.ts';
import type { Server } from '../../client/http.ts';
import { upload } from '../../client/upload.ts';
import type { JobView } from '../../client/views.ts';
import type { UploadSource } from '../../input/source.ts';
import { persistent, uploadShown } from '../../job/upload-shown.ts';
import type { Surroundings } from '../../surroundings.ts';

/** The import of a file into an app. */
export interface Fill {
  /** With the app. */
  readonly server: Server;
  readonly source: UploadSource;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** As `carryover import` sends it, through broken connections and a core that is busy. */
export async function fill({ server, source, patienceMs, signal }: Fill): Promise<void> {
  const { tus } = coreAt(server);
  const id = await begin({ tus }, source, signal);
  const onTrouble = (): void => undefined;
  await upload({ tus, id, source, patience: new Patience(patienceMs, Date.now), onTrouble, signal });
}

/** The same, with its progress. @returns the job at its end */
export async function fillShown(
  { server, source, patienceMs }: Omit<Fill, 'signal'>,
  surroundings: Surroundings,
): Promise<JobView> {
  const core = coreAt(server);
  const id = await begin(core, source, surroundings.interrupt);
  const patience = String(patienceMs / 1000);
  const retrying = (show: (text: string) => void) => persistent({ patience }, surroundings, show);
  return uploadShown({ id, core, patience, surroundings, retrying }, source);
}

function begin({ tus }: Pick<Core, 'tus'>, source: UploadSource, signal: AbortSignal): Promise<string> {
  const job = { name: 'load', onConflict: 'update', dryRun: false, secondFactor: 'flag' } as const;
  return tus.create({ ...job, length: source.length }, signal);
}
