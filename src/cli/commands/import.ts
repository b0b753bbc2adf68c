import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import {
  defaultSecondFactor,
  type OnConflict,
  onConflicts,
  type SecondFactorRule,
  secondFactorRules,
} from '../../imports/model.ts';
import type { KnownSecrets } from '../../imports/canaries/known.ts';
import { absentRules, type AbsentRule } from '../../imports/absence.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, addJsonOption, addSampleOption, filesArgument, type Frame } from './command.ts';
import { addShortHelp, coreGroup, type HelpGroup, readingGroup } from './short-help.ts';
import { type ExitCode, fileError, type Step } from '../command-error.ts';
import { addYesOption, type ConfirmOptions, mayChange } from '../confirm/confirm.ts';
import { argumentsWithout, exactCommand } from '../confirm/exact.ts';
import {
  addIdPrefix,
  addInputOptions,
  filesOf,
  type Input,
  type InputOptions,
  openInput,
  removeSpooled,
} from '../input/input.ts';
import { nameOf } from '../input/files/user-files.ts';
import { type FolderOptions, makeRunsFolder, RunFolder } from '../job/run-folder.ts';
import { runJob, type RunOptions } from '../job/job-run.ts';
import { addPartialOption, type PartialOptions, requireComplete } from '../input/incomplete.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import {
  addressesText,
  addServerOptions,
  type Core,
  type ServerOptions,
  withCore,
} from '../client/server.ts';
import { requireTenant } from '../client/tenant.ts';
import type { NewUpload } from '../client/tus.ts';
import { refuseSameFile } from '../output/sink.ts';
import { type ImportState, StateFiles } from '../job/state-files.ts';
import type { Surroundings } from '../surroundings.ts';

interface ImportOptions
  extends ServerOptions, InputOptions, RunOptions, FolderOptions, ConfirmOptions, PartialOptions {
  readonly dryRun?: boolean;
  readonly onConflict: OnConflict;
  readonly secondFactor: SecondFactorRule;
  readonly sameIds?: boolean;
  readonly restoreRemoved?: boolean;
  readonly source?: string;
  readonly absent?: AbsentRule;
  readonly forceAbsent?: boolean;
  readonly name?: string;
  readonly rejects?: string;
  readonly canaries?: string;
  readonly receipt?: boolean;
}

const exampleLines = [
  `${carryover} import users.ndjson --dry-run`,
  `${carryover} import keycloak-export/ --canaries known.csv --yes`,
  `mongoexport … | ${carryover} import - --tenant shop`,
];

/** The options that `import --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  readingGroup,
  [
    'Importing:',
    {
      'dry-run': 'show what would happen, change nothing',
      yes: 'do it without asking; for scripts',
      'on-conflict': 'known users whose record differs: update (default),\ntheirs, ours, skip or reject',
      'second-factor': 'users with one: refuse (default), flag or drop',
      absent: 'users missing in the file: report, disable, remove',
      canaries: 'users with known passwords, verified first',
      rejects: 'file for rejects, as NDJSON',
      json: 'print one JSON object at the end, and nothing else',
    },
  ],
  coreGroup,
];

export const addImport: AddCommand = (program, frame) => {
  const command = program
    .command('import')
    .summary('import the users of a file, or of several')
    .description('Imports users into a core: converts an export, uploads it, reports the outcome.')
    .addArgument(filesArgument('an export, or NDJSON of native records'))
    .option('--dry-run', 'show what would happen, change nothing');
  addRules(command)
    .option(
      '--restore-removed',
      'import users again who were imported before and removed here; left out: their records are skipped as REMOVED_HERE',
    )
    .option('--name <text>', 'name of the job in lists; left out: that of the file or folder')
    .option('--rejects <file>', "file for rejects, as NDJSON; left out: rejects.ndjson in the run's folder")
    .option(
      '--canaries <file>',
      'CSV or NDJSON with email and password, or code and time, of users who are known: verified before anything is imported',
    );
  command.option(
    '--receipt',
    'store the outcome of each line, and write a signed receipt of them when all are imported: receipt.json in the folder of the run; see carryover receipt --help',
  );
  addOptions(command);
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args: frame.args }).action(
    frame.action((files: readonly string[], options: ImportOptions) => importFile(files, options, frame)),
  );
};

/** How known users, and those with a second factor, are imported. */
export function addRules(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--on-conflict <how>',
        'known users whose record differs: update takes what changed at the source, except a password that was changed here too; theirs takes all of it; ours leaves what was changed here; skip leaves the user alone; reject rejects the record',
      )
        .choices(onConflicts)
        .default('update'),
    )
    .addOption(
      new Option(
        '--second-factor <how>',
        'users with a second factor, which the core itself does not ask for: refuse imports them and restricts their sign-in, flag lets the password alone sign them in, drop also forgets the factor; see docs/guide/second-factors.md',
      )
        .choices(secondFactorRules)
        .default(defaultSecondFactor),
    )
    .option(
      '--same-ids',
      'the same external id means the same person, even if nothing else is equal; left out: such records are rejected as DIFFERENT_PERSON',
    );
}

function addOptions(command: Command): void {
  addFolderOptions(command);
  addPartialOption(addAbsentOptions(command));
  addYesOption(addSampleOption(addJsonOption(command)));
  addIdPrefix(addInputOptions(command));
  addServerOptions(command);
  addProviderFlags(command, providers);
}

function addFolderOptions(command: Command): void {
  command
    .option(
      '--out-dir <folder>',
      'where each run gets its folder, with report, log, rejects and a file to correct them in; left out: .carryover, which git ignores',
    )
    .option('--no-run-folder', 'make no folder for the run; rejects go to carryover-rejects-<job>.ndjson');
}

/** The rule for users who are gone at the source. */
export function addAbsentOptions(command: Command): Command {
  return command
    .option(
      '--source <label>',
      'name of the system that the file comes from, where there are several: --absent looks only at users of its imports; at most 64 characters',
    )
    .addOption(
      new Option(
        '--absent <how>',
        'for a whole export only: what to do with users who came by an import of the same source and are not in the file: report lists them, disable restricts their sign-in, remove removes them; undo reverses it; a dry run only counts them',
      ).choices(absentRules),
    )
    .option(
      '--force-absent',
      'disable or remove them (--absent) also where the file has half or fewer of those users, or records that are not valid',
    );
}

async function importFile(
  files: readonly string[],
  given: ImportOptions,
  { args, surroundings }: Frame,
): Promise<ExitCode> {
  // Without a terminal and without `--yes`, a dry run shows the import.
  const isPreview = given.dryRun !== true && !mayChange(given, surroundings);
  const options = isPreview ? { ...given, dryRun: true, isPreview } : given;
  return withCore({ ...options, writes: true }, surroundings, async (core) => {
    // Before a long standard input is copied for a core that would refuse it.
    await core.client.jobs(surroundings.interrupt);
    // The core adds the prefix, also when the import continues later.
    const input = await openInput(files, { ...options, idPrefix: undefined }, surroundings);
    const states = new StateFiles(surroundings);
    // A requested dry run may be of a part: a preview shows what would be done.
    const isPartial = given.partial === true || given.dryRun === true;
    const beginning = { files, input, core, states, options, surroundings };
    const state = await begin({ ...beginning, isPartial }).catch(async (error: unknown) => {
      await removeSpooled(input);
      throw error;
    });
    const next = options.dryRun === true ? [realStep(args)] : [];
    return runJob({ state, input, core, states, options, surroundings, next });
  });
}

/** The import that the dry run previewed. */
function realStep(args: readonly string[]): Step {
  const switches = ['--dry-run', '--yes', '--json'];
  return {
    command: exactCommand(['import', ...argumentsWithout(args, { switches }), '--yes']),
    reason: 'imports these users',
  };
}

interface Beginning {
  /** As they were given. */
  readonly files: readonly string[];
  readonly input: Input;
  readonly core: Core;
  readonly states: StateFiles;
  readonly options: ImportOptions;
  readonly surroundings: Surroundings;
  /** Whether an incomplete input is accepted. */
  readonly isPartial: boolean;
}

/** Creates the job, and stores it for `resume`. */
async function begin(beginning: Beginning): Promise<ImportState> {
  const { files, input, core, states, options, surroundings } = beginning;
  await requireComplete(
    input,
    { isPartial: beginning.isPartial, checksTotals: options.dryRun !== true, absent: options.absent },
    surroundings,
  );
  await requireTenant(core, input.tenant, surroundings.interrupt);
  refuseSameFile(options.rejects, filesOf(input), surroundings);
  if (options.rejects !== undefined) await empty(path.resolve(surroundings.folder, options.rejects));
  await states.prepare();
  const base = await makeRunsFolder(options, surroundings);
  const name = options.name ?? (input.isSpooled ? 'standard input' : nameOf(files, surroundings.folder));
  const length = input.isPlain ? input.file.bytes : undefined;
  const job = { name, length, ...rulesIn(options) };
  const known = options.canaries === undefined ? undefined : await canariesOf(options.canaries, beginning);
  const jobId = await (known === undefined
    ? core.tus.create(job, surroundings.interrupt)
    : createVerified(job, known, beginning));
  const runFolder = base && (await RunFolder.open(base, jobId)).path;
  const statesRejects = await takesRejects(beginning, jobId);
  const state = { ...stateOf(beginning, { jobId, runFolder }), statesRejects };
  await states.save(state);
  return state;
}

/** The options of the job, as far as they are the command's. */
function rulesIn(options: ImportOptions): Omit<NewUpload, 'name' | 'length'> {
  const { onConflict, secondFactor, idPrefix, absent } = options;
  return {
    onConflict,
    dryRun: options.dryRun ?? false,
    secondFactor,
    sameIds: options.sameIds ?? false,
    idPrefix,
    restoreRemoved: options.restoreRemoved ?? false,
    source: options.source ?? '',
    absent,
    absentYes: options.forceAbsent ?? false,
    receipt: options.receipt === true && options.isPreview !== true,
  };
}

/** Whether the core counts rejects of the conversion, which older ones do not. */
async function takesRejects({ input, core, surroundings }: Beginning, jobId: string): Promise<boolean> {
  if (input.isPlain) return false;
  const { rejectedByConversion } = await core.client.job(jobId, surroundings.interrupt);
  return rejectedByConversion !== undefined;
}

/** Loaded for the few imports that have canaries. */
async function createVerified(
  job: NewUpload,
  canaries: KnownSecrets,
  { core, surroundings }: Beginning,
): Promise<string> {
  const { recordingCanaries } = await import('../move/record-canaries.ts');
  return recordingCanaries(canaries, core.client, surroundings, () =>
    core.tus.create({ ...job, canaries }, surroundings.interrupt),
  );
}

/** Loaded for the few imports that have them. */
async function canariesOf(file: string, { input, surroundings }: Beginning): Promise<KnownSecrets> {
  const { readCanaries } = await import('../known/canaries.ts');
  return readCanaries(file, input, surroundings);
}

/** The requested file must not be that of a former run, and a bad path is reported before the job is created. */
async function empty(file: string): Promise<void> {
  await writeFile(file, '', { mode: 0o600 }).catch((error: unknown) => {
    throw fileError(file, error, true);
  });
}

function rejectsFor({ jobId, runFolder }: Job): string {
  if (runFolder !== undefined) return path.join(runFolder, 'rejects.ndjson');
  return `carryover-rejects-${jobId.replace(/[^\w-]/g, '_')}.ndjson`;
}

type Job = Pick<ImportState, 'jobId' | 'runFolder'>;

function stateOf(
  { input, core, options, surroundings, isPartial }: Beginning,
  { jobId, runFolder }: Job,
): ImportState {
  const { settings } = input;
  const publicOptions = Object.entries(settings.options).filter(([name]) => !settings.secrets.includes(name));
  return {
    version: 1,
    jobId,
    runFolder,
    startedAt: surroundings.now(),
    url: addressesText(core),
    app: core.server.app,
    provider: input.provider.name,
    file: input.file,
    several: input.several,
    isSpooled: input.isSpooled,
    related: input.related,
    options: Object.fromEntries(publicOptions),
    secretOptions: settings.secrets,
    tenant: input.tenant,
    reading: input.reading,
    isPartial: isPartial && options.absent === undefined,
    rejectsFile: path.resolve(surroundings.folder, options.rejects ?? rejectsFor({ jobId, runFolder })),
  };
}
