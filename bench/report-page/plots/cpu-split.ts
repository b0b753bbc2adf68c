import type { Series } from '../../scenario.ts';
import { inkOn, styleOf, type Look } from '../look.ts';
import { valueAt, wordsOf } from '../results.ts';
import type { Drawing } from '../svg.ts';
import { duration } from '../text.ts';
import { axisLook, base, legend, wordsAxis, wordsOfBars } from './parts.ts';

/** Parts below this share have no room for a figure. */
const smallestLabelled = { wide: 0.06, narrow: 0.25 };

/**
 * Each scenario's CPU time as one bar of shares, its total behind it: a sign-in costs thousands of times what a user of a
 * bulk import does, so that bars of times could show only one of them.
 */
export function drawCpuSplit(all: readonly Series[], look: Look): Drawing {
  const words = wordsOf(all).filter((word) => totalOf(all, word) > 0);
  const texts = wordsOfBars(words, look);
  const totals = words.map((word) => duration(totalOf(all, word) / 1000));
  const names = legend(
    all.map(({ name }) => name),
    { left: 0, top: 8, width: look.width },
    look,
  );
  const top = names.height + 16;
  const height = words.length * Math.max(texts.height + 10, 42);
  const left = texts.width + 14;
  const right = look.isNarrow ? 70 : 84;
  const { axisLabel, ...common } = axisLook(look);
  return {
    height: top + height + 34,
    option: {
      ...base(look),
      legend: names.option,
      grid: { left, top, width: look.width - left - right, height, outerBoundsMode: 'none' },
      xAxis: {
        ...common,
        type: 'value',
        min: 0,
        max: 1,
        interval: look.isNarrow ? 0.5 : 0.25,
        axisLabel: { ...axisLabel, formatter: (share: number) => `${Math.round(share * 100)} %` },
      },
      yAxis: [wordsAxis(texts, look), { ...wordsAxis({ texts: totals }, look), position: 'right' }],
      series: all.map((series) => stack(series, { all, words, look })),
    },
  };
}

/** µs */
function totalOf(all: readonly Series[], word: string): number {
  return all.reduce((sum, series) => sum + Math.max(0, valueAt(series, word) ?? 0), 0);
}

interface Stack {
  readonly all: readonly Series[];
  readonly words: readonly string[];
  readonly look: Look;
}

function stack(series: Series, { all, words, look }: Stack) {
  const { colour } = styleOf(series.name, look);
  const least = look.isNarrow ? smallestLabelled.narrow : smallestLabelled.wide;
  return {
    type: 'bar' as const,
    stack: 'process',
    name: series.name,
    silent: true,
    barWidth: 24,
    // A seam in the colour of the ground parts neighbours also for who sees their colours as one.
    itemStyle: { color: colour, borderColor: look.surface, borderWidth: 1 },
    label: { color: inkOn(colour), fontSize: look.fontSize },
    data: words.map((word) => {
      const value = Math.max(0, valueAt(series, word) ?? 0) / totalOf(all, word);
      return { value, label: { show: value >= least, formatter: `${Math.round(value * 100)} %` } };
    }),
  };
}
