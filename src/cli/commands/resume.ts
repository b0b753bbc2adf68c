import path from 'node:path';
import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import { addYesOption, confirm, type ConfirmOptions, mayChange } from '../confirm/confirm.ts';
import { plural } from '../output/format.ts';
import { CommandError, type ExitCode } from '../command-error.ts';
import { filesOf, type Input, isChanged, isPlain, requireProvider } from '../input/input.ts';
import { requireSameFiles } from '../input/files/several.ts';
import { labelOf, placesIn } from '../input/files/user-files.ts';
import { type JobRun, runJob, type RunOptions } from '../job/job-run.ts';
import { addPasswordAs, passwordAsOf, type PasswordAsOptions } from '../input/flags/password-as.ts';
import { addProviderFlags, readProviderFlags } from '../input/flags/provider-flags.ts';
import { addKeyOption, withCore } from '../client/server.ts';
import { printable } from '../output/format.ts';
import { refuseSameFile } from '../output/sink.ts';
import { requireUnchanged } from '../input/files/known-file.ts';
import { type ImportState, StateFiles } from '../job/state-files.ts';
import type { Surroundings } from '../surroundings.ts';

interface ResumeOptions extends RunOptions, ConfirmOptions, PasswordAsOptions {
  readonly apiKey?: string;
  readonly insecureHttp?: boolean;
  readonly rejects?: string;
}

export const addResume: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('resume')
    .summary('resume an import that was interrupted')
    .description(
      'Resumes after the last record that the core has committed, with the same file, options and core. Secrets are not stored: give them again.',
    )
    .argument('[job]', 'id of the import; left out: the last unfinished one that was begun here');
  command.option('--rejects <file>', 'where rejects go from now on; left out: where they went before');
  addKeyOption(addYesOption(addSampleOption(addJsonOption(command))));
  addProviderFlags(addPasswordAs(command), providers, true)
    .addHelpText(
      'after',
      examples(
        `${carryover} resume`,
        `${carryover} resume --yes`,
        `${carryover} resume --rejects /other/disk/rejects.ndjson`,
      ),
    )
    .action(
      action((jobId: string | undefined, options: ResumeOptions) => resume(jobId, options, surroundings)),
    );
};

async function resume(
  jobId: string | undefined,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const states = new StateFiles(surroundings);
  const found = jobId === undefined ? await states.getNewest() : await states.get(jobId);
  const { rejects, apiKey, insecureHttp } = options;
  const state =
    rejects === undefined ? found : { ...found, rejectsFile: path.resolve(surroundings.folder, rejects) };
  const input = await inputOf(state, options, surroundings);
  refuseSameFile(rejects, filesOf(input), surroundings);
  const at = {
    url: state.url,
    patience: options.patience,
    writes: true,
    ...(apiKey !== undefined && { apiKey }),
    ...(insecureHttp !== undefined && { insecureHttp }),
    ...(state.app !== undefined && { app: state.app }),
  };
  return withCore(at, surroundings, async (core) => {
    await confirmResume({ state, input, core, options, surroundings });
    surroundings.stderr.write(`Resuming the import of ${printable(input.label)} (job ${state.jobId})\n`);
    return runJob({ state, input, core, states, options, surroundings });
  });
}

type Resuming = Pick<JobRun, 'state' | 'input' | 'core' | 'surroundings'> & {
  readonly options: ResumeOptions;
};

/** The rest of a dry run changes nothing. A core that cannot answer reports it to the upload. */
async function confirmResume({ state, input, core, options, surroundings }: Resuming): Promise<void> {
  if (mayChange(options, surroundings)) return;
  const job = await core.client.job(state.jobId, surroundings.interrupt);
  if (job.dryRun || job.state !== 'receiving') return;
  const lines = [
    `Would resume the import of ${printable(input.label)} (job ${job.id}), after ${plural(job.lines, 'record')}`,
  ];
  await confirm({ lines, would: { job: job.id, name: job.name, after: job.lines } }, options, surroundings);
}

/** The original input. @throws CommandError when it has changed */
async function inputOf(
  state: ImportState,
  options: ResumeOptions,
  { environment }: Surroundings,
): Promise<Input> {
  const provider = requireProvider(state.provider);
  const { tenant, reading, several } = state;
  if (several === undefined) await requireUnchanged(state.file);
  else await requireSameFiles(state.file, several, state.rejectsFile);
  for (const file of Object.values(state.related)) await requireUnchanged(file);
  const own = readProviderFlags({ ...options }, provider, environment, providers).options;
  const given: Readonly<Record<string, string>> = {
    ...own,
    ...passwordAsOf(options, { environment }).options,
  };
  const missing = state.secretOptions.filter((name) => given[name] === undefined);
  if (missing.length > 0)
    throw new CommandError(
      `Give again what is not kept here: ${missing.map((name) => `--${name}`).join(', ')}`,
    );
  const secrets = state.secretOptions.map((name) => [name, given[name] ?? '']);
  const changed = { ...state.options, ...(Object.fromEntries(secrets) as Record<string, string>) };
  return {
    provider,
    file: state.file,
    several,
    places: placesIn(state),
    label: several === undefined ? state.file.path : labelOf(several.given),
    isSpooled: state.isSpooled,
    related: state.related,
    settings: { options: changed, secrets: state.secretOptions },
    tenant,
    reading,
    isPlain:
      several === undefined &&
      !isChanged(changed) &&
      (await isPlain(state.file.path, { provider, tenant, reading })),
  };
}
