import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption } from './command.ts';
import type { JobView } from '../client/core-client.ts';
import { listFactors, listKeptOut } from '../output/restrictions.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { moment, printable, table } from '../output/format.ts';
import { addServerOptions, flagsFor, type ServerOptions, withCore } from '../client/server.ts';
import { countsOf } from '../job/summary.ts';
import type { Surroundings } from '../surroundings.ts';

interface JobsOptions extends ServerOptions {
  readonly json?: boolean;
}

/** `jobs`, `status` and `purge`: what the core says of its imports. */
export const addJobs: AddCommand = (program, { surroundings, action }) => {
  const jobs = program
    .command('jobs')
    .summary('list the imports of a core')
    .description('Lists the imports of the core, newest first.');
  addServerOptions(addJsonOption(jobs))
    .addHelpText('after', examples(`${carryover} jobs`, `${carryover} jobs --json`))
    .action(action((options: JobsOptions) => listJobs(options, surroundings)));
  const status = program
    .command('status')
    .summary('how far an import is')
    .description('Says how far an import is, and what became of its records.')
    .argument('[job]', 'id of the import; left out: the newest');
  addServerOptions(addJsonOption(status))
    .addHelpText('after', examples(`${carryover} status`, `${carryover} status --json`))
    .action(action((id: string | undefined, options: JobsOptions) => showJob(id, options, surroundings)));
  const purge = program
    .command('purge')
    .summary('remove what an import keeps of people')
    .description(
      'Removes the rejects of an import and what its undo needs: it cannot be undone afterwards. Its counts stay.',
    )
    .argument('<job>', 'id of the import: carryover jobs lists them');
  addServerOptions(purge)
    .addHelpText('after', examples('npx carryover purge 0198c0de-…'))
    .action(action((id: string, options: ServerOptions) => purgeJob(id, options, surroundings)));
};

async function listJobs(options: JobsOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const jobs = await withCore(options, surroundings, ({ client }) => client.jobs(interrupt));
  stdout.write(options.json ? `${JSON.stringify({ status: 'OK', jobs })}\n` : listing(jobs));
  return exitCodes.ok;
}

const titles = [
  ...['job', 'begun (UTC)', 'state', 'records', 'rejected'],
  ...['conflicts', 'kept out', 'second factors', 'name'],
];

function listing(jobs: readonly JobView[]): string {
  if (jobs.length === 0) return 'No imports yet\n';
  const rows = jobs.map((job) => [
    job.id,
    moment(job.startedAt),
    stateOf(job),
    job.lines,
    job.rejected,
    job.conflicts ?? 0,
    listKeptOut(job.byState),
    listFactors(job.byFactor) || '-',
    printable(job.name),
  ]);
  return `${table([titles, ...rows]).join('\n')}\n`;
}

function stateOf({ state, dryRun, purgedAt }: JobView): string {
  const isPurged = purgedAt !== undefined && purgedAt !== null;
  return [state, ...(dryRun ? ['dry run'] : []), ...(isPurged ? ['purged'] : [])].join(', ');
}

async function purgeJob(id: string, options: ServerOptions, surroundings: Surroundings): Promise<ExitCode> {
  await withCore(options, surroundings, ({ client }) => client.purge(id, surroundings.interrupt));
  surroundings.stdout.write(`Purged: job ${printable(id)} keeps its counts only and cannot be undone\n`);
  return exitCodes.ok;
}

async function showJob(
  id: string | undefined,
  options: JobsOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { stdout, interrupt } = surroundings;
  const { job, flags } = await withCore(options, surroundings, async ({ client, server }) => ({
    job: id === undefined ? (await client.jobs(interrupt))[0] : await client.job(id, interrupt),
    flags: flagsFor(server),
  }));
  if (!job) throw new CommandError(`There are no imports yet: begin with ${carryover} import FILE`);
  stdout.write(options.json ? `${JSON.stringify({ status: 'OK', job })}\n` : description(job, flags));
  return exitCodes.ok;
}

function description(job: JobView, flags: string): string {
  const head = `${printable(job.name)} (job ${job.id}): ${stateOf(job)}, begun ${moment(job.startedAt)} UTC`;
  const reason = job.cancelReason ? [`  Stopped: ${printable(job.cancelReason.message)}`] : [];
  return `${[head, ...reason, ...countsOf(job, { converted: 0, flags })].join('\n')}\n`;
}
