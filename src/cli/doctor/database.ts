/** `doctor database`: what a core would find there, and what a failover would lose. */
import path from 'node:path';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { printable, table } from '../output/format.ts';
import { answerOf, atEach, codeOf, outcomeLines, placesOf, resultsOf } from '../places/each.ts';
import type { ExaminedDatabaseView, Surroundings } from '../surroundings.ts';

interface DatabaseOptions {
  readonly config?: string;
  readonly place?: string;
  readonly json?: boolean;
}

/**
 * Examines the database of each place.
 * @returns `rejects` if a crash or a failover may lose acknowledged writes, or commits are not answered; `refused` if one of several
 *   places has a condition that would stop a core
 * @throws StartupError for such a condition in the only one
 */
export async function examineDatabaseOf(
  { config, place: only, json }: DatabaseOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { environment, folder, stdout, examineDatabase } = surroundings;
  const sources = { file: config && path.resolve(folder, config), environment };
  const places = placesOf(sources, only);
  const outcomes = await atEach(
    places,
    surroundings,
    (place) => examineDatabase({ ...sources, place }),
    outcomeLines(
      surroundings,
      json === true
        ? undefined
        : (found, place) => `${places.length === 1 ? '' : `${place}:\n`}${asText(found)}`,
    ),
  );
  if (json === true) stdout.write(answerOf('doctor database', outcomes, (found) => found));
  const areSafe = resultsOf(outcomes).every(({ isSafe }) => isSafe);
  return codeOf(outcomes, areSafe ? exitCodes.ok : exitCodes.rejects);
}

function asText(found: ExaminedDatabaseView): string {
  const { servers, version, forgetting, clockAheadMs, tables } = found;
  const crash =
    forgetting.length === 0
      ? 'loses nothing that was committed'
      : `may lose commits: ${forgetting.join(', ')} off`;
  const pending =
    tables.pending.length === 0
      ? `version ${tables.newest}`
      : `a core would migrate them to ${tables.newest}`;
  const lines = [
    ...servers.map(({ where, kind, reason }) => [where, reason === undefined ? kind : `${kind}: ${reason}`]),
    ['PostgreSQL', version],
    ['tables', pending],
    ['clock', clockAheadMs === 0 ? 'the same' : `${clockAheadMs} ms ahead of the database's`],
    ['a crash', crash],
    ['a failover', found.failoverInWords],
  ];
  return `${table(lines).map(printable).join('\n')}\n`;
}
