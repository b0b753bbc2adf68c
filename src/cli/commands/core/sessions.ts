import path from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../../process/called.ts';
import { Patience } from '../../client/retry.ts';
import { addServerOptions, type Core, flagsFor, type ServerOptions, withCore } from '../../client/server.ts';
import { CommandError, type ExitCode, exitCodes, Interrupted } from '../../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions, mayChange } from '../../confirm/confirm.ts';
import { linesOf } from '../../input/lines.ts';
import { asJson } from '../../output/answer.ts';
import { count, plural, printable } from '../../output/format.ts';
import { createProgress, type Progress } from '../../output/progress.ts';
import { describeRejects } from '../../output/outcome.ts';
import { RejectLog } from '../../output/reject-log.ts';
import { refuseSameFile } from '../../output/sink.ts';
import { bring, countRecords, type Done } from '../../sessions/bring.ts';
import { type OpenFile, openFile } from '../../sessions/open-file.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';

interface SessionsOptions extends ServerOptions, ConfirmOptions {
  readonly source: string;
  readonly tenant?: string;
  readonly fromLine: number;
  readonly rejects: string;
  readonly patience: string;
  readonly json?: boolean;
}

/** `sessions import`: tokens of an old system, so that no user is logged out. */
export const addSessions: AddCommand = (program, { surroundings, action }) => {
  const parent = program
    .command('sessions')
    .summary('import the sessions of an old system: users stay logged in')
    .description('Imports sessions of an old system whose tokens only that system can read.');
  const command = parent
    .command('import')
    .summary('import digests of tokens, to be exchanged for sessions')
    .description(
      'Imports the tokens of a file into a core, which stores their SHA-256. Each is exchanged once, by POST /recipe/session/carry. A token that is imported again replaces itself, so the command may be run again at any time.',
    )
    .argument(
      '<file>',
      'NDJSON, gzip or not, of {"userId","tokenSha256" or "token","expiresAt","issuedAt"}; - for the standard input',
    )
    .requiredOption('--source <name>', 'its name in session_sources')
    .option('--tenant <id>', 'tenant of the app; left out: public')
    .addOption(
      new Option('--from-line <line>', 'continue with this line').default(1).argParser((text) => {
        if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
        throw new InvalidArgumentError('It takes the number of a line, from 1.');
      }),
    )
    .option('--rejects <file>', 'where rejects go, as NDJSON', 'carryover-rejects-sessions.ndjson');
  addServerOptions(addJsonOption(addYesOption(command)))
    .addHelpText(
      'after',
      examples(
        `${carryover} sessions import sessions.ndjson --source store`,
        `psql -tAc "select json_build_object(…)" | ${carryover} sessions import - --source store`,
      ),
    )
    .action(action((file: string, options: SessionsOptions) => importTokens(file, options, surroundings)));
};

async function importTokens(
  file: string,
  options: SessionsOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  refuseSameFile(options.rejects, [path.resolve(surroundings.folder, file)], surroundings);
  const route = pathOf(options.tenant);
  return withCore(options, surroundings, async (core) => {
    const opened = await openFile(file, surroundings);
    if (!mayChange(options, surroundings)) await showOnly(opened, options, surroundings);
    const rejects = new RejectLog(path.resolve(surroundings.folder, options.rejects));
    const done = await run({ file, core, route, opened, rejects, options, surroundings }).finally(() =>
      rejects.close(),
    );
    say(done, rejects, options, surroundings);
    return rejects.count > 0 ? exitCodes.rejects : exitCodes.ok;
  });
}

/** Reads everything and sends nothing. @throws NeedsYes */
async function showOnly(
  { chunks }: OpenFile,
  options: SessionsOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { source, fromLine } = options;
  const log = new RejectLog(undefined);
  const tokens = await countRecords({ lines: linesOf(chunks), fromLine }, log);
  const lines = [
    `Would bring ${plural(tokens, 'token')} of ${printable(source)}, to be exchanged for sessions`,
    ...(log.count > 0 ? [`${count(log.count)} rejected:`, ...describeRejects(log.groups, 'line')] : []),
  ];
  await confirm({ lines, would: { source, imported: tokens, rejected: log.count } }, options, surroundings);
}

function pathOf(tenant: string | undefined): string {
  const id = tenant?.trim().toLowerCase();
  if (id !== undefined && !/^[a-z0-9-]{1,64}$/.test(id))
    throw new CommandError('--tenant takes letters, digits and hyphens, at most 64');
  return `${id === undefined || id === 'public' ? '' : `/${id}`}/recipe/session/carry/import`;
}

interface Run {
  readonly file: string;
  readonly core: Core;
  readonly route: string;
  readonly opened: OpenFile;
  readonly rejects: RejectLog;
  readonly options: SessionsOptions;
  readonly surroundings: Surroundings;
}

/** Reports how to continue if it ends early. */
async function run(given: Run): Promise<Done> {
  const { core, route, opened, rejects, options, surroundings } = given;
  const { stderr, interrupt, now } = surroundings;
  const { totalBytes } = opened;
  const progress = createProgress({ output: stderr, totalBytes, now, noun: 'token' });
  let line = options.fromLine - 1;
  try {
    return await bring({
      client: core.client,
      path: route,
      source: options.source,
      rejects,
      fromLine: options.fromLine,
      lines: linesOf(opened.chunks),
      patience: new Patience(Number(options.patience) * 1000, now),
      onTrouble: (reason, delayMs) => {
        progress.note(`${printable(reason)}: trying again in ${Math.ceil(delayMs / 1000)} s`);
      },
      signal: interrupt,
      onDone: (done) => {
        line = done.line;
        show(progress, { opened, done, rejects });
      },
    });
  } catch (error) {
    const wayOn = wayOnFrom(line, given);
    if (interrupt.aborted) throw new Interrupted(`Stopped.${wayOn}`, { cause: error });
    if (wayOn !== '') progress.note(wayOn.trim());
    throw error;
  } finally {
    progress.stop();
  }
}

function show(
  progress: Progress,
  { opened, done, rejects }: Pick<Run, 'opened' | 'rejects'> & { readonly done: Done },
): void {
  progress.update({ bytes: opened.bytesRead(), records: done.brought, rejected: rejects.count });
}

function wayOnFrom(line: number, { file, core, options }: Run): string {
  if (line < options.fromLine) return '';
  const tenant = options.tenant === undefined ? '' : ` --tenant ${options.tenant}`;
  const flags = `--source ${options.source}${tenant}${flagsFor(core.server)}`;
  return ` Lines up to ${line} are done with. Go on with: ${carryover} sessions import ${file} ${flags} --from-line ${line + 1}`;
}

function say(
  { brought }: Done,
  rejects: RejectLog,
  { source, json, rejects: file }: SessionsOptions,
  { stdout }: Surroundings,
): void {
  const rejected = rejects.count;
  if (json === true) {
    const written = { imported: brought, rejected, ...(rejected > 0 && { rejects: file }) };
    stdout.write(asJson('sessions import', written));
    return;
  }
  const lines = [
    `${plural(brought, 'token')} of ${printable(source)} may be exchanged for sessions`,
    ...(rejected > 0
      ? [`${count(rejected)} rejected, see ${file}:`, ...describeRejects(rejects.groups, 'line')]
      : []),
  ];
  stdout.write(`${lines.join('\n')}\n`);
}
