import { readFile, writeFile } from 'node:fs/promises';
import type { Seconds } from './durations.ts';
import type { Machine } from './machine.ts';
import type { Measurement } from './scenario.ts';

/** The results of a run: the content of `--json`. */
export interface Results {
  readonly machine: Machine;
  readonly scenarios: readonly Measurement[];
  /** A run that is too short for its ratios to count; absent for others. */
  readonly quick?: boolean;
  /** What each scenario that ran measures, by its name. */
  readonly about?: Readonly<Record<string, string>>;
  /** How long each took that did not throw. */
  readonly took?: Seconds;
  /** Scenarios that threw; left out when none did. */
  readonly failed?: readonly Failure[];
}

/** A scenario that gave no measurements. */
export interface Failure {
  readonly name: string;
  readonly error: string;
}

export async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** @returns the output of `--json`, also of an older version; undefined when there is no such file */
export async function readResults(file: string): Promise<Pick<Results, 'scenarios' | 'failed'> | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Results);
}

/** The measurement in a line: its ratio first, because only ratios are compared. */
export function describe(measurement: Measurement, isQuick: boolean): string {
  const { name, value, unit, reference, referenceValue, ratio, spread, error } = measurement;
  const figures = `${format(value)} ${unit}, ${reference} ${format(referenceValue)}`;
  const range = spread.map((each) => each.toFixed(2)).join(' to ');
  const uncertainty = error === undefined ? '' : ` ±${(error * 100).toFixed(1)} %`;
  return `${name}: ratio ${ratio.toFixed(2)}${uncertainty} (${range}${isQuick ? '' : promiseOf(measurement)}); ${figures}`;
}

/** Not for a quick run, which is too short and too cold to be compared with a bar. */
function promiseOf(measurement: Measurement): string {
  const { atLeast, atMost } = measurement;
  const end = isKept(measurement) ? '' : ': NOT REACHED';
  const said = (bound: number): string => `${Number(bound.toPrecision(3))}${end}`;
  if (atLeast !== undefined) return `, promised ${said(atLeast)}`;
  return atMost === undefined ? '' : `, promised at most ${said(atMost)}`;
}

/** Whether its ratio reaches the bar, if there is one. A value that is not a number (null in a file) reaches none. */
export function isKept({ ratio, atLeast, atMost }: Measurement): boolean {
  if (atLeast === undefined && atMost === undefined) return true;
  return Number.isFinite(ratio) && ratio >= (atLeast ?? -Infinity) && ratio <= (atMost ?? Infinity);
}

export function format(value: number): string {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en');
}
