/** The five pictures: what each is called, how it is read and drawn. */
import type { Series } from '../scenario.ts';
import { lookOf, schemes, widths, type Look, type Scheme, type Width } from './look.ts';
import { drawCpuSplit } from './plots/cpu-split.ts';
import { drawHashCost } from './plots/hash-cost.ts';
import { drawPanels } from './plots/panels.ts';
import { drawPercentiles } from './plots/percentiles.ts';
import type { PlotId } from './results.ts';
import { drawSvg, type Drawing } from './svg.ts';
import { format } from './text.ts';

export interface Picture {
  readonly title: string;
  /** A sentence or two for somebody who sees it for the first time. */
  readonly reading: string;
  /** Headings of its numbers. */
  readonly axes: { readonly x: string; readonly y: string };
  readonly unit: string;
  readonly draw: (series: readonly Series[], look: Look) => Drawing;
}

export interface Variant {
  readonly width: Width;
  readonly scheme: Scheme;
  readonly svg: string;
}

export const pictures: Readonly<Record<PlotId, Picture>> = {
  throughput: {
    title: 'Throughput over time',
    reading:
      'Users a second from a scenario’s start to its end. A level line means that nothing piles up. Curves of unlike size have panels, and so scales, of their own.',
    axes: { x: 'seconds since the start', y: 'users/s' },
    unit: 'users/s',
    draw: (series, look) => drawPanels(series, { x: 'seconds since the start', y: 'users/s' }, look),
  },
  percentiles: {
    title: 'Latency, down to the slowest request',
    reading:
      'How long the given share of requests took at most. Each step from 90 to the right leaves a tenth of the requests, so the right half of the picture is what the unlucky ones meet. The times are on a logarithmic scale.',
    axes: { x: 'percentile', y: 'ms' },
    unit: 'ms',
    draw: drawPercentiles,
  },
  growth: {
    title: 'Rate against rows already stored',
    reading:
      'Users a second, by how many the database holds already. Where the line stays level, the last million takes as long as the first; a fall is what larger indexes cost.',
    axes: { x: 'users stored', y: 'users/s' },
    unit: 'users/s',
    draw: (series, look) => drawPanels(series, { x: 'users stored', y: 'users/s' }, look),
  },
  'hash-cost': {
    title: 'What one verification costs',
    reading:
      'The time one core takes to check one password, by kind of hash and its setting. The scale is logarithmic: each gridline is ten times the one before.',
    axes: { x: 'kind of hash', y: 'ms' },
    unit: 'ms',
    draw: drawHashCost,
  },
  'cpu-split': {
    title: 'Where the CPU time goes',
    reading:
      'The CPU time of one user or request, divided among the processes and threads that share the machine. Bars show shares; what they add up to stands behind them.',
    axes: { x: 'scenario', y: 'µs' },
    unit: 'µs',
    draw: drawCpuSplit,
  },
};

/** Both widths in both schemes; `names` of series in the order of their colours. */
export function drawVariants(id: PlotId, series: readonly Series[], names: readonly string[]): Variant[] {
  const { title, draw } = pictures[id];
  return widths.flatMap((width) =>
    schemes.map((scheme) => {
      const look = lookOf(width, scheme, names);
      const caption = { id: `${id}-${width}-${scheme}`, title, description: describe(id, series) };
      return { width, scheme, svg: drawSvg(draw(series, look), look.width, caption) };
    }),
  );
}

/** The picture in words: of each series its range. */
function describe(id: PlotId, series: readonly Series[]): string {
  const { reading, unit } = pictures[id];
  const ranges = series.map(({ name, points }) => {
    const values = points.map(([, y]) => y);
    const ends = [...new Set([Math.min(...values), Math.max(...values)].map(format))];
    return `${name}: ${ends.join(' to ')} ${unit}`;
  });
  return `${reading} ${ranges.join('; ')}.`;
}
