/** The result of one machine, in a file that `carryover load --share … --json` has printed. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, fileError } from '../../command-error.ts';
import { printable } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import type { Measured } from '../measure.ts';
import type { Asked } from '../report/asked.ts';
import type { Loaded } from '../run.ts';
import { type Fields, isObject, isShaped, type Shape } from './shape.ts';

export interface Part extends Pick<Loaded, 'metricsMissing' | 'filled' | 'importedMeanwhile'> {
  /** As it was given. */
  readonly file: string;
  readonly version: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly app: string;
  readonly asked: Asked;
  /** Of all machines. */
  readonly rate: number;
  readonly result: Measured;
}

/** @throws CommandError if it cannot be read, or is anything but the whole result of a part */
export async function readPart(file: string, { folder }: Pick<Surroundings, 'folder'>): Promise<Part> {
  const text = await readFile(path.resolve(folder, file), 'utf8').catch((error: unknown) => {
    throw fileError(file, error);
  });
  return partOf(text, file);
}

/** As readPart. */
export function partOf(text: string, file: string): Part {
  const found = parsed(text);
  if (found?.type !== 'load')
    throw fault(file, "is not the result of a load: give files with what 'carryover load --json' printed");
  if (found.status !== 'OK')
    throw fault(file, `is of a load that failed (${printable(String(found.code))}): send the load again`);
  if (!isShaped(found, whole))
    throw fault(file, 'is a damaged result, or one of another version: send the load again');
  // Its shape was checked above.
  const { url, mix, people, asked, result, course, startedAt, ...rest } = found as unknown as Stored;
  if (asked.share.of === 1)
    throw fault(file, 'is the whole result of a load already: only the parts of --share are merged');
  if (asked.rate === undefined || asked.at === undefined)
    throw fault(file, 'is of a load without --rate and --at: send the parts again, with the same of both');
  return {
    ...rest,
    file,
    startedAt: Date.parse(startedAt),
    asked: { url, mix, people, asked },
    rate: asked.rate,
    result: { ...result, course },
  };
}

/** The JSON. */
interface Stored extends Asked, Omit<Part, 'file' | 'startedAt' | 'asked' | 'rate' | 'result'> {
  readonly startedAt: string;
  readonly result: Omit<Measured, 'course'>;
  readonly course: Measured['course'];
}

function parsed(text: string): Fields | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function fault(file: string, what: string): CommandError {
  return new CommandError(`${file}: ${what}`, { code: 'NOT_A_PART', field: file });
}

/** What is added up. */
const whole: Shape = {
  version: 'string',
  startedAt: 'string',
  url: 'string',
  app: 'string',
  'mix.name': 'string',
  'mix.inWords': 'string',
  'people.inWords': 'string',
  'asked.seconds': 'number',
  'asked.share.part': 'number',
  'asked.share.of': 'number',
  'asked.bounds.*': 'number',
  'filled.users': 'number',
  'filled.rejected': 'number',
  importedMeanwhile: 'number',
  'course.[].second': 'number',
  'course.[].ok': 'number',
  'course.[].notOk': 'number',
  'course.[].waiting': 'number',
  'result.rate': 'number',
  'result.seconds': 'number',
  'result.arrived': 'number',
  'result.perSecond': 'number',
  'result.attempts': 'number',
  'result.retries': 'number',
  'result.turnedAway': 'number',
  'result.outcomes.*': 'number',
  'result.latencyMs.p99': 'number',
  'result.inTime': 'number',
  'result.times.[]': 'pair',
  'result.actions.*.outcomes.*': 'number',
  'result.actions.*.inTime': 'number',
  'result.actions.*.times.[]': 'pair',
  'result.refusalTimes.[]': 'pair',
  'result.behindTimes.[]': 'pair',
  'result.behindMs.p99': 'number',
  'result.client.*': 'number',
  'result.clientLimits.[]': 'string',
  'result.cores.[].id': 'string',
};
