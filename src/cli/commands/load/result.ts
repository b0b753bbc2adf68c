/** How the result of a load is given: limits, a page, text or JSON. */

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { type ExitCode, exitCodes, fileError } from '../../command-error.ts';
import { checkLimit, type Limit, parseLimit } from '../../load/limits.ts';
import { pageOf } from '../../load/report/page.ts';
import { type Report, reportAsObject, reportAsText } from '../../load/report/report.ts';
import { asJson } from '../../output/answer.ts';
import { tell } from '../../output/terminal.ts';
import type { Surroundings } from '../../surroundings.ts';

export interface ResultOptions {
  readonly failIf: readonly Limit[];
  readonly page?: string;
  readonly json?: boolean;
}

export function addResultOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--fail-if <limit>',
        "end with 1 if it is crossed, such as 'p99 > 500 ms', 'refused > 1 %', 'knee < 40/s'; may be repeated",
      )
        .default([], 'never')
        .argParser((text: string, before: readonly Limit[]) => [...before, parseLimit(text)]),
    )
    .option('--page <file>', 'write the report as a page, too');
}

/** @param type of the JSON */
export async function giveResult(
  type: 'load' | 'load merge',
  found: Omit<Report, 'limits'>,
  { failIf, page, json }: ResultOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { shown, knee } = found.loaded;
  const limits = failIf.map((limit) => checkLimit(limit, shown, knee));
  const report: Report = { ...found, limits };
  if (page !== undefined) await writePage(page, report, surroundings);
  if (json === true) surroundings.stdout.write(asJson(type, reportAsObject(report)));
  else tell(surroundings, reportAsText(report));
  return limits.some(({ isCrossed }) => isCrossed) ? exitCodes.rejects : exitCodes.ok;
}

async function writePage(file: string, report: Report, { folder, stderr }: Surroundings): Promise<void> {
  await writeFile(path.resolve(folder, file), pageOf(report)).catch((error: unknown) => {
    throw fileError(file, error, true);
  });
  stderr.write(`The page is ${file}\n`);
}
