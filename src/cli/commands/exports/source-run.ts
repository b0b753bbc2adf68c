/** One run of export-from: users of a database in, native lines and a summary out. */

import type { ConvertRules } from '../../../exports/tasks.ts';
import { storedKind } from '../../../hashes/recognise.ts';
import { hashKindNamed } from '../../../hashes/registry.ts';
import type { Reject } from '../../../imports/model.ts';
import type { NativeUser } from '../../../imports/record/native-record.ts';
import type { Readable } from '../../../exports/sources/read.ts';
import type { DatabaseUser } from '../../../exports/providers/database.ts';
import type { DatabaseProvider } from '../../../exports/providers/provider.ts';
import { convertUsers } from '../../input/old-database.ts';
import { compressed, isPacked } from '../../output/compressed.ts';
import { count, duration, plural } from '../../output/format.ts';
import { describeRejects } from '../../output/outcome.ts';
import { describePasswords } from '../../output/passwords.ts';
import { createProgress } from '../../output/progress.ts';
import type { RejectLog } from '../../output/reject-log.ts';
import { writeOut } from '../../output/sink.ts';
import type { Surroundings } from '../../surroundings.ts';

/** Counts of what was written. */
export interface SourceTally {
  read: number;
  written: number;
  withHash: number;
  /** Without a password; they sign in otherwise. */
  withoutPassword: number;
  readonly byKind: Record<string, number>;
}

interface Running {
  readonly rules: ConvertRules;
  readonly log: RejectLog;
  readonly out: string | undefined;
  readonly surroundings: Surroundings;
}

/** Writes every user. @throws CommandError @throws SourceFault @throws ExportFault */
export async function runExport(readable: Readable, running: Running): Promise<SourceTally> {
  const { log, out, surroundings } = running;
  const { stderr, now, interrupt } = surroundings;
  const tally: SourceTally = { read: 0, written: 0, withHash: 0, withoutPassword: 0, byKind: {} };
  const { users } = readable;
  const progress = createProgress({ output: stderr, totalBytes: users, now, of: plural(users, 'user') });
  const shown = async function* (): AsyncGenerator<Uint8Array> {
    for await (const page of readable.pages()) {
      interrupt.throwIfAborted();
      yield await convertPage(page, tally, running);
      progress.update({ bytes: tally.read, records: tally.read, rejected: log.count });
    }
  };
  try {
    const lines = out === undefined ? markedIfCut(shown()) : shown();
    await writeOut(out !== undefined && isPacked(out) ? compressed(lines) : lines, out, surroundings);
  } finally {
    progress.stop();
  }
  return tally;
}

async function convertPage(
  page: readonly DatabaseUser[],
  tally: SourceTally,
  { rules, log }: Running,
): Promise<Uint8Array> {
  const lines: string[] = [];
  const rejects: Reject[] = [];
  for (const { number, line, user, reject } of convertUsers(page, rules, tally.read)) {
    if (reject !== undefined) rejects.push({ line: number, ...reject });
    if (line === undefined || user === undefined) continue;
    lines.push(line, '\n');
    countUser(user, tally);
  }
  tally.read += page.length;
  if (rejects.length > 0) await log.add(rejects);
  return Buffer.from(lines.join(''));
}

function countUser({ loginMethods }: NativeUser, tally: SourceTally): void {
  tally.written += 1;
  const kinds = loginMethods.flatMap((method) =>
    'passwordHash' in method ? [kindOf(method.passwordHash, method.hashingAlgorithm)] : [],
  );
  for (const kind of kinds) tally.byKind[kind] = (tally.byKind[kind] ?? 0) + 1;
  if (kinds.length > 0) tally.withHash += 1;
  else tally.withoutPassword += 1;
}

function kindOf(hash: string, named: string | undefined): string {
  return (named === undefined ? storedKind(hash) : hashKindNamed(named)) ?? 'of an unknown kind';
}

/**
 * A pipe does not show its reader that the writer failed. An invalid line does: an import of the incomplete output counts a
 * reject, and does not treat all other users as absent.
 */
async function* markedIfCut(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    yield Buffer.from('{"the export broke off here":\n');
    throw error;
  }
}

/** What is about to be read. */
export function describeBeginning(
  { name, database: { realms } }: DatabaseProvider,
  { place, realm, users, missing }: Readable,
): string {
  const where = realm === undefined || realms === undefined ? '' : `, ${realms.word} ${realm}`;
  const lines = [
    `Reading ${plural(users, 'user')} of ${name} from ${place}${where}`,
    ...missing.map((table) => `There is no table ${table}: what it would hold is left out`),
  ];
  return `${lines.join('\n')}\n`;
}

interface Ended {
  readonly tally: SourceTally;
  readonly log: RejectLog;
  readonly rejects: string;
  readonly ms: number;
}

/** What was written, what was not, and why. */
export function describeEnd(
  { database: { leavesOut } }: DatabaseProvider,
  { tally, log, rejects, ms }: Ended,
): string {
  const lines = [
    `${plural(tally.written, 'user')} written in ${duration(ms / 1000)}: ${count(tally.withHash)} with a password hash, ${count(tally.withoutPassword)} without a password`,
    ...describePasswords(tally.byKind).map((line) => `  ${line}`),
    ...(leavesOut === undefined ? [] : [`Not carried over: ${leavesOut}`]),
    ...(log.count > 0
      ? [`${plural(log.count, 'user')} left out:`, ...describeRejects(log.groups, 'record')]
      : []),
    ...(log.count > 0 ? [`All of them: ${rejects}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
