import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { carryover } from '../../process/called.ts';
import { moveStatus } from '../client/moves.ts';
import { withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes, fileError } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { count, plural } from '../output/format.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { headingIn, settleFile } from './files/settle.ts';
import { type MoveOptions, noMove, statusStep } from './options.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a command has printed with --json, as a report of the move. */
interface Report {
  readonly kind: 'plan' | 'comparison' | 'way-back';
  readonly input: object;
  /** Label of the source, if the report is of one. */
  readonly source?: string;
  /** For people. */
  readonly text: string;
}

/** `move record` */
export async function record(
  file: string,
  options: MoveOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { interrupt: signal, stdout, folder } = surroundings;
  const written = { file: path.resolve(folder, file), shown: file };
  const heading = await headingIn(written.file, file);
  if (heading !== undefined) return recordWritten({ ...written, ...heading }, options, surroundings);
  const { kind, input, source, text } = await reportIn(file, surroundings);
  return withCore({ ...options, writes: true }, surroundings, async ({ client, server }) => {
    const move = await moveStatus(client, signal);
    if (move === undefined) throw noMove();
    if (source !== undefined && source !== move.source.label) throw otherSource(source, move.source.label);
    const answer = await client.call<{ readonly status: string }>({
      method: 'POST',
      path: `/move/${kind}`,
      input,
      signal,
    });
    if (answer.status !== 'OK') throw noMove();
    if (options.json === true)
      stdout.write(asJson('move record', { recorded: kind, ...input }, [statusStep(server)]));
    else tell(surroundings, `Recorded: ${text}\n`);
    return exitCodes.ok;
  });
}

interface WrittenFile {
  readonly file: string;
  readonly shown: string;
  readonly moveNo: number;
}

/** What a file has brought to the old system. */
async function recordWritten(
  { moveNo, ...written }: WrittenFile,
  options: MoveOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  return withCore({ ...options, writes: true }, surroundings, async ({ client, server }) => {
    const move = await moveStatus(client, surroundings.interrupt);
    if (move === undefined) throw noMove();
    if (move.moveNo !== moveNo)
      throw new CommandError(`${written.shown} is of another move of the app than the one that is open`, {
        code: 'OTHER_MOVE',
        field: written.shown,
        cure: "record the file of the last 'export --as'",
      });
    const users = await settleFile(written, { client, move }, surroundings);
    if (options.json === true)
      surroundings.stdout.write(asJson('move record', { recorded: 'written', users }, [statusStep(server)]));
    else tell(surroundings, `Recorded: what changed of ${plural(users, 'user')} is in the old system\n`);
    return exitCodes.ok;
  });
}

function otherSource(given: string, ofMove: string): CommandError {
  const named = (label: string): string =>
    label === '' ? 'no label (--source)' : `the label ${JSON.stringify(label)}`;
  return new CommandError(
    `The report is of the source with ${named(given)}, and the move's has ${named(ofMove)}: give the source of the move`,
    { code: 'OTHER_SOURCE', field: '--source' },
  );
}

/** @throws CommandError */
async function reportIn(file: string, { folder, now }: Surroundings): Promise<Report> {
  const text = await readFile(path.resolve(folder, file), 'utf8').catch((error: unknown) => {
    throw fileError(file, error);
  });
  const printed = parsed(text);
  const report =
    printed.status === 'OK'
      ? (planIn(printed) ?? comparisonIn(printed, now()) ?? wayBackIn(printed, now()))
      : undefined;
  if (report !== undefined) return report;
  throw new CommandError(
    `${file} is not the output of '${carryover} plan --json', '${carryover} compare --json' or '${carryover} write-back --check --json', nor the written.ndjson of '${carryover} export --as'`,
    { field: file, cure: `write it first: ${carryover} plan export.ndjson --json > plan.json` },
  );
}

function planIn({ type, users, records, rejected }: Fields): Report | undefined {
  if (type !== 'plan' || !isCount(users) || !isCount(records) || !isCount(rejected)) return undefined;
  const input = { users, counts: { records, rejected } };
  return { kind: 'plan', input, text: `the plan for ${count(users)} users` };
}

function comparisonIn({ type, source, ...rest }: Fields, now: number): Report | undefined {
  const { records, unexplained, users, digest, startedAt } = rest;
  const isComparison =
    type === 'compare' && isCount(records) && isCount(unexplained) && isCount(startedAt) && startedAt <= now;
  if (!isComparison || typeof source !== 'string') return undefined;
  // It is as old as its beginning, also if it is recorded later.
  const input = { users: records, unexplained, counts: users, digest, tookMs: now - startedAt };
  const text = `the comparison of ${plural(records, 'record')}, with ${count(unexplained)} unexplained`;
  return { kind: 'comparison', input, source, text };
}

function wayBackIn(
  { type, source, users, without, why, startedAt }: Fields,
  now: number,
): Report | undefined {
  const isWayBack =
    type === 'write-back check' &&
    isCount(users) &&
    isCount(without) &&
    isCount(startedAt) &&
    startedAt <= now;
  if (!isWayBack || typeof source !== 'string') return undefined;
  const input = { users, without, why, tookMs: now - startedAt };
  const text = `the way back of ${plural(users, 'user')}, with ${count(without)} without one`;
  return { kind: 'way-back', input, source, text };
}

function parsed(text: string): Fields {
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
