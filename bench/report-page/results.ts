/** The results of a run of the benchmarks, as the report reads them. */
import type { Machine } from '../machine.ts';
import type { Failure } from '../results.ts';
import type { Measurement, Plot, Series } from '../scenario.ts';
import { clean } from '../../src/page/text.ts';

/** The output of `npm run bench -- --json FILE`. */
export interface Results {
  /** Results of older versions lack some of it. */
  readonly machine: Partial<Machine>;
  readonly scenarios: readonly Measurement[];
  /** Scenarios that threw. */
  readonly failed?: readonly Failure[];
  /** When it was measured, in words or ISO: the report itself reads no clock. */
  readonly date?: string;
  /** The measured version or commit. */
  readonly version?: string;
  /** A small run: its results are not compared with the bars. */
  readonly quick?: boolean;
  /** What each scenario measures, by its name. */
  readonly about?: Readonly<Record<string, string>>;
}

export type PlotId = Plot['id'];

/** In the order of the page. */
export const plotIds = [
  'growth',
  'throughput',
  'percentiles',
  'hash-cost',
  'cpu-split',
] as const satisfies readonly PlotId[];

/** Whether it is drawn over words; the others are curves over numbers. */
function isOverWords(id: PlotId): boolean {
  return id === 'hash-cost' || id === 'cpu-split';
}

/** @throws unless the text is a JSON object with `machine` and `scenarios` */
export function parseResults(text: string): Results {
  const results = JSON.parse(text) as Partial<Results> | null;
  if (!results?.machine || !Array.isArray(results.scenarios))
    throw new Error(
      'no results: they are an object with machine and scenarios, as npm run bench --json writes',
    );
  return results as Results;
}

/**
 * All series of a plot, from any measurement. In plots over words the series of one name are one, because each measurement adds
 * its bar; curves of one name are numbered. Invalid points are left out; a plot of nothing but zeros is empty.
 */
export function seriesOf(id: PlotId, scenarios: readonly Measurement[]): Series[] {
  const given = scenarios
    .flatMap(({ plots }) => plots ?? [])
    .filter((plot) => plot.id === id)
    .flatMap(({ series }) => series.map((each) => readable(id, each)));
  const merged = new Map<string, Series>();
  for (const series of given) {
    const isWords = isOverWords(id);
    const name = isWords ? series.name : unused(series, merged);
    merged.set(name, {
      ...series,
      name,
      points: [...(isWords ? (merged.get(name)?.points ?? []) : []), ...series.points],
    });
  }
  const all = [...merged.values()].filter(({ points }) => points.length > 0);
  return all.some(({ points }) => points.some(([, y]) => y > 0)) ? all : [];
}

function readable(id: PlotId, series: Series): Series {
  const { name, points, unit, marks } = series;
  return {
    name: clean(name),
    ...(unit !== undefined && { unit: clean(unit) }),
    ...(marks && { marks: marks.map(([x, text]) => [x, clean(text)]) }),
    points: points
      .filter((point) => isDrawable(id, point))
      .map(([x, y]) => [typeof x === 'string' ? clean(x) : x, y]),
  };
}

/** Finite, not negative, and not zero on a logarithmic scale. */
function isDrawable(id: PlotId, [x, y]: Series['points'][number]): boolean {
  const isLogarithmic = id === 'percentiles' || id === 'hash-cost';
  const hasPlace = typeof x === 'string' || (Number.isFinite(x) && x >= 0);
  return hasPlace && Number.isFinite(y) && (isLogarithmic ? y > 0 : y >= 0);
}

/** Its name, or the first numbered one that no other curve has; a repeated curve keeps its name. */
function unused(series: Series, others: ReadonlyMap<string, Series>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? series.name : `${series.name} (${n})`;
    const other = others.get(name);
    if (!other || JSON.stringify(other.points) === JSON.stringify(series.points)) return name;
  }
}

/** The words on the axis of a plot over words, each once, in the order of their first use. */
export function wordsOf(series: readonly Series[]): string[] {
  return [...new Set(series.flatMap(({ points }) => points.map(([x]) => String(x))))];
}

/** A series' value at a word; the last one counts. */
export function valueAt({ points }: Series, word: string): number | undefined {
  return points.findLast(([x]) => String(x) === word)?.[1];
}
