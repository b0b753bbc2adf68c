/** Times as dots on a logarithmic scale, a row for each word: lengths of bars would be meaningless there. */
import type { Series } from '../scenario.ts';
import { type Look } from '../../src/page/look.ts';
import { axisLook, base, colourOf, legend, textStyle, type Words, wordsAxis, wordsOfRows } from './look.ts';
import { valueAt, wordsOf } from './results.ts';
import type { Drawing } from './svg.ts';
import { clip, duration } from '../../src/page/text.ts';

/** px for the figure next to the outermost dots, and the label of a mark. */
const figureWidth = 64;
const markSpacing = 56;
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'circle'] as const;

/** @param all the dots of a row, ascending; ms by word */
export function drawDots(all: readonly Series[], look: Look): Drawing {
  const words = wordsOf(all);
  const texts = look.isNarrow ? wordsAbove(words) : wordsOfRows(words, look);
  const names = legend(
    all.map(({ name }) => name),
    look,
  );
  const top = names.height + 20;
  const height = words.length * Math.max(texts.height + 10, 28);
  const left = look.isNarrow ? 24 : texts.width + 14;
  const width = look.width - left - 12;
  const scale = scaleOf(all, width, look);
  return {
    height: top + height + 34,
    option: {
      ...base(look),
      legend: names.option,
      grid: { left, top, width, height, outerBoundsMode: 'none' },
      xAxis: { ...axisLook(look), ...scale, type: 'value', axisLine: { show: false } },
      yAxis: look.isNarrow ? aboveRows(wordsAxis(texts, look)) : wordsAxis(texts, look),
      series: [...words.map((word, row) => range(all, word, { row, look })), ...marksOf(all, words, look)],
    },
  };
}

/** Next to its dots a row's words would leave no room for the dots on a phone. */
function wordsAbove(words: readonly string[]): Words {
  return { texts: words.map((word) => `${clip(word, 42)}\n \n `), width: 0, height: 38 };
}

function aboveRows({ axisLabel, ...axis }: ReturnType<typeof wordsAxis>) {
  return { ...axis, axisLabel: { ...axisLabel, inside: true, margin: -20 } };
}

/** log10 from end to end, with room for the figures at both sides; labels at the powers of ten that fit in the width. */
function scaleOf(all: readonly Series[], width: number, look: Look) {
  const times = all.flatMap(({ points }) => points.map(([, y]) => Math.log10(y)));
  const [low, high] = [Math.min(...times), Math.max(...times)];
  const span = Math.max(high - low, 1);
  const room = (span * figureWidth) / (width - 2 * figureWidth);
  const [min, max] = [low - room, low + span + room];
  const all10 = Array.from({ length: Math.floor(max) - Math.ceil(min) + 1 }, (_, n) => Math.ceil(min) + n);
  const every = Math.ceil((all10.length * markSpacing) / width);
  const customValues = all10.filter((_, n) => n % every === 0);
  return {
    min,
    max,
    axisTick: { show: false, customValues: all10 },
    axisLabel: {
      ...textStyle(look.softInk),
      customValues,
      formatter: (power: number) => duration(10 ** power),
    },
  };
}

interface Row {
  readonly row: number;
  readonly look: Look;
}

/** A thin line from the first to the last dot of a row, with the figures of both. */
function range(all: readonly Series[], word: string, { row, look }: Row) {
  const times = all.flatMap((series) => valueAt(series, word) ?? []);
  const ends = [...new Set([Math.min(...times), Math.max(...times)])];
  return {
    type: 'line' as const,
    silent: true,
    symbolSize: 0,
    lineStyle: { color: look.softInk, width: 1 },
    data: ends.map((ms, n) => ({
      value: [Math.log10(ms), row],
      label: {
        ...textStyle(look.ink),
        show: true,
        distance: 8,
        position: n === ends.length - 1 ? ('right' as const) : ('left' as const),
        formatter: duration(ms),
      },
    })),
  };
}

function marksOf(all: readonly Series[], words: readonly string[], look: Look) {
  return all.map((series, place) => ({
    type: 'scatter' as const,
    name: series.name,
    silent: true,
    symbol: symbols[place % symbols.length] ?? 'circle',
    symbolSize: 10,
    itemStyle: { color: colourOf(place, look), borderColor: look.surface, borderWidth: 1, opacity: 1 },
    data: words.flatMap((word, row) => {
      const ms = valueAt(series, word);
      return ms === undefined ? [] : [[Math.log10(ms), row]];
    }),
  }));
}

/** The shares of requests that a reader looks for; results.json has more of them. */
const shares = [
  [50, 'half of the requests'],
  [90, '90 %'],
  [99, '99 %'],
  [99.9, '99.9 %'],
  [100, 'the slowest'],
] as const;

/** @param all percentile → ms, a series for each scenario */
export function drawPercentiles(all: readonly Series[], look: Look): Drawing {
  const marks = shares.map(([percentile, name]) => ({
    name,
    points: all.flatMap((series) => {
      const ms = valueAt(series, String(percentile));
      return ms === undefined ? [] : [[series.name, ms] as const];
    }),
  }));
  const known = marks.filter(({ points }) => points.length > 0);
  // Results without these percentiles are drawn with their own.
  return drawDots(known.length > 0 ? known : all, look);
}
