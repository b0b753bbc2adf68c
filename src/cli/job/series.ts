/** The jobs of a series, as the commands about one find them. */

import { InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { type Core, flagsFor, parseSeconds } from '../client/server.ts';
import type { JobView } from '../client/views.ts';
import { CommandError } from '../command-error.ts';

/** @param what what the command does with it */
export function seriesOption(what: string): Option {
  return new Option('--series <name>', what);
}

/** ms since the epoch, or seconds before the command's start. */
export type Since = { readonly at: number } | { readonly secondsAgo: number };

/** @throws InvalidArgumentError */
export function parseSince(text: string): Since {
  const given = text.trim();
  if (!/^\d{4}-/.test(given)) return { secondsAgo: parseAgo(given) };
  // Without a zone it would depend on this machine's.
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(given);
  const at = isTime ? Date.parse(given) : NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError(takes);
  return { at };
}

const takes = 'It takes a time with its zone, such as 2026-11-27T10:30:00Z, or a duration such as 30m, 2h.';

function parseAgo(text: string): number {
  try {
    return parseSeconds(text);
  } catch {
    throw new InvalidArgumentError(takes);
  }
}

/** Newest first. @throws CommandError if the core has no such series, or is too old to have any */
export async function* jobsOfSeries(
  name: string,
  { client, server }: Core,
  signal: AbortSignal,
): AsyncGenerator<JobView> {
  let isKnown = false;
  for await (const page of client.jobsOf(name, signal))
    for (const job of page) {
      if (job.series?.name !== name)
        throw new CommandError('This core is too old for series of imports: update it first', {
          field: '--series',
        });
      isKnown = true;
      yield job;
    }
  if (isKnown) return;
  const command = `${carryover} jobs${flagsFor(server)}`;
  throw new CommandError(`There is no series ${JSON.stringify(name)} in this core: '${command}' lists them`, {
    code: 'UNKNOWN_SERIES',
    field: '--series',
    next: [{ command, reason: 'lists the imports of the core' }],
  });
}

/** The fields of a job that its undo needs: a series may have a hundred thousand. */
export type SeriesJob = Pick<
  JobView,
  'id' | 'state' | 'dryRun' | 'startedAt' | 'created' | 'updated' | 'absentDone' | 'purgedAt'
>;

/** Newest first: the jobs that began at or after that moment. @param since ms since the epoch @throws as jobsOfSeries */
export async function jobsSince(
  name: string,
  since: number,
  core: Core,
  signal: AbortSignal,
): Promise<readonly SeriesJob[]> {
  const found: SeriesJob[] = [];
  for await (const job of jobsOfSeries(name, core, signal)) {
    const { id, state, dryRun, startedAt, created, updated, absentDone = null, purgedAt = null } = job;
    if (startedAt < since) break;
    found.push({ id, state, dryRun, startedAt, created, updated, absentDone, purgedAt });
  }
  return found;
}
