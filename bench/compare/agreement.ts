import { readFile } from 'node:fs/promises';
import { UsageError } from '../arguments.ts';
import type { Results } from '../results.ts';

/** Ratios of two runs agree when neither exceeds this multiple of the other. */
const tolerance = 1.1;

/** The output of an earlier run with `--json`. */
export type Earlier = Pick<Results, 'machine' | 'scenarios'>;

/** A ratio that differs. */
export interface Difference {
  readonly name: string;
  readonly before: number;
  readonly now: number;
}

export interface Agreement {
  /** The earlier run's processor if it was another: then ratios may differ for that reason. */
  readonly elsewhere: string | undefined;
  /** Ratios that both runs have. */
  readonly compared: number;
  /** Those that are more than a tenth apart. */
  readonly differences: readonly Difference[];
}

/** @throws UsageError unless the file was written by `--json` */
export async function readEarlier(file: string): Promise<Earlier> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--earlier takes a file that --json wrote: ${reason}.`);
  });
  const results = parsed(text);
  if (!results) throw new UsageError(`--earlier takes a file that --json wrote; ${file} is none.`);
  return results;
}

function parsed(text: string): Earlier | undefined {
  try {
    const { machine, scenarios } = JSON.parse(text) as Partial<Earlier>;
    return machine && Array.isArray(scenarios) ? { machine, scenarios } : undefined;
  } catch {
    return undefined;
  }
}

/** Compares the ratios of two runs, each by its name. */
export function agreementOf(before: Earlier, now: Earlier): Agreement {
  const earlier = new Map(before.scenarios.map(({ name, ratio }) => [name, ratio]));
  const pairs = now.scenarios.flatMap(({ name, ratio }): Difference[] => {
    const known = earlier.get(name);
    return known === undefined ? [] : [{ name, before: known, now: ratio }];
  });
  const elsewhere = before.machine.cpu === now.machine.cpu ? undefined : before.machine.cpu;
  return { elsewhere, compared: pairs.length, differences: pairs.filter((pair) => !agrees(pair)) };
}

function agrees({ before, now }: Difference): boolean {
  return Math.max(before / now, now / before) <= tolerance;
}

/** In lines: how many agree, then each that does not. */
export function describeAgreement({ elsewhere, compared, differences }: Agreement): string[] {
  const machine = elsewhere === undefined ? '' : `, which was on another processor (${elsewhere})`;
  return [
    `${compared - differences.length} of ${compared} ratios within 10 % of the earlier run's${machine}`,
    ...differences.map(
      ({ name, before, now }) =>
        `  ${name}: ${now.toPrecision(3)}, earlier ${before.toPrecision(3)}: ${(now / before).toFixed(2)} of it`,
    ),
  ];
}
