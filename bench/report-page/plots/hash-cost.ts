import type { Series } from '../../scenario.ts';
import { styleOf, type Look } from '../look.ts';
import { valueAt, wordsOf } from '../results.ts';
import type { Drawing } from '../svg.ts';
import { duration } from '../text.ts';
import { axisLook, base, legend, wordsAxis, wordsOfBars } from './parts.ts';

/** px that the label of a mark needs. */
const markSpacing = 56;

/** Bars from the cheapest kind to the dearest, over powers of ten. */
export function drawHashCost(all: readonly Series[], look: Look): Drawing {
  const words = sorted(all);
  const texts = wordsOfBars(words, look);
  const names = legend(
    all.map(({ name }) => name),
    { left: 0, top: 8, width: look.width },
    look,
  );
  const top = all.length > 1 ? names.height + 16 : 8;
  const height = words.length * Math.max(texts.height + 10, all.length * 20 + 12);
  const left = texts.width + 14;
  const { from, to } = ends(all);
  const marks = Array.from({ length: Math.ceil(to) - from + 1 }, (_, n) => n);
  // Room for the figure behind the longest bar.
  const end = (to - from) * (look.isNarrow ? 1.45 : 1.14);
  const width = look.width - left - 20;
  const every = Math.ceil(end / Math.floor(width / markSpacing));
  const { axisLabel, ...common } = axisLook(look);
  return {
    height: top + height + 34,
    option: {
      ...base(look),
      ...(all.length > 1 ? { legend: names.option } : {}),
      grid: { left, top, width, height, outerBoundsMode: 'none' },
      // Bars begin at zero, which a logarithm does not have: here it is the power of ten below the cheapest.
      xAxis: {
        ...common,
        type: 'value',
        min: 0,
        max: end,
        axisLine: { show: false },
        axisTick: { show: false, customValues: marks },
        axisLabel: {
          ...axisLabel,
          customValues: marks.filter((mark) => mark % every === 0),
          formatter: (power: number) => duration(10 ** (from + power)),
        },
      },
      yAxis: wordsAxis(texts, look),
      series: all.map((series) => bars(series, { words, from, look })),
    },
  };
}

function sorted(all: readonly Series[]): string[] {
  const costOf = (word: string) => Math.max(...all.map((series) => valueAt(series, word) ?? 0));
  return wordsOf(all)
    .filter((word) => costOf(word) > 0)
    .toSorted((a, b) => costOf(a) - costOf(b));
}

/** log10: a power of ten that leaves something of the shortest bar, and the end of the longest. */
function ends(all: readonly Series[]): { from: number; to: number } {
  const costs = all.flatMap(({ points }) => points.map(([, y]) => y)).filter((cost) => cost > 0);
  const from = Math.floor(Math.log10(Math.min(...costs)) - 0.1);
  return { from, to: Math.max(Math.log10(Math.max(...costs)), from + 1) };
}

interface Bars {
  readonly words: readonly string[];
  readonly from: number;
  readonly look: Look;
}

function bars(series: Series, { words, from, look }: Bars) {
  const costs = words.map((word) => valueAt(series, word) ?? 0);
  return {
    type: 'bar' as const,
    name: series.name,
    silent: true,
    barMaxWidth: 18,
    barGap: '15%',
    itemStyle: { color: styleOf(series.name, look).colour, borderRadius: [0, 2, 2, 0] },
    data: costs.map((cost) => (cost > 0 ? Math.log10(cost) - from : '-')),
    label: {
      show: true,
      position: 'right' as const,
      color: look.ink,
      fontSize: look.fontSize,
      formatter: ({ dataIndex }: { dataIndex: number }) => duration(costs[dataIndex] ?? 0),
    },
  };
}
