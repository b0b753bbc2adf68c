/** Curves over numbers, in as many panels as their sizes need: one scale would press the small ones flat. */
import type { EChartsOption } from 'echarts';
import type { Series } from '../../scenario.ts';
import type { Look } from '../look.ts';
import type { Drawing } from '../svg.ts';
import { short } from '../text.ts';
import { axisLook, base, curve, label, legend } from './parts.ts';
import { marksUpTo } from './scale.ts';

export interface Axes {
  readonly x: string;
  readonly y: string;
}

/** Curves within this factor of each other, in both directions, share a panel. */
const likeness = 5;
const gap = 36;
/** px from a panel's names to its plot, and from there to the next panel. */
const above = 34;
const below = 68;

export function drawPanels(all: readonly Series[], axes: Axes, look: Look): Drawing {
  const panels = group(all);
  const columns = look.isNarrow || panels.length === 1 ? 1 : 2;
  const width = (look.width - gap * (columns - 1)) / columns;
  const plotHeight = look.isNarrow ? 180 : panels.length === 1 ? 300 : 200;
  const parts: Part[] = [];
  let top = 8;
  for (let first = 0; first < panels.length; first += columns) {
    const row = panels.slice(first, first + columns);
    const placed = row.map((panel, at) =>
      drawPanel(panel, {
        axes,
        look,
        index: first + at,
        plotHeight,
        place: { left: at * (width + gap), top, width },
      }),
    );
    // The plots of a row begin at one height, below the longest list of names.
    const names = Math.max(...placed.map((part) => part.legendHeight));
    parts.push(...placed.map((part) => part.at(top + names)));
    top += names + above + plotHeight + below;
  }
  return { height: top - 8, option: join(parts, look) };
}

/** Each curve joins the first panel whose curves are like it. */
function group(all: readonly Series[]): Series[][] {
  const panels: Series[][] = [];
  for (const series of all) {
    const panel = panels.find((others) => others.every((other) => isLike(other, series)));
    if (panel) panel.push(series);
    else panels.push([series]);
  }
  return panels;
}

function isLike(a: Series, b: Series): boolean {
  return [0, 1].every((side) => {
    const [small = 0, large = 0] = [a, b]
      .map(({ points }) => Math.max(...points.map((point) => Number(point[side]))))
      .toSorted((x, y) => x - y);
    return large <= small * likeness;
  });
}

interface Part {
  readonly legend: object;
  readonly title: object;
  readonly grid: object;
  readonly xAxis: object;
  readonly yAxis: object;
  readonly series: readonly object[];
}

interface PanelContext {
  readonly axes: Axes;
  readonly look: Look;
  readonly index: number;
  readonly plotHeight: number;
  readonly place: { readonly left: number; readonly top: number; readonly width: number };
}

function drawPanel(panel: readonly Series[], context: PanelContext) {
  const { axes, look, index, plotHeight, place } = context;
  const names = legend(
    panel.map(({ name }) => name),
    place,
    look,
  );
  const common = {
    ...axisLook(look),
    gridIndex: index,
    axisLabel: { ...axisLook(look).axisLabel, formatter: short },
  };
  // One number at 0 still needs an axis.
  const last = Math.max(...panel.flatMap(({ points }) => points.map(([x]) => Number(x)))) || 1;
  return {
    legendHeight: names.height,
    at: (top: number): Part => ({
      legend: names.option,
      title: label(axes.y, look, { left: place.left, top: top + 6 }),
      grid: {
        left: place.left + 46,
        top: top + above,
        width: place.width - 46 - 18,
        height: plotHeight,
        outerBoundsMode: 'none',
      },
      xAxis: {
        ...common,
        type: 'value',
        name: axes.x,
        nameLocation: 'middle',
        nameGap: 28,
        max: last,
        axisLabel: { ...common.axisLabel, customValues: marksUpTo(last, place.width < 500 ? 6 : 10) },
        splitLine: { show: false },
      },
      yAxis: { ...common, type: 'value', min: 0, axisLine: { show: false }, splitNumber: 4 },
      series: panel.map((series) => ({ ...curve(series, look), xAxisIndex: index, yAxisIndex: index })),
    }),
  };
}

function join(parts: readonly Part[], look: Look): EChartsOption {
  const all = <Key extends keyof Part>(key: Key) => parts.map((part) => part[key]);
  return {
    ...base(look),
    legend: all('legend'),
    title: all('title'),
    grid: all('grid'),
    xAxis: all('xAxis'),
    yAxis: all('yAxis'),
    series: parts.flatMap(({ series }) => series),
  };
}
