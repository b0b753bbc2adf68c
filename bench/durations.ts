/** How long scenarios take: measured by each run, and said before the next one. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { duration, table } from '../src/cli/output/format.ts';

/** Seconds by the name of the scenario; only of those that were measured. */
export type Seconds = Readonly<Record<string, number>>;

/** The last durations on this machine. */
export interface Durations {
  readonly full: Seconds;
  readonly quick: Seconds;
}

/** Where durations are stored. */
export interface DurationStore {
  read(): Promise<Durations>;
  /** Replaces those of the named scenarios. */
  note(mode: keyof Durations, seconds: Seconds): Promise<void>;
}

/** Up to so many times its last duration a scenario may take rounds; longer is reported. */
export const mostTimes = 1.5;

/** @param usual durations of whole runs for those that were never run on this machine */
export function durationsIn(file: string, usual: Seconds): DurationStore {
  const stored = async (): Promise<Durations> => {
    const text = await readFile(file, 'utf8').catch(() => '{}');
    const { full = {}, quick = {} } = JSON.parse(text) as Partial<Durations>;
    return { full, quick };
  };
  return {
    read: async () => {
      const { full, quick } = await stored();
      return { full: { ...usual, ...full }, quick };
    },
    note: async (mode, seconds) => {
      const before = await stored();
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, JSON.stringify({ ...before, [mode]: { ...before[mode], ...seconds } }));
    },
  };
}

interface Named {
  readonly name: string;
  readonly about: string;
}

/** What `--list` prints. */
export function listWithTimes(scenarios: readonly Named[], { full, quick }: Durations): string {
  const rows = scenarios.map(({ name, about }) => [name, said(full[name]), said(quick[name]), about]);
  return indented([['', 'full', '--quick', ''], ...rows]);
}

/** Before a run: how long each takes, and all of them. */
export function announced(scenarios: readonly Named[], last: Seconds): string {
  const known = scenarios.flatMap(({ name }) => last[name] ?? []);
  const unknown = scenarios.length - known.length;
  const sum = known.reduce((total, each) => total + each, 0);
  const all = [
    ...(known.length > 0 ? [`${duration(sum)} in all, by their last runs`] : []),
    ...(unknown > 0 ? [`${unknown} not measured yet`] : []),
  ];
  return `${indented(scenarios.map(({ name }) => [name, said(last[name])]))}\n${all.join('; ')}`;
}

/** @param took seconds @returns what a run says of a scenario's time; with the last one if it was much less */
export function timeTaken(took: number, last: number | undefined): string {
  const time = `${took.toFixed(1)} s`;
  if (last === undefined || took <= mostTimes * last) return time;
  return `${time}: ${(took / last).toFixed(1)} times the ${duration(last)} that were said`;
}

function said(seconds: number | undefined): string {
  return seconds === undefined ? 'not measured yet' : duration(Math.max(1, seconds));
}

function indented(rows: readonly (readonly string[])[]): string {
  return table(rows)
    .map((line) => `  ${line}`)
    .join('\n');
}
