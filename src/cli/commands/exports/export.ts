import { carryover } from '../../../process/called.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { addServerOptions, type ServerOptions, withCore } from '../../client/server.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { printable } from '../../output/format.ts';
import { requireOut, writeOut } from '../../output/sink.ts';
import type { Surroundings } from '../../surroundings.ts';
import { ExportProgress } from './export-progress.ts';

interface ExportOptions extends ServerOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly changedSince?: string;
}

export const addExport: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('export')
    .summary('write every user of a core as NDJSON')
    .description('Writes every user as a native record, one a line, for import.')
    .option(
      '--changed-since <job|time>',
      'only users who were made or changed here since the job began, or since the time (2026-11-25T08:00:00Z)',
    )
    .option('-o, --out <file>', 'left out: the standard output');
  addServerOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(
        `${carryover} export -o users.ndjson`,
        `${carryover} export --changed-since 2026-11-25T08:00:00Z -o changed.ndjson`,
        `${carryover} export | gzip > users.ndjson.gz`,
      ),
    )
    .action(action((options: ExportOptions) => exportUsers(options, surroundings)));
};

async function exportUsers(options: ExportOptions, surroundings: Surroundings): Promise<ExitCode> {
  requireOut(options);
  const { out, changedSince } = options;
  const exported = await withCore(options, surroundings, async ({ client }) => {
    const progress = new ExportProgress(surroundings);
    const users = await client.export(surroundings.interrupt, changedSince);
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
