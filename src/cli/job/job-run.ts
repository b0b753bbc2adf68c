import { carryover } from '../../process/called.ts';
import { hasLosses } from '../../exports/fields/account.ts';
import { ExportFault } from '../../exports/providers/provider.ts';
import { CoreRefusal } from '../client/core-client.ts';
import { commandErrorOf } from '../client/core-errors.ts';
import type { JobView } from '../client/views.ts';
import { IncompleteInput } from '../../exports/readers/ending.ts';
import { refusal, shownOf } from '../output/incomplete.ts';
import { type InputFindings, readInput } from '../input/read-input.ts';
import {
  CommandError,
  type ExitCode,
  exitCodes,
  InputChanged,
  Interrupted,
  type Step,
} from '../command-error.ts';
import { NeedsYes } from '../confirm/confirm.ts';
import { plural, printable } from '../output/format.ts';
import { userFilesOf } from '../input/files/user-files.ts';
import { codeOfFault, isLarge } from '../input/incomplete.ts';
import type { Input } from '../input/input.ts';
import type { UploadSource } from '../input/source.ts';
import { retry, type Retrying } from '../client/retry.ts';
import type { RejectLog } from '../output/reject-log.ts';
import { tell } from '../output/terminal.ts';
import { type Core, flagsFor } from '../client/server.ts';
import { isUnchanged } from '../input/files/known-file.ts';
import { RejectList } from './records/list-rejects.ts';
import { decideFlags, mendFlags } from './records/mend-flags.ts';
import { isUndecided, writeUndecided } from './records/undecided.ts';
import { RunFolder } from './run-folder.ts';
import { writeReceipt } from './write-receipt.ts';
import type { ImportState, StateFiles } from './state-files.ts';
import { unaskedSources } from '../client/legacy-report.ts';
import { type Result, summaryAsJson, summaryAsText, summaryOf } from './summary.ts';
import type { SampleOptions } from '../output/mask.ts';
import type { Surroundings } from '../surroundings.ts';
import { jobIfThere, persistent, type Uploading, uploadShown } from './upload-shown.ts';

/** How a run of an import is displayed; the same for its first run and later ones. */
export interface RunOptions extends SampleOptions {
  readonly json?: boolean;
  /** A dry run instead of an unconfirmed import. */
  readonly isPreview?: boolean;
  /** An incomplete input was explicitly accepted: it does not cause exit code 2. */
  readonly partial?: boolean;
  /** Seconds to wait for a core that is away. */
  readonly patience: string;
}

export interface JobRun {
  readonly state: ImportState;
  readonly input: Input;
  readonly core: Core;
  readonly states: StateFiles;
  readonly options: RunOptions;
  readonly surroundings: Surroundings;
  /** Following commands, before those of the result. */
  readonly next?: readonly Step[];
}

/**
 * Imports the file into its job, to the end, and reports the outcome.
 * @throws Interrupted, whose message has the command that resumes; NeedsYes after a preview; CommandError; CoreRefusal and
 *   ConnectionBroken
 */
export async function runJob(run: JobRun): Promise<ExitCode> {
  const { options, surroundings } = run;
  const result = await resultOf(run);
  const { job, log } = result;
  if (options.isPreview !== true && options.json) surroundings.stdout.write(summaryAsJson(result));
  if (options.json !== true) tell(surroundings, summaryAsText(result));
  if (options.isPreview === true) throw new NeedsYes(summaryOf(result));
  if (job.absentRefused) return exitCodes.refused;
  // After a dry run: the import would be refused.
  if (job.dryRun && result.incomplete.length > 0 && options.partial !== true) return exitCodes.refused;
  const hasRejects = log.count > (job.removedHere ?? 0);
  return hasRejects || hasLosses(result.account) ? exitCodes.rejects : exitCodes.ok;
}

async function resultOf(run: JobRun): Promise<Result> {
  const { state, states, surroundings, options } = run;
  await note(run, `Importing ${run.input.file.path} as ${run.input.provider.name} into job ${state.jobId}`);
  try {
    const { job, unit, log, decideFile, ...found } = await uploadAll(run);
    const converted = state.statesRejects === true ? 0 : log.count;
    const mend = job.rejected > 0 ? await addRejects(run, log, job) : undefined;
    await log.close();
    await noteChange(run);
    const flags = flagsFor(run.core.server);
    const receipt =
      job.receipt === true && job.state === 'done' ? await writeReceipt(run, surroundings) : undefined;
    const result: Result = {
      job,
      converted,
      log,
      unit,
      ...found,
      flags,
      mend,
      decide: decideFile === undefined ? undefined : { file: decideFile, flags: decideFlags(job) },
      receipt,
      unasked: await unaskedSources(run.core.client, job, surroundings.interrupt),
      folder: state.runFolder,
      here: surroundings.folder,
      showSamples: options.showSamples,
      isUnchecked: !run.input.isPlain && isLarge(run.input),
      next: found.incomplete.length > 0 && options.partial !== true ? [] : (run.next ?? []),
    };
    await runFolderOf(run)?.report(summaryAsText(result), summaryAsJson(result));
    await note(run, `Ended: ${plural(job.lines + converted, 'record')}, ${plural(log.count, 'reject')}`);
    await states.remove(state);
    return result;
  } catch (error) {
    const failure = await afterwards(run, error);
    await note(
      run,
      failure instanceof CommandError || failure instanceof Interrupted ? failure.message : 'Failed',
    );
    throw failure;
  }
}

/** A file may still be written to: later additions are not imported. */
async function noteChange({ input, surroundings }: JobRun): Promise<void> {
  if (input.isSpooled) return;
  const files = userFilesOf(input);
  const same = await Promise.all(files.map((file) => isUnchanged(file).catch(() => true)));
  const changed = files.filter((_, place) => same[place] === false);
  for (const { path } of changed)
    surroundings.stderr.write(
      `${printable(path)} has changed since the import began: to bring what is new, import it again (users who are there already count as unchanged)\n`,
    );
}

interface Uploaded extends Pick<Result, 'job' | 'unit' | 'log'>, InputFindings {
  readonly decideFile: string | undefined;
}

async function uploadAll(run: JobRun): Promise<Uploaded> {
  const { input, state, surroundings } = run;
  const { rejectsFile: rejects, isPartial: acceptsPart = false, statesRejects } = state;
  const rules = { rejects, acceptsPart, statesRejects, countsShared: true };
  const { result, ...found } = await readInput(input, rules, surroundings, async (source) => {
    const job = await uploadShown(uploadingOf(run), source);
    return { job, unit: source.unit, decideFile: await addUndecided(run, job, source) };
  });
  return { ...found, ...result };
}

/** While the input is open, because its records are read once more. */
async function addUndecided(run: JobRun, job: JobView, records: UploadSource): Promise<string | undefined> {
  const { state, core, surroundings } = run;
  const { runFolder: folder } = state;
  if (folder === undefined || !isUndecided(job)) return undefined;
  return retry(
    () => writeUndecided({ job, client: core.client, records, folder, surroundings }),
    persistence(run, (text) => void surroundings.stderr.write(`${text}\n`)),
  );
}

function uploadingOf(run: JobRun): Uploading {
  const { state, core, options, surroundings } = run;
  return {
    id: state.jobId,
    core,
    patience: options.patience,
    surroundings,
    retrying: (show) => persistence(run, show),
  };
}

function runFolderOf({ state }: JobRun): RunFolder | undefined {
  return state.runFolder === undefined ? undefined : new RunFolder(state.runFolder);
}

/** Writes to the log of the run. */
async function note(run: JobRun, text: string): Promise<void> {
  await runFolderOf(run)?.log(text, run.surroundings.now());
}

/** The core's rejects. After a broken connection it continues after the last one received. */
async function addRejects(run: JobRun, log: RejectLog, job: JobView): Promise<Result['mend']> {
  const { state, core, input, surroundings } = run;
  const list = await RejectList.open({ input, log, folder: state.runFolder, surroundings });
  let last = 0;
  const read = async (): Promise<void> => {
    for await (const reject of core.client.rejects(state.jobId, surroundings.interrupt)) {
      if (reject.line <= last) continue;
      last = reject.line;
      await list.add(reject);
    }
  };
  await retry(
    read,
    persistence(run, (text) => void surroundings.stderr.write(`${text}\n`)),
  );
  await list.close();
  const flags = mendFlags({ state, provider: input.provider, job, here: surroundings.folder });
  return list.mend && { file: list.mend.file, count: list.mend.count, flags, secrets: state.secretOptions };
}

function persistence(run: JobRun, show: (text: string) => void): Retrying {
  const { options, surroundings } = run;
  return persistent(options, surroundings, (text) => {
    show(text);
    void note(run, text);
  });
}

/** What remains to do for an import that did not finish. @returns what to report to the user */
async function afterwards(run: JobRun, error: unknown): Promise<unknown> {
  const { state, core, states, surroundings } = run;
  if (surroundings.interrupt.aborted) return interrupted(run);
  if (error instanceof ExportFault || error instanceof InputChanged) {
    const job = await jobIfThere(core, state.jobId, surroundings.interrupt);
    await core.client.cancel(state.jobId, surroundings.interrupt).catch(() => undefined);
    await states.remove(state);
    const so =
      job && job.lines > 0
        ? `. What was before it is imported: ${carryover} undo ${job.id}${flagsFor(core.server)}`
        : '';
    if (error instanceof IncompleteInput) {
      const incomplete = shownOf(run.input, error.incomplete, surroundings);
      return refusal(incomplete, { absent: job?.absentAction ?? undefined, so });
    }
    return new CommandError(`${error.message}${so}`, { cause: error, code: codeOfFault(error) });
  }
  const isGone = error instanceof CoreRefusal && [404, 410].includes(error.http);
  if (!isGone) return withWayOn(run, error);
  await states.remove(state);
  return (await stopped(run)) ?? error;
}

/** A broken connection may have lost the answer, and one to HEAD has no body: so the job is requested. */
async function stopped({ state, core, surroundings }: JobRun): Promise<CommandError | undefined> {
  const job = await jobIfThere(core, state.jobId, surroundings.interrupt);
  if (!job?.cancelReason) return undefined;
  const { message } = job.cancelReason;
  return new CommandError(
    `Stopped after ${plural(job.lines, 'record')}: ${printable(message)}. Its rejects: GET /bulk-import/jobs/${job.id}/rejects`,
  );
}

/** The error first, then how to continue. */
function withWayOn({ state, core, surroundings }: JobRun, error: unknown): unknown {
  const wayOn = `Go on with: ${carryover} resume ${state.jobId}`;
  const failure = commandErrorOf(error, core.server);
  if (failure instanceof CommandError) {
    const { code, field, cure } = failure;
    const next = [resumeStep(state.jobId)];
    return new CommandError(`${failure.message}. ${wayOn}`, {
      cause: error,
      code,
      ...(field !== undefined && { field }),
      ...(cure !== undefined && { cure }),
      next,
    });
  }
  surroundings.stderr.write(`${wayOn}\n`);
  return error;
}

async function interrupted({ state, core }: JobRun): Promise<Interrupted> {
  const job = await jobIfThere(core, state.jobId, AbortSignal.timeout(3000));
  const fate = job?.dryRun === true ? 'looked at' : 'committed and stay';
  const so = job ? ` So far ${plural(job.lines, 'record')} ${fate}.` : '';
  return new Interrupted(`Stopped.${so} Go on with: ${carryover} resume ${state.jobId}`, {
    next: [resumeStep(state.jobId)],
  });
}

function resumeStep(id: string): Step {
  return { command: `${carryover} resume ${id} --yes`, reason: 'goes on where the core has committed' };
}
