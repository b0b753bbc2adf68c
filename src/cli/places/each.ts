/** Commands on databases: all places of the settings in one go, or one of them. */
import type { Command } from 'commander';
import { loadConfig } from '../../config/load.ts';
import { firstPlaceName } from '../../domain/app-place.ts';
import { StartupError } from '../../process/startup-error.ts';
import { CommandError, type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { printable } from '../output/format.ts';
import type { DatabaseSources, Surroundings } from '../surroundings.ts';

export type Outcome<Result> =
  | { readonly place: string; readonly result: Result }
  /** It cannot be used: a sentence with the cure. */
  | { readonly place: string; readonly reason: string };

export function addPlaceOption(command: Command): Command {
  return command.option(
    '--place <name>',
    `one of the places of the settings, such as ${firstPlaceName}; left out: all of them`,
  );
}

/**
 * The places of the settings, the first one first; without the setting `places` that one alone.
 * @param place only this one
 * @throws ConfigError, and CommandError if there is no such place
 */
export function placesOf(sources: DatabaseSources, place?: string): readonly string[] {
  const names = [firstPlaceName, ...loadConfig(sources).places.map(({ name }) => name)];
  if (place === undefined) return names;
  if (names.includes(place)) return [place];
  throw new CommandError(`--place: there is no place '${place}': the settings have ${names.join(', ')}`, {
    code: 'UNKNOWN_PLACE',
    field: '--place',
  });
}

/**
 * Works on one place after the other. One that cannot be used does not keep the others from it.
 * @param onOutcome called after each
 * @throws the error of the only one; any other error than StartupError, and whatever follows an interruption
 */
export async function atEach<Result>(
  places: readonly string[],
  { interrupt }: Pick<Surroundings, 'interrupt'>,
  work: (place: string) => Promise<Result>,
  onOutcome: (outcome: Outcome<Result>) => void = () => undefined,
): Promise<Outcome<Result>[]> {
  const outcomes: Outcome<Result>[] = [];
  for (const place of places) {
    const outcome = await work(place).then(
      (result) => ({ place, result }),
      (error: unknown) => {
        if (!(error instanceof StartupError) || interrupt.aborted || places.length === 1) throw error;
        return { place, reason: error.message };
      },
    );
    outcomes.push(outcome);
    onOutcome(outcome);
  }
  return outcomes;
}

/**
 * Writes each outcome when it is known: why a place cannot be used, and results in words.
 * @param inWords with line ends; left out: a single answer follows
 */
export function outcomeLines<Result>(
  { stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>,
  inWords?: (result: Result, place: string) => string,
): (outcome: Outcome<Result>) => void {
  return (outcome) => {
    if ('reason' in outcome) stderr.write(`${reasonLine(outcome)}\n`);
    else if (inWords !== undefined) stdout.write(inWords(outcome.result, outcome.place));
  };
}

export function reasonLine({ place, reason }: { readonly place: string; readonly reason: string }): string {
  return printable(`${place}: ${reason}`);
}

/** The start of a line about a place, where there are several. */
export function prefixOf(place: string, places: readonly string[]): string {
  return places.length === 1 ? '' : `${place}: `;
}

/** Results of the places that could be used. */
export function resultsOf<Result>(outcomes: readonly Outcome<Result>[]): Result[] {
  return outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : []));
}

/** For programs: one place as a single database, several as a list. */
export function viewOf<Result>(
  outcomes: readonly Outcome<Result>[],
  ofResult: (result: Result, place: string) => object,
): object {
  const [first] = outcomes;
  if (first !== undefined && 'result' in first && outcomes.length === 1)
    return ofResult(first.result, first.place);
  const places = outcomes.map((outcome) =>
    'result' in outcome
      ? { place: outcome.place, status: 'OK', ...ofResult(outcome.result, outcome.place) }
      : { place: outcome.place, status: 'ERROR', message: outcome.reason },
  );
  return { ...(hasFailed(outcomes) && { status: 'ERROR' }), places };
}

/** @param type as for `asJson` */
export function answerOf<Result>(
  type: string,
  outcomes: readonly Outcome<Result>[],
  ofResult: (result: Result, place: string) => object,
  next: readonly Step[] = [],
): string {
  return asJson(type, viewOf(outcomes, ofResult), next);
}

/** @param otherwise where all could be used */
export function codeOf(outcomes: readonly Outcome<unknown>[], otherwise: ExitCode = exitCodes.ok): ExitCode {
  return hasFailed(outcomes) ? exitCodes.refused : otherwise;
}

function hasFailed(outcomes: readonly Outcome<unknown>[]): boolean {
  return outcomes.some((outcome) => 'reason' in outcome);
}
