import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { carryover } from '../../process/called.ts';
import { withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes, fileError } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { count } from '../output/format.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type MoveOptions, noMove, statusStep } from './options.ts';

/** `move record` */
export async function recordPlan(
  file: string,
  options: MoveOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const input = await planIn(file, surroundings);
  return withCore({ ...options, writes: true }, surroundings, async ({ client, server }) => {
    const path = '/move/plan';
    const answer = await client.call<{ readonly status: string }>({
      method: 'POST',
      path,
      input,
      signal: surroundings.interrupt,
    });
    if (answer.status !== 'OK') throw noMove();
    if (options.json === true)
      surroundings.stdout.write(asJson('move record', { recorded: 'plan', ...input }, [statusStep(server)]));
    else tell(surroundings, `Recorded: the plan for ${count(input.users)} users\n`);
    return exitCodes.ok;
  });
}

interface PlanReport {
  readonly users: number;
  readonly counts: { readonly records: number; readonly rejected: number };
}

/** @throws CommandError */
async function planIn(file: string, { folder }: Surroundings): Promise<PlanReport> {
  const text = await readFile(path.resolve(folder, file), 'utf8').catch((error: unknown) => {
    throw fileError(file, error);
  });
  const { type, status, users, records, rejected } = parsed(text);
  const isPlan = type === 'plan' && status === 'OK';
  if (isPlan && isCount(users) && isCount(records) && isCount(rejected))
    return { users, counts: { records, rejected } };
  throw new CommandError(`${file} is not the output of '${carryover} plan --json'`, {
    field: file,
    cure: `write it first: ${carryover} plan export.ndjson --json > plan.json`,
  });
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
