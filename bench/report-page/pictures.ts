/** The five pictures: their names, explanations and drawings. */
import type { Series } from '../scenario.ts';
import { drawDots, drawPercentiles } from './dots.ts';
import { lookOf, schemes, widths, type Look, type Scheme, type Width } from '../../src/page/look.ts';
import { drawPanels } from './panels.ts';
import type { PlotId } from './results.ts';
import { drawShares } from './shares.ts';
import { drawSvg, type Drawing } from './svg.ts';
import { format } from '../../src/page/text.ts';

export interface Picture {
  readonly title: string;
  /** A sentence or two for a reader who sees it for the first time. */
  readonly reading: string;
  readonly unit: string;
  readonly draw: (series: readonly Series[], look: Look) => Drawing;
}

export interface Variant {
  readonly width: Width;
  readonly scheme: Scheme;
  readonly svg: string;
}

/** In the order of the page. */
export const pictures: Readonly<Record<PlotId, Picture>> = {
  growth: {
    title: 'Rate against rows already stored',
    reading:
      'Users imported a second, by how many the database already holds. Where the line stays level, the last million takes as long as the first; a fall is what larger indexes cost.',
    unit: 'users/s',
    draw: (series, look) => drawPanels(series, 'users stored', look),
  },
  throughput: {
    title: 'Throughput over time',
    reading:
      'What is done a second, from a scenario’s start to its end, each with scales of its own. A level line means that nothing piles up.',
    unit: 'a second',
    draw: (series, look) => drawPanels(series, 'seconds since the start', look),
  },
  percentiles: {
    title: 'Latency, down to the slowest request',
    reading:
      'How long the given share of requests took at most; the figures are those of the first and of the last dot. The scale is logarithmic: each gridline is ten times the one before.',
    unit: 'ms',
    draw: drawPercentiles,
  },
  'hash-cost': {
    title: 'What one verification costs',
    reading:
      'The time one core takes to check one password, by kind of hash and its setting: here, in the threads of the server, and raw, by the bare library. Where the two dots are one, the threads cost nothing. The scale is logarithmic.',
    unit: 'ms',
    draw: (series, look) => drawDots(byCost(series), look),
  },
  'cpu-split': {
    title: 'Where the CPU time goes',
    reading:
      'The CPU time of one user or request, divided among the processes and threads that share the machine. Bars show shares; the times behind them are the sums.',
    unit: 'µs',
    draw: drawShares,
  },
};

/** From the cheapest to the most expensive kind. */
function byCost(all: readonly Series[]): Series[] {
  return all.map(({ name, points }) => ({ name, points: points.toSorted(([, a], [, b]) => a - b) }));
}

/** Both widths in both schemes. */
export function drawVariants(id: PlotId, series: readonly Series[]): Variant[] {
  const { title, draw } = pictures[id];
  return widths.flatMap((width) =>
    schemes.map((scheme) => {
      const look = lookOf(width, scheme);
      const caption = { id: `${id}-${width}-${scheme}`, title, description: describe(id, series) };
      return { width, scheme, svg: drawSvg(draw(series, look), look.width, caption) };
    }),
  );
}

/** The picture in words: the range of each series. */
function describe(id: PlotId, series: readonly Series[]): string {
  const { reading, unit: usual } = pictures[id];
  const ranges = series.map(({ name, unit = usual, points }) => {
    const values = points.map(([, y]) => y);
    const ends = [...new Set([Math.min(...values), Math.max(...values)].map(format))];
    return `${name}: ${ends.join(' to ')} ${unit}`;
  });
  return `${reading} ${ranges.join('; ')}.`;
}
