/** Compares a source with the users of a core: the core compares, and lists what differs. */

import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { carryover } from '../../process/called.ts';
import type { SecondFactorRule } from '../../imports/model.ts';
import { flagsFor, type Core } from '../client/server.ts';
import type { JobView } from '../client/views.ts';
import { CommandError } from '../command-error.ts';
import { jobIfThere, persistent, uploadShown } from '../job/upload-shown.ts';
import { writeOut } from '../output/sink.ts';
import type { Surroundings } from '../surroundings.ts';
import { differencesOf } from './difference.ts';
import { repairingRecords } from './repair.ts';
import type { ComparedSource } from './source.ts';
import { addTo, type ComparisonSummary, emptyTally, summaryOf } from './summary.ts';

/** How the records are compared: as the imports of the source were made. */
export interface ComparedAs {
  readonly source?: string;
  readonly idPrefix?: string | undefined;
  readonly sameIds?: boolean;
  readonly secondFactor: SecondFactorRule;
}

export interface CompareOptions extends ComparedAs {
  readonly patience: string;
  /** The file of differences. */
  readonly out?: string;
  readonly repairTo?: string;
}

/** @throws CommandError where the two have nothing in common @throws as uploadShown */
export async function compareWith(
  core: Core,
  source: ComparedSource,
  options: CompareOptions,
  surroundings: Surroundings,
): Promise<ComparisonSummary> {
  const startedAt = surroundings.now();
  const job = await compareInCore(core, source, options, surroundings);
  requireSomeAlike(job, core);
  const { tally, digest } = await listDifferences(core, job, options, surroundings);
  if (options.repairTo !== undefined) {
    const found = core.client.conflicts(job.id, surroundings.interrupt);
    const repairing = repairingRecords(found, source.records, surroundings.interrupt);
    await writeOut(repairing, options.repairTo, surroundings);
  }
  return summaryOf({ job, tally, digest, startedAt, finishedAt: surroundings.now() });
}

async function compareInCore(
  core: Core,
  { records, title }: ComparedSource,
  options: CompareOptions,
  surroundings: Surroundings,
): Promise<JobView> {
  const { interrupt } = surroundings;
  const { source = '', idPrefix, sameIds = false, secondFactor, patience } = options;
  const how = { onConflict: 'update', dryRun: true, compare: true, secondFactor, sameIds, idPrefix } as const;
  const length = records.length;
  const id = await core.tus.create({ ...how, name: `comparison with ${title}`, source, length }, interrupt);
  const retrying = (show: (text: string) => void) => persistent({ patience }, surroundings, show);
  try {
    await requireComparing(core, id, interrupt);
    return await uploadShown({ id, core, patience, surroundings, retrying }, records);
  } catch (error) {
    throw await ended(core, id, error);
  }
}

/** An older core does not know the option, and would only show what an import would do. */
async function requireComparing({ client }: Core, id: string, signal: AbortSignal): Promise<void> {
  if ((await client.job(id, signal)).compare === true) return;
  throw new CommandError('This core is of an older version, which compares nothing: update it', {
    code: 'CORE_TOO_OLD',
  });
}

/** A comparison is not continued: the next one begins with both sides as they are then. */
async function ended(core: Core, id: string, error: unknown): Promise<unknown> {
  const signal = AbortSignal.timeout(3000);
  const { cancelReason } = (await jobIfThere(core, id, signal)) ?? {};
  if (cancelReason) {
    const options = { cause: error, code: cancelReason.code };
    return new CommandError(`Stopped: ${cancelReason.message}`, options);
  }
  await core.client.cancel(id, signal).catch(() => undefined);
  return error;
}

/** Every user is missing on the other side: these are not two states of the same users. */
function requireSomeAlike({ id, unchanged, updated, absent }: JobView, { server }: Core): void {
  if (unchanged + updated > 0 || (absent ?? 0) === 0) return;
  throw new CommandError(
    'No user of the source is here, and no user who was imported is in the source: it is another system, or another database of it. Give the address or file that was imported, with its --id-prefix and --source if it had them',
    {
      code: 'ANOTHER_SOURCE',
      field: 'source',
      next: [
        {
          command: `${carryover} absent ${id}${flagsFor(server)}`,
          reason: 'lists the imported users who are not in it',
        },
      ],
    },
  );
}

/** Differences that no file is asked for are only counted. */
function nowhere(): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
}

async function listDifferences(
  core: Core,
  { id }: JobView,
  { out }: CompareOptions,
  surroundings: Surroundings,
) {
  const tally = emptyTally();
  const digest = createHash('sha256');
  const lines = async function* (): AsyncGenerator<Uint8Array> {
    for await (const difference of differencesOf(core.client, id, surroundings.interrupt)) {
      addTo(tally, difference);
      const line = Buffer.from(`${JSON.stringify(difference)}\n`);
      digest.update(line);
      yield line;
    }
  };
  if (out !== undefined) await writeOut(lines(), out, surroundings);
  else await pipeline(lines(), nowhere());
  return { tally, digest: digest.digest('hex') };
}
