import type { Series } from '../../scenario.ts';
import type { Look } from '../look.ts';
import type { Drawing } from '../svg.ts';
import { duration } from '../text.ts';
import { axisLook, base, curve, label, legend } from './parts.ts';
import { logScale } from './scale.ts';

const plotHeight = 300;

/**
 * Latency over log10(1 / (1 - p)), so that each step to the right holds a tenth of the requests of the one before: a
 * plain axis of percentiles would leave a hair's breadth to everything that people complain about.
 */
export function drawPercentiles(all: readonly Series[], look: Look): Drawing {
  const names = legend(
    all.map(({ name }) => name),
    { left: 0, top: 8, width: look.width },
    look,
  );
  const top = 8 + names.height;
  const beyond = stepOfMaximum(all);
  const from = firstStep(all);
  const marks = [0, stepOf(50), ...Array.from({ length: beyond }, (_, n) => n + 1)].filter(
    (step) => step >= from,
  );
  const scale = logScale(all.flatMap(({ points }) => points.map(([, y]) => y)));
  const { axisLabel, ...common } = axisLook(look);
  const values = (at: readonly number[]) => ({ customValues: [...at] });
  return {
    height: top + 34 + plotHeight + 58,
    option: {
      ...base(look),
      legend: names.option,
      title: label('time to the answer', look, { left: 0, top: top + 6 }),
      grid: {
        left: 64,
        top: top + 34,
        width: look.width - 64 - 22,
        height: plotHeight,
        outerBoundsMode: 'none',
      },
      xAxis: {
        ...common,
        type: 'value',
        min: from,
        max: beyond,
        name: 'percentile of the requests',
        nameLocation: 'middle',
        nameGap: 28,
        axisTick: { show: true, ...values(marks), lineStyle: { color: look.softInk } },
        axisLabel: {
          ...axisLabel,
          ...values(marks),
          formatter: (step: number) => nameOfStep(step, beyond),
          hideOverlap: false,
        },
      },
      yAxis: {
        ...common,
        type: 'value',
        min: scale.from,
        max: scale.to,
        axisLine: { show: false },
        axisTick: { show: false, ...values(scale.marks) },
        axisLabel: {
          ...axisLabel,
          ...values(scale.marks),
          formatter: (power: number) => duration(10 ** power),
        },
      },
      series: all.map((series) => curve(stepped(series, beyond), look)),
    },
  };
}

/** log10(1 / (1 - p)): 0 at the fastest request, 1 at the 90th percentile, 2 at the 99th. */
function stepOf(percentile: number): number {
  return -Math.log10(1 - percentile / 100);
}

/** Where the slowest request of all stands, whose step is infinite: beyond the last percentile there is. */
function stepOfMaximum(all: readonly Series[]): number {
  const steps = all.flatMap(({ points }) => points.map(([x]) => stepOf(Number(x)))).filter(Number.isFinite);
  return Math.max(2, Math.ceil(Math.max(0, ...steps) - 1e-6)) + 1;
}

function stepped({ name, points }: Series, beyond: number): Series {
  return {
    name,
    points: points
      .filter(([, y]) => y > 0)
      .map(([x, y]) => [Math.min(Math.max(stepOf(Number(x)), 0), beyond), Math.log10(y)] as const),
  };
}

/** The fast half is left out where nothing is known of it but its end. */
function firstStep(all: readonly Series[]): number {
  const least = Math.min(...all.flatMap(({ points }) => points.map(([x]) => Number(x))));
  return least >= 50 ? stepOf(50) : 0;
}

function nameOfStep(step: number, beyond: number): string {
  if (Math.abs(step - beyond) < 1e-6) return 'max';
  // Rounded because 1 - 10 ** -2 is not 0.99 in binary; as many digits as there are nines.
  return String(Number((100 * (1 - 10 ** -step)).toFixed(Math.max(0, Math.ceil(step) - 2))));
}
