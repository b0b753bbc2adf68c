import { Option } from 'commander';
import { backFormats } from '../../../exports/back/index.ts';
import { carryover } from '../../../process/called.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { moveStatus } from '../../client/moves.ts';
import { addServerOptions, type Core, withCore } from '../../client/server.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { printable } from '../../output/format.ts';
import { requireOut, writeOut } from '../../output/sink.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type ExportOptions, exportAs, requireNoted } from './export-as.ts';
import { ExportProgress } from './export-progress.ts';

export const addExport: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('export')
    .summary('write users as NDJSON, or as files for an old system')
    .description(
      'Writes every user as a native record, one a line, for import. With --as it writes a folder of files that an old system imports: who changed here since its move leads, who was removed, and who must reset the password. docs/guide/back-by-files.md',
    )
    .option(
      '--changed-since <job|time|move>',
      'only users who were made or changed here since the job began, since the time (2026-11-25T08:00:00Z), or since the first users of the move signed in here',
    )
    .addOption(
      new Option(
        '--as <system>',
        'as files that this system imports, of what changed since the move leads',
      ).choices(backFormats.map(({ name }) => name)),
    )
    .option('--id-prefix <text>', 'with --as: as the imports had it')
    .option('-o, --out <file>', 'left out: the standard output; with --as a new folder');
  addServerOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(
        `${carryover} export -o users.ndjson`,
        `${carryover} export --changed-since 2026-11-25T08:00:00Z -o changed.ndjson`,
        `${carryover} export --as firebase -o back`,
        `${carryover} export | gzip > users.ndjson.gz`,
      ),
    )
    .action(
      action((options: ExportOptions) =>
        options.as === undefined ? exportUsers(options, surroundings) : exportAs(options, surroundings),
      ),
    );
};

async function exportUsers(options: ExportOptions, surroundings: Surroundings): Promise<ExitCode> {
  requireOut(options);
  const { out } = options;
  const exported = await withCore(options, surroundings, async (core) => {
    const progress = new ExportProgress(surroundings);
    const since = await changedSince(options, core, surroundings);
    const users = await core.client.export(surroundings.interrupt, since);
    await writeOut(progress.counted(users), out, surroundings);
    return progress.end(out === undefined ? undefined : printable(out));
  });
  if (options.json === true && out !== undefined) {
    const command = `${carryover} inspect ${quoted(out)}`;
    surroundings.stdout.write(
      asJson('export', { out, ...exported }, [{ command, reason: 'counts what the file has' }]),
    );
  }
  return exitCodes.ok;
}

/** @throws CommandError if the move notes nothing */
async function changedSince(
  { changedSince: given }: ExportOptions,
  { client }: Core,
  { interrupt }: Surroundings,
): Promise<string | undefined> {
  if (given !== 'move') return given;
  return String(requireNoted(await moveStatus(client, interrupt)).notedSince);
}
