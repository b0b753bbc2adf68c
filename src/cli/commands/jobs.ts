import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import type { CoreClient } from '../client/core-client.ts';
import { isListedSeries, type JobView, type ListedSeries } from '../client/views.ts';
import { classesOf } from '../output/outcome.ts';
import { RejectLog } from '../output/reject-log.ts';
import { asJson } from '../output/answer.ts';
import type { SampleOptions } from '../output/mask.ts';
import { tell } from '../output/terminal.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm/confirm.ts';
import { stepsAfter } from '../job/steps.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { count, moment, plural, printable, table } from '../output/format.ts';
import {
  addServerOptions,
  type Core,
  flagsFor,
  type ServerOptions,
  withCore,
  withImport,
} from '../client/server.ts';
import { jobsOfSeries, seriesOption } from '../job/series.ts';
import { countsOf, outcomeOf } from '../job/summary.ts';
import type { Surroundings } from '../surroundings.ts';

interface JobsOptions extends ServerOptions, SampleOptions {
  readonly json?: boolean;
}

interface ListOptions extends JobsOptions {
  readonly series?: string;
}

/** `jobs`, `status` and `purge`: the core's imports. */
export const addJobs: AddCommand = (program, { surroundings, action }) => {
  const jobs = program
    .command('jobs')
    .summary('list the imports of a core')
    .description(
      'Lists the imports of the core, newest first, then series of them, such as those of a follower, as a line each, and dry runs.',
    )
    .addOption(seriesOption('list the newest 100 imports of this series'));
  addServerOptions(addJsonOption(jobs))
    .addHelpText(
      'after',
      examples(`${carryover} jobs`, `${carryover} jobs --series follow-1`, `${carryover} jobs --json`),
    )
    .action(action((options: ListOptions) => listJobs(options, surroundings)));
  const status = program
    .command('status')
    .summary('show how far an import is')
    .description('Shows how far an import is, and the outcome of its records.')
    .argument('[job]', 'id of the import; left out: the newest');
  addServerOptions(addSampleOption(addJsonOption(status)))
    .addHelpText('after', examples(`${carryover} status`, `${carryover} status --json`))
    .action(action((id: string | undefined, options: JobsOptions) => showJob(id, options, surroundings)));
  const purge = program
    .command('purge')
    .summary('remove the personal data of an import')
    .description(
      'Removes the rejects of an import and the data of its undo: it cannot be undone afterwards. Its counts stay.',
    )
    .argument('<job>', 'id of the import, as carryover jobs lists it');
  addServerOptions(addJsonOption(addYesOption(purge)))
    .addHelpText('after', examples(`${carryover} purge 0198c0de-…`, `${carryover} purge 0198c0de-… --yes`))
    .action(action((id: string, options: PurgeOptions) => purgeJob(id, options, surroundings)));
};

/** Of a series: it may have a hundred thousand. */
const mostListed = 100;

async function listJobs(options: ListOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const { series } = options;
  const { jobs: all, flags } = await withCore(options, surroundings, async (core) => ({
    jobs: series === undefined ? await core.client.jobs(interrupt) : await newestOf(series, core, interrupt),
    flags: flagsFor(core.server),
  }));
  const classified = all.map((job) => ({ ...job, classes: classesOf(outcomeOf(job)) }));
  const [jobs, dryRuns] = [false, true].map((dry) => classified.filter(({ dryRun }) => dryRun === dry));
  const newest = jobs?.[0] && {
    command: `${carryover} status ${jobs[0].id}${flags}`,
    reason: 'shows the newest import with its rejects',
  };
  const ofSeries = all.filter(isListedSeries).map(({ series: { name } }) => ({
    command: `${carryover} jobs --series ${name}${flags}`,
    reason: 'lists the imports of the series',
  }));
  if (options.json)
    stdout.write(asJson('jobs', { jobs, dryRuns }, [...(newest ? [newest] : []), ...ofSeries]));
  else tell(surroundings, listings(all, flags, stdout.isTTY === true ? stdout.columns : undefined));
  return exitCodes.ok;
}

async function newestOf(series: string, core: Core, signal: AbortSignal): Promise<readonly JobView[]> {
  const found: JobView[] = [];
  for await (const job of jobsOfSeries(series, core, signal)) {
    found.push(job);
    if (found.length === mostListed) break;
  }
  return found;
}

/** Imports first: a dry run has changed nothing. */
function listings(jobs: readonly JobView[], flags: string, columns?: number): string {
  const series = jobs.filter(isListedSeries);
  const imports = jobs.filter((job) => !job.dryRun && !isListedSeries(job));
  const dryRuns = jobs.filter(({ dryRun }) => dryRun);
  return [
    ...(imports.length > 0 || series.length === 0 ? [listing(imports, columns)] : []),
    ...(series.length > 0
      ? [`Series of imports (--series lists those of one):\n${seriesListing(series, flags, columns)}`]
      : []),
    ...(dryRuns.length > 0 ? [`Dry runs, which changed nothing:\n${listing(dryRuns, columns)}`] : []),
  ].join('\n');
}

const seriesTitles = [
  'series',
  'since (UTC)',
  'newest (UTC)',
  'state',
  'imports',
  'created',
  'updated',
  'rejected now',
];

/** Rejects are those of the last reading of all users: a record that is rejected is sent by each of them again. */
function seriesListing(entries: readonly ListedSeries[], flags: string, columns?: number): string {
  const rows = entries.map((newest) => {
    const { name, since, jobs, created, updated, rejected, lastWhole } = newest.series;
    const now = lastWhole?.rejected ?? rejected;
    return [
      printable(name),
      moment(since),
      moment(newest.startedAt),
      stateOf(newest),
      jobs,
      created,
      updated,
      now,
    ];
  });
  const why = entries.flatMap(({ series: { name, lastWhole } }) =>
    lastWhole === undefined || lastWhole.rejected === 0
      ? []
      : [`Why records of ${printable(name)} are rejected: ${carryover} status ${lastWhole.id}${flags}\n`],
  );
  return [tableOrBlocks(seriesTitles, rows, columns), ...why].join('');
}

const titles = [
  'job',
  'begun (UTC)',
  'state',
  'records',
  'can sign in',
  'restricted',
  'not imported',
  'removed here',
  'with a loss',
  'conflicts',
  'name',
];

function listing(jobs: readonly JobView[], columns?: number): string {
  if (jobs.length === 0) return 'No imports yet\n';
  const rows = jobs.map((job) => {
    const { canSignIn, restricted, notImported, removedHere, withLoss } = classesOf(outcomeOf(job));
    const people = job.byState === undefined ? ['-', '-'] : [canSignIn, restricted];
    return [
      job.id,
      moment(job.startedAt),
      stateOf(job),
      job.lines,
      ...people,
      notImported,
      removedHere,
      withLoss,
      job.conflicts ?? 0,
      printable(job.name),
    ];
  });
  return tableOrBlocks(titles, rows, columns);
}

type Cells = readonly (string | number)[];

/** @param columns of the terminal: if the table is wider, each row takes some lines */
function tableOrBlocks(heads: readonly string[], rows: readonly Cells[], columns = Infinity): string {
  const lines = table([heads, ...rows]);
  const isWide = lines.some((line) => line.length > columns);
  return `${(isWide ? rows.map((row) => blockOf(heads, row)) : lines).join('\n')}\n`;
}

/** The cells of a row, one on each line. */
function blockOf(heads: readonly string[], [id = '', ...cells]: Cells): string {
  const rows = cells.map((cell, place) => [`  ${heads[place + 1] ?? ''}`, String(cell)]);
  return [id, ...table(rows)].join('\n');
}

function stateOf({ state, dryRun, purgedAt }: JobView): string {
  const isPurged = purgedAt !== undefined && purgedAt !== null;
  return [state, ...(dryRun ? ['dry run'] : []), ...(isPurged ? ['purged'] : [])].join(', ');
}

interface PurgeOptions extends ServerOptions, ConfirmOptions {
  readonly json?: boolean;
}

async function purgeJob(id: string, options: PurgeOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { interrupt, stdout } = surroundings;
  const next = await withImport(id, options, surroundings, async ({ client, server }) => {
    const { name, rejected } = await client.job(id, interrupt);
    const lines = [
      `Would remove ${plural(rejected, 'reject')} of ${printable(name)} (job ${id}), and what its undo needs: it cannot be undone afterwards`,
    ];
    const would = { job: id, rejects: rejected, undo: 'not possible afterwards' };
    await confirm({ lines, would, question: 'Purge it?' }, options, surroundings);
    await client.purge(id, interrupt);
    return {
      command: `${carryover} status ${id}${flagsFor(server)}`,
      reason: 'shows the counts that are left',
    };
  });
  stdout.write(
    options.json === true
      ? asJson('purge', { job: id }, [next])
      : `Purged: of job ${printable(id)} only the counts are left, and it cannot be undone\n`,
  );
  return exitCodes.ok;
}

async function showJob(
  id: string | undefined,
  options: JobsOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const shown = await about(id, options, surroundings, async ({ client, server }) => {
    const job = id === undefined ? (await client.jobs(interrupt))[0] : await client.job(id, interrupt);
    const log = job && !options.json ? await rejectsOf(job, client, interrupt) : undefined;
    return { job, log, flags: flagsFor(server) };
  });
  const { job } = shown;
  if (!job) throw new CommandError(`There are no imports yet: begin with ${carryover} import FILE`);
  const classes = classesOf(outcomeOf(job));
  if (options.json) stdout.write(asJson('status', { job, classes }, stepsAfter(job, shown.flags)));
  else tell(surroundings, description({ ...shown, job, showSamples: options.showSamples }));
  return exitCodes.ok;
}

/** The named import, or the newest. */
function about<Result>(
  id: string | undefined,
  options: JobsOptions,
  surroundings: Surroundings,
  work: (core: Core) => Promise<Result>,
): Promise<Result> {
  return id === undefined
    ? withCore(options, surroundings, work)
    : withImport(id, options, surroundings, work);
}

/** Of more rejects, the reasons are those of the first. */
const readRejects = 100_000;

/** Why records were rejected, in groups: without a file. */
async function rejectsOf(job: JobView, client: CoreClient, signal: AbortSignal): Promise<RejectLog> {
  const log = new RejectLog(undefined);
  if (job.rejected === 0) return log;
  for await (const reject of client.rejects(job.id, signal)) {
    await log.add([reject]);
    if (log.count === readRejects) break;
  }
  return log;
}

interface Shown extends SampleOptions {
  readonly job: JobView;
  readonly log: RejectLog | undefined;
  readonly flags: string;
}

function description({ job, log, flags, showSamples }: Shown): string {
  const head = `${printable(job.name)} (job ${job.id}): ${stateOf(job)}, begun ${moment(job.startedAt)} UTC`;
  const reason = job.cancelReason ? [`  Stopped: ${printable(job.cancelReason.message)}`] : [];
  const around = { converted: 0, flags, unit: 'record', groups: log?.groups ?? [], showSamples };
  const isPart = log?.count === readRejects && job.rejected > readRejects;
  const part = isPart ? [`  The reasons are those of the first ${count(readRejects)}`] : [];
  return `${[head, ...reason, ...countsOf(job, around), ...part].join('\n')}\n`;
}
