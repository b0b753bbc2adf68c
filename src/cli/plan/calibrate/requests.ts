import { hash } from 'node:crypto';
import { textOf, HttpClient } from '../../client/http.ts';
import { CommandError } from '../../command-error.ts';
import { familyUse, processUse } from './footprint.ts';
import type { PrivateCore } from './private-core.ts';

/** The cost of a sign-in in addition to its password, in ms of one core's time. */
export interface RequestCalibration {
  /** The core's process: HTTP, batches, messages to threads. */
  readonly coreMs: number;
  /** PostgreSQL: look-ups and the mark of the sign-in. */
  readonly databaseMs: number;
  /** False if processes cannot be examined: then the values are guessed. */
  readonly isMeasured: boolean;
}

const people = 64;
const atOnce = 8;
const password = 'calibration';
/** A guess, if nothing can be measured. */
const assumed: RequestCalibration = { coreMs: 0.4, databaseMs: 0.4, isMeasured: false };

/** Signs in users whose hash costs next to nothing, few at once: batches are small then, as in calm hours. */
export async function calibrateRequests(
  core: PrivateCore,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<RequestCalibration> {
  await importPeople(core, signal);
  await signInFor(core, seconds / 4, signal);
  const before = await cpuOf(core);
  const count = await signInFor(core, seconds, signal);
  const after = await cpuOf(core);
  if (!before || !after || count === 0) return assumed;
  return {
    coreMs: ((after.core - before.core) * 1000) / count,
    databaseMs: ((after.database - before.database) * 1000) / count,
    isMeasured: true,
  };
}

async function cpuOf({ pid, postgresPid }: PrivateCore) {
  const [core, database] = await Promise.all([processUse(pid), familyUse(postgresPid)]);
  return core && database && { core: core.cpuSeconds, database: database.cpuSeconds };
}

function emailOf(n: number): string {
  return `calibration-${n}@carryover.invalid`;
}

async function importPeople({ server }: PrivateCore, signal: AbortSignal): Promise<void> {
  const passwordHash = hash('sha256', password, 'hex');
  const method = { recipeId: 'emailpassword', passwordHash, hashingAlgorithm: 'sha256' };
  const lines = Array.from({ length: people }, (_, n) =>
    JSON.stringify({ loginMethods: [{ ...method, email: emailOf(n) }] }),
  );
  const http = new HttpClient(server);
  const response = await http.send({
    method: 'PUT',
    path: '/bulk-import/jobs',
    body: `${lines.join('\n')}\n`,
    signal,
  });
  const text = await textOf(response);
  if (response.statusCode !== 200) throw refused(text);
}

/** @returns the number of answers */
async function signInFor({ server }: PrivateCore, seconds: number, signal: AbortSignal): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const keepOn = async (): Promise<void> => {
    do {
      // Checked in between, because fetch leaves a listener on a signal for each of thousands of requests.
      signal.throwIfAborted();
      // Not the client of the other commands: a backend reuses its connections.
      const response = await fetch(new URL('/recipe/signin', server.url), {
        method: 'POST',
        headers: { 'api-key': server.apiKey ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ email: emailOf(count % people), password }),
      });
      const { status } = (await response.json()) as { status?: string };
      if (status !== 'OK') throw refused(status ?? '');
      count += 1;
    } while (performance.now() < until);
  };
  await Promise.all(Array.from({ length: atOnce }, keepOn));
  return count;
}

function refused(why: string): CommandError {
  return new CommandError(`The core for the calibration refused to be calibrated: ${why.slice(0, 200)}`);
}
