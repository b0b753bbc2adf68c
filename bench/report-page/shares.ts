import type { Series } from '../scenario.ts';
import { type Look } from '../../src/page/look.ts';
import { axisLook, base, colourOf, fontSize, inkOn, legend, wordsAxis, wordsOfRows } from './look.ts';
import { valueAt, wordsOf } from './results.ts';
import type { Drawing } from './svg.ts';
import { duration } from '../../src/page/text.ts';

/** Parts below the first share have no room for the sign after the figure, and below the second none for a figure. */
const smallest = { wide: { signed: 0.05, labelled: 0.015 }, narrow: { signed: 0.2, labelled: 0.08 } };

/**
 * Each scenario's CPU time as one bar of shares, followed by its total: a sign-in costs thousands of times more than a user of a
 * bulk import, so that bars of times could show only one of them.
 */
export function drawShares(all: readonly Series[], look: Look): Drawing {
  const words = wordsOf(all).filter((word) => totalOf(all, word) > 0);
  const texts = wordsOfRows(words, look);
  const totals = words.map((word) => duration(totalOf(all, word) / 1000));
  const names = legend(
    all.map(({ name }) => name),
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
      series: all.map((series, place) => {
        const color = colourOf(place, look);
        return {
          type: 'bar',
          stack: 'process',
          name: series.name,
          silent: true,
          barWidth: 24,
          // A seam in the colour of the background separates neighbours also if their colours look alike.
          itemStyle: { color, borderColor: look.surface, borderWidth: 1 },
          label: { color: inkOn(color), fontSize },
          data: words.map((word) => labelled((valueAt(series, word) ?? 0) / totalOf(all, word), look)),
        };
      }),
    },
  };
}

function labelled(value: number, { isNarrow }: Look) {
  const { signed, labelled: shown } = isNarrow ? smallest.narrow : smallest.wide;
  const sign = value >= signed ? ' %' : '';
  return { value, label: { show: value >= shown, formatter: `${Math.round(value * 100)}${sign}` } };
}

/** µs */
function totalOf(all: readonly Series[], word: string): number {
  return all.reduce((sum, series) => sum + (valueAt(series, word) ?? 0), 0);
}
