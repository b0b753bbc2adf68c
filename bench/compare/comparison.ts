import type { Results } from '../results.ts';
import type { Measurement } from '../scenario.ts';
import { median } from '../statistics.ts';

/** The measurements of one run; undefined if that tree has no such scenario. */
type Found = readonly Measurement[] | undefined;

/** One run of a scenario in each tree, in turn. */
export interface Pair {
  readonly here: Found;
  readonly there: Found;
}

/** A measurement of this tree compared with the other tree's. */
export interface Comparison {
  readonly name: string;
  readonly reference: string;
  /** Medians of the ratios to that reference, here and there. */
  readonly here: number;
  readonly there: number;
  /** here / there, the median over the rounds. */
  readonly ratio: number;
  /** Its smallest and largest value over the rounds: if 1 is between them, no difference was seen. */
  readonly spread: readonly [number, number];
}

/** A measurement, or a whole scenario, that only one of the trees has. */
export interface Missing {
  readonly name: string;
  readonly missing: 'here' | 'there';
}

/** The content of `--json` with `--against`. */
export interface ComparedResults extends Pick<Results, 'machine' | 'failed'> {
  readonly against: { readonly ref: string; readonly commit: string };
  readonly rounds: number;
  readonly scenarios: readonly Comparison[];
  readonly missing: readonly Missing[];
}

/**
 * Compares the ratios of a scenario's runs, pair by pair. Absolute values are ignored: the machine may have been slower in one
 * half of a pair.
 */
export function compare(
  scenario: string,
  pairs: readonly Pair[],
): Pick<ComparedResults, 'scenarios' | 'missing'> {
  const [first] = pairs;
  if (first === undefined) return { scenarios: [], missing: [] };
  if (first.here === undefined || first.there === undefined) {
    const missing = first.here === undefined ? 'here' : 'there';
    return { scenarios: [], missing: [{ name: scenario, missing }] };
  }
  const { here, there } = first;
  return {
    scenarios: here.flatMap((measurement) => comparisonOf(measurement, here, pairs) ?? []),
    missing: [...onlyIn(here, there, 'there'), ...onlyIn(there, here, 'here')],
  };
}

function comparisonOf(
  measurement: Measurement,
  siblings: readonly Measurement[],
  pairs: readonly Pair[],
): Comparison | undefined {
  const sides = pairs.flatMap(({ here, there }) => {
    const own = counterpart(measurement, siblings, here ?? []);
    const other = counterpart(measurement, siblings, there ?? []);
    return own && other ? [{ here: own.ratio, there: other.ratio }] : [];
  });
  if (sides.length === 0) return undefined;
  const ratios = sides.map(({ here, there }) => here / there);
  return {
    name: measurement.name,
    reference: measurement.reference,
    here: median(sides.map(({ here }) => here)),
    there: median(sides.map(({ there }) => there)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

function onlyIn(
  own: readonly Measurement[],
  other: readonly Measurement[],
  missing: Missing['missing'],
): Missing[] {
  return own
    .filter((measurement) => counterpart(measurement, own, other) === undefined)
    .map(({ name, reference }) => ({ name: `${name} (${reference})`, missing }));
}

/** By name and reference, since one name may have two; by the name alone if it has one on both sides, reworded. */
function counterpart(
  { name, reference }: Measurement,
  siblings: readonly Measurement[],
  others: readonly Measurement[],
): Measurement | undefined {
  const named = others.filter((each) => each.name === name);
  const exact = named.find((each) => each.reference === reference);
  const isOnly = named.length === 1 && siblings.filter((each) => each.name === name).length === 1;
  return exact ?? (isOnly ? named[0] : undefined);
}

/** In a line, with its verdict if all rounds agree on one. */
export function describeComparison({ name, reference, here, there, ratio, spread }: Comparison): string {
  const range = spread.map((each) => each.toFixed(2)).join(' to ');
  const verdict = spread[0] > 1 ? ', higher in every round' : spread[1] < 1 ? ', lower in every round' : '';
  const sides = `${here.toFixed(2)} here, ${there.toFixed(2)} there, of ${reference}`;
  return `${name}: here/there ${ratio.toFixed(2)} (${range}${verdict}); ${sides}`;
}

export function describeMissing({ name, missing }: Missing): string {
  return `${name}: does not exist ${missing}`;
}
