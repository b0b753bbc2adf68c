/** `export --as`: what changed here while a move leads, as files that the old system imports. */
import { findBackFormat } from '../../../exports/back/index.ts';
import { carryover } from '../../../process/called.ts';
import { type MoveView, moveStatus } from '../../client/moves.ts';
import { flagsFor, type ServerOptions, withCore } from '../../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { quoted } from '../../confirm/exact.ts';
import { type BackFiles, writeFiles } from '../../move/files/write-files.ts';
import { noMove } from '../../move/options.ts';
import { asJson } from '../../output/answer.ts';
import { moment, plural, printable } from '../../output/format.ts';
import { tell } from '../../output/terminal.ts';
import type { Surroundings } from '../../surroundings.ts';

export interface ExportOptions extends ServerOptions {
  readonly out?: string;
  readonly json?: boolean;
  readonly changedSince?: string;
  /** The name of a system. */
  readonly as?: string;
  readonly idPrefix?: string;
}

/** @throws CommandError */
export async function exportAs(options: ExportOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { out, as: name = '', changedSince = 'move', idPrefix = '' } = options;
  const format = findBackFormat(name);
  if (format === undefined) throw new Error(`no system ${name} imports files`);
  if (out === undefined || out === '-')
    throw new CommandError('--as writes several files: name a new folder for them with --out', {
      field: '--out',
      cure: 'name a folder with --out',
    });
  return withCore(options, surroundings, async ({ client, server }) => {
    const move = requireNoted(await moveStatus(client, surroundings.interrupt));
    requireSystem(move, name);
    const since = momentOf(changedSince, move);
    const written = await writeFiles({ client, move, format, out, idPrefix, since, surroundings });
    const record = `${carryover} move record ${quoted(`${out}/written.ndjson`)}${flagsFor(server)}`;
    if (options.json === true)
      surroundings.stdout.write(
        asJson('export', { as: name, out, ...written.tally, files: written.files }, [
          { command: record, reason: 'once the files are in the old system: confirms that they are' },
        ]),
      );
    else tell(surroundings, textOf(written, { out, record }));
    return exitCodes.ok;
  });
}

/** @throws CommandError unless what changes is noted */
export function requireNoted(move: MoveView | undefined): MoveView & { readonly notedSince: number } {
  if (move === undefined) throw noMove();
  const { notedSince } = move;
  if (notedSince !== undefined) return { ...move, notedSince };
  throw new CommandError(
    `The move is ${move.stage}, and what changes here is noted from its first share on: '${carryover} move next' takes the step`,
    { code: 'NOT_NOTED', field: '--changed-since', cure: 'give a time, or take the step first' },
  );
}

function requireSystem({ source }: MoveView, name: string): void {
  if (source.system === name) return;
  throw new CommandError(
    `The app moves from ${printable(source.system)}, whose ids users have: files for ${name} would make new users of all of them`,
    { code: 'OTHER_SOURCE_ERROR', field: '--as', cure: `give --as ${source.system}` },
  );
}

/** @returns ms since the epoch; undefined: since the move leads @throws CommandError */
function momentOf(text: string, { notedSince }: { readonly notedSince: number }): number | undefined {
  if (text === 'move') return undefined;
  const at = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (!Number.isFinite(at))
    throw new CommandError(
      "--changed-since takes, with --as, 'move' or a time such as 2026-11-25T08:00:00Z: imports are not noted",
      { field: '--changed-since', cure: "give 'move'" },
    );
  if (at >= notedSince) return at;
  throw new CommandError(
    `What changed before ${moment(notedSince)} UTC, when the first users of the move signed in here, was not noted: give 'move' for all since then`,
    { code: 'NOT_NOTED', field: '--changed-since', cure: "give 'move'" },
  );
}

function textOf(
  { tally, files }: BackFiles,
  { out, record }: { readonly out: string; readonly record: string },
): string {
  const { users, changed, removed, mustReset, leftOut } = tally;
  const lines = [
    `Written to ${printable(out)}: ${plural(users, 'user')} in ${files.filter((name) => name.startsWith('users')).join(', ') || 'no file'}`,
    ...(changed === 0
      ? []
      : [`There already, to be changed by its API (changed.ndjson): ${plural(changed, 'user')}`]),
    ...(removed === 0 ? [] : [`Removed here (removed.ndjson): ${plural(removed, 'user')}`]),
    ...(mustReset === 0
      ? []
      : [`Must reset the password there (must-reset.ndjson): ${plural(mustReset, 'user')}`]),
    ...(leftOut === 0 ? [] : [`In no file of users (left-out.ndjson): ${plural(leftOut, 'user')}`]),
    `Once they are there: ${record}`,
  ];
  return `${lines.join('\n')}\n`;
}
