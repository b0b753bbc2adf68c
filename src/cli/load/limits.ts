/** What fails a pipeline: `--fail-if 'p99 > 500 ms'`. */

import { InvalidArgumentError } from 'commander';
import type { LatencyMs } from '../../load/tally.ts';
import type { Measured } from './measure.ts';
import { actionNames } from './mixes/actions.ts';

export interface Limit {
  readonly text: string;
  readonly action: string | undefined;
  readonly figure: Figure;
  readonly isOver: boolean;
  /** In ms, in visits a second, or as a share. */
  readonly than: number;
}

const percentiles = ['p50', 'p75', 'p90', 'p95', 'p99', 'p999', 'max'] as const;
const shares = ['refused', 'failed', 'achieved'] as const;
type Figure = (typeof percentiles)[number] | (typeof shares)[number] | 'rate' | 'knee';

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, '%': 0.01, '/s': 1 };
const pattern =
  /^(?:([a-z-]+)\s+)?(p50|p75|p90|p95|p99|p999|max|refused|failed|achieved|rate|knee)\s*([<>])\s*(\d+(?:\.\d+)?)\s*(ms|s|%|\/s)$/;

const usage =
  "It takes a figure, < or >, and a bound: 'p99 > 500 ms', 'refused > 1 %', 'achieved < 97 %', 'knee < 40/s', 'refresh p95 > 50 ms'.";

/** @throws InvalidArgumentError */
export function parseLimit(text: string): Limit {
  const [, action, figure, sign, amount, unit = ''] = pattern.exec(text.trim()) ?? [];
  const known = figure as Figure | undefined;
  if (known === undefined || !fitsUnit(known, unit)) throw new InvalidArgumentError(usage);
  if (action !== undefined && !actionNames.some((name) => name === action))
    throw new InvalidArgumentError(`There is no action ${action}: there are ${actionNames.join(', ')}.`);
  if (action !== undefined && !isIn(percentiles, known) && known !== 'failed')
    throw new InvalidArgumentError(`${known} is known of all visits together: leave ${action} out.`);
  const than = Number(amount) * (units[unit] ?? 1);
  return { text: text.trim(), action, figure: known, isOver: sign === '>', than };
}

function fitsUnit(figure: Figure, unit: string): boolean {
  if (isIn(percentiles, figure)) return unit === 'ms' || unit === 's';
  return isIn(shares, figure) ? unit === '%' : unit === '/s';
}

function isIn(list: readonly string[], figure: Figure): figure is (typeof percentiles)[number] {
  return list.includes(figure);
}

export interface CheckedLimit {
  readonly text: string;
  /** In the limit's unit; undefined if the run has no such figure. */
  readonly value: number | undefined;
  readonly isCrossed: boolean;
}

/** A figure that a run lacks crosses its limit: a pipeline must not pass because nothing was measured. */
export function checkLimit(
  limit: Limit,
  measured: Measured | undefined,
  knee: number | undefined,
): CheckedLimit {
  const value = limit.figure === 'knee' ? knee : measured && figureOf(limit, measured);
  const { text, isOver, than } = limit;
  return { text, value, isCrossed: value === undefined || (isOver ? value > than : value < than) };
}

function figureOf({ action, figure }: Limit, measured: Measured): number | undefined {
  const of = action === undefined ? measured : measured.actions[action];
  if (of === undefined) return undefined;
  const count = Object.values(of.outcomes).reduce((sum, each) => sum + each, 0);
  if (isIn(percentiles, figure))
    return of.outcomes.OK === undefined ? undefined : of.latencyMs[figure satisfies keyof LatencyMs];
  if (figure === 'failed') return count === 0 ? undefined : 1 - (of.outcomes.OK ?? 0) / count;
  if (figure === 'refused') return measured.refused;
  if (figure === 'achieved') return (measured.perSecond * measured.seconds) / Math.max(1, measured.arrived);
  return measured.perSecond;
}
