/**
 * The results that docs/measured.md shows: one file, `results.json` next to this one. `npm run bench -- <name> --keep` replaces
 * the figures of the scenarios that ran; rows of SDK suites and environments are added by hand. `npm run generate` then writes
 * the page.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Seconds } from '../durations.ts';
import type { Machine } from '../machine.ts';
import { writeJson } from '../results.ts';
import type { Measurement } from '../scenario.ts';

export const keptFile = path.join(import.meta.dirname, 'results.json');

/** The date and commit of a measurement. */
interface Provenance {
  /** As 2026-11-26. */
  readonly date: string;
  /** The measured one if known, otherwise the one that recorded the figure. */
  readonly commit: string;
}

/** The bar for a ratio. */
export interface Bar {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A row of the page. */
export interface Figure extends Provenance {
  /** The block of the page that shows it: `<!-- facts: figures import -->`. */
  readonly section: string;
  /** In words for a reader. */
  readonly what: string;
  /** The name of the measurement that replaces this row; left out if a figure was taken from a scenario's details. */
  readonly measurement?: string;
  /** Left out if only the ratio is known. */
  readonly value?: number;
  readonly unit?: string;
  /** The value relative to a reference of the same run. */
  readonly ratio: number;
  /** That reference, in words. */
  readonly against: string;
  /** The smallest and the largest ratio of all rounds. */
  readonly range?: readonly [number, number];
  /** Of the ratio. */
  readonly bar?: Bar;
  readonly note?: string;
  /** A key of `machines`. */
  readonly machine: string;
}

/** A run of the test suite of an SDK's release, or of parts of it. */
export interface SuiteRun extends Provenance {
  readonly sdk: string;
  readonly version: string;
  /** The version of the driver interface that it speaks. */
  readonly cdi: string;
  /** Directories or packages of the suite. */
  readonly parts: readonly string[];
  readonly passed: number;
  readonly failed: readonly { readonly count: number; readonly why: string }[];
}

/** Environments of one sweep (`npm run hosting`) with similar memory. */
export interface Environments extends Provenance {
  readonly memory: string;
  readonly environments: number;
  /** The number in which everything was done. */
  readonly done: number;
  readonly importsRefused: number;
  readonly startRefused: number;
  /** Kills, hangs and stack traces. */
  readonly faults: number;
  readonly seed: number;
}

type KeptMachine = Pick<Machine, 'cpu' | 'cores' | 'node' | 'postgresql'> & Partial<Machine>;

export interface Kept {
  /** The machine of the page; figures of others have a separate section. */
  readonly machine: string;
  readonly machines: Readonly<Record<string, KeptMachine>>;
  readonly figures: readonly Figure[];
  readonly suites: readonly SuiteRun[];
  readonly environments: readonly Environments[];
  /** How long the scenarios of runs with `--keep` took. */
  readonly seconds?: Seconds;
}

export function readKept(): Kept {
  return JSON.parse(readFileSync(keptFile, 'utf8')) as Kept;
}

export function isReached({ ratio, bar }: Pick<Figure, 'ratio' | 'bar'>): boolean {
  return ratio >= (bar?.atLeast ?? -Infinity) && ratio <= (bar?.atMost ?? Infinity);
}

/** A run whose measurements replace kept figures. */
export interface Run extends Provenance {
  readonly machine: Machine;
  readonly scenarios: readonly Measurement[];
  readonly took?: Seconds;
}

/**
 * The kept results with the figures of a run instead of the former ones. A measurement without a row, and without the words for one,
 * is left out.
 */
export function withRun(kept: Kept, run: Run): Kept {
  const machine = `${run.machine.cores} × ${run.machine.cpu}`;
  const found = new Map(run.scenarios.map((each) => [each.name, each]));
  const present = kept.figures.map((row) => {
    const measurement = row.measurement === undefined ? undefined : found.get(row.measurement);
    return measurement === undefined ? row : rowOf(row, measurement, { ...run, machine });
  });
  const known = new Set(kept.figures.map(({ measurement }) => measurement));
  const added = run.scenarios.flatMap((each) =>
    each.row === undefined || known.has(each.name)
      ? []
      : [rowOf({ ...each.row, measurement: each.name, against: each.reference }, each, { ...run, machine })],
  );
  const figures = [...present, ...added];
  const machines = { ...kept.machines, [machine]: run.machine };
  const used = new Set([kept.machine, ...figures.map((row) => row.machine)]);
  return {
    ...kept,
    machines: Object.fromEntries(Object.entries(machines).filter(([name]) => used.has(name))),
    figures,
    seconds: { ...kept.seconds, ...rounded(run.took ?? {}) },
  };
}

function rounded(seconds: Seconds): Seconds {
  return Object.fromEntries(Object.entries(seconds).map(([name, each]) => [name, Math.round(each)]));
}

/** A note belongs to the figures that it was written for, so it is dropped. */
function rowOf(
  { section, what, measurement: name, against }: Pick<Figure, 'section' | 'what' | 'measurement' | 'against'>,
  { value, unit, ratio, spread, atLeast, atMost }: Measurement,
  { date, commit, machine }: Provenance & { readonly machine: string },
): Figure {
  const bar = { ...(atLeast !== undefined && { atLeast }), ...(atMost !== undefined && { atMost }) };
  return {
    section,
    what,
    ...(name !== undefined && { measurement: name }),
    value: Number(value.toPrecision(3)),
    unit,
    ratio: Number(ratio.toFixed(2)),
    against,
    range: [Number(spread[0].toFixed(2)), Number(spread[1].toFixed(2))],
    ...(Object.keys(bar).length > 0 && { bar }),
    date,
    commit,
    machine,
  };
}

export async function keep(run: Run): Promise<void> {
  await writeJson(keptFile, withRun(readKept(), run));
}
