/** Curves over numbers, a panel with separate scales for each: one scale would flatten the small ones. */
import type { EChartsOption } from 'echarts';
import type { Series } from '../scenario.ts';
import { type Look } from '../../src/page/look.ts';
import { axisLook, base, colourOf, textStyle } from './look.ts';
import type { Drawing } from './svg.ts';
import { clip, short } from '../../src/page/text.ts';

const gap = 36;
/** px from a panel's name to its plot, and from there to the next panel. */
const above = 34;
const below = 68;

export function drawPanels(all: readonly Series[], xName: string, look: Look): Drawing {
  const columns = look.isNarrow || all.length === 1 ? 1 : 2;
  const width = (look.width - gap * (columns - 1)) / columns;
  const plotHeight = look.isNarrow ? 180 : all.length === 1 ? 300 : 200;
  const panels = all.map((series, index) => {
    const left = (index % columns) * (width + gap);
    const top = 8 + Math.floor(index / columns) * (above + plotHeight + below);
    return drawPanel(series, { xName, look, index, left, top, width, plotHeight });
  });
  const each = <Key extends keyof Panel>(key: Key) => panels.map((panel) => panel[key]);
  const option: EChartsOption = {
    ...base(look),
    title: each('title'),
    grid: each('grid'),
    xAxis: each('xAxis'),
    yAxis: each('yAxis'),
    series: each('series'),
  };
  return { height: Math.ceil(all.length / columns) * (above + plotHeight + below), option };
}

interface Place {
  readonly xName: string;
  readonly look: Look;
  readonly index: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly plotHeight: number;
}

type Panel = ReturnType<typeof drawPanel>;

function drawPanel(series: Series, place: Place) {
  const { look, index, left, top, width, plotHeight } = place;
  const { name, unit = 'users/s', points } = series;
  const { axisLabel, ...common } = { ...axisLook(look), gridIndex: index };
  // A single number at 0 still needs an axis.
  const last = Math.max(...points.map(([x]) => Number(x))) || 1;
  return {
    title: {
      text: clip(`${name}, ${unit}`, width / 8),
      left,
      top,
      padding: 0,
      textStyle: textStyle(look.ink),
    },
    grid: {
      left: left + 46,
      top: top + above,
      width: width - 64,
      height: plotHeight,
      outerBoundsMode: 'none' as const,
    },
    xAxis: {
      ...common,
      type: 'value' as const,
      name: place.xName,
      nameLocation: 'middle' as const,
      nameGap: 28,
      max: last,
      axisLabel: { ...axisLabel, formatter: short, customValues: marksUpTo(last, width < 500 ? 6 : 10) },
      splitLine: { show: false },
    },
    yAxis: {
      ...common,
      type: 'value' as const,
      min: 0,
      axisLine: { show: false },
      splitNumber: 4,
      axisLabel: { ...axisLabel, formatter: short },
    },
    series: curve(series, place),
  };
}

function curve({ name, points, marks = [] }: Series, { look, index }: Place) {
  return {
    type: 'line' as const,
    name,
    xAxisIndex: index,
    yAxisIndex: index,
    data: points.map(([x, y]) => [Number(x), y] as [number, number]).toSorted(([a], [b]) => a - b),
    showSymbol: points.length <= 16,
    symbol: 'circle',
    symbolSize: 7,
    silent: true,
    lineStyle: { color: colourOf(0, look), width: 2 },
    itemStyle: { color: colourOf(0, look) },
    markLine: {
      silent: true,
      symbol: 'none',
      animation: false,
      lineStyle: { color: look.softInk, type: 'dashed' as const },
      label: { ...textStyle(look.softInk), position: 'insideEndTop' as const, formatter: '{b}' },
      data: marks.map(([xAxis, text]) => ({ xAxis, name: text })),
    },
  };
}

/** From 0 in steps of 1, 2 or 5 times a power of ten, about `count` of them, none beyond the end. */
function marksUpTo(end: number, count: number): number[] {
  const power = 10 ** Math.floor(Math.log10(end / count));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => end / each <= count) ?? end;
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, n) =>
    Number((n * step).toPrecision(12)),
  );
}
