/** Confirms to the core what a file for the old system has brought there. */
import { createReadStream } from 'node:fs';
import { linesOf } from '../../input/lines.ts';
import type { CoreClient } from '../../client/core-client.ts';
import type { MoveView } from '../../client/moves.ts';
import { CommandError, fileError } from '../../command-error.ts';
import type { Surroundings } from '../../surroundings.ts';
import { claimLease } from '../lease.ts';
import { reportWaiting, settle } from '../write-back.ts';

/** The first line of `written.ndjson`. */
interface Heading {
  readonly type: 'written';
  readonly system: string;
  readonly moveNo: number;
}

interface Entry {
  readonly id: string;
  readonly changes: readonly string[];
  readonly oldId?: string;
}

/** Of one request. */
const mostEntries = 500;

/** @param file its path @returns undefined if the file is not one of an export for an old system @throws CommandError */
export async function headingIn(file: string, shown: string): Promise<Heading | undefined> {
  const lines = entriesIn(file, shown);
  const first = await lines.next();
  await lines.return(undefined);
  return first.done !== true && isHeading(first.value) ? first.value : undefined;
}

/** @returns the number of users @throws CommandError */
export async function settleFile(
  { file, shown }: { readonly file: string; readonly shown: string },
  { client, move }: { readonly client: CoreClient; readonly move: MoveView },
  surroundings: Surroundings,
): Promise<number> {
  const { interrupt: signal, now, stderr } = surroundings;
  const note = (line: string): void => void stderr.write(`${line}\n`);
  const lease = await claimLease({ client, role: 'write-back', source: move.source, now, note, signal });
  const users = new Set<string>();
  let settled: Entry[] = [];
  const send = async (): Promise<void> => {
    if (settled.length > 0) await settle(client, { fence: lease.fence, settled }, signal);
    settled = [];
  };
  try {
    for await (const line of entriesIn(file, shown)) {
      if (isHeading(line)) continue;
      if (!isEntry(line)) throw damaged(shown);
      users.add(line.id);
      settled.push(line);
      if (settled.length >= mostEntries) await send();
    }
    await send();
    await reportWaiting(client, lease, surroundings);
  } finally {
    await lease.release();
  }
  return users.size;
}

async function* entriesIn(file: string, shown: string): AsyncGenerator {
  const bytes: AsyncIterable<Uint8Array> & { destroy(): unknown } = createReadStream(file);
  try {
    for await (const line of linesOf(bytes)) {
      const text = Buffer.from(line).toString('utf8');
      if (text.trim() !== '') yield parsed(text);
    }
  } catch (error) {
    throw error instanceof CommandError ? error : fileError(shown, error);
  } finally {
    bytes.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHeading(value: unknown): value is Heading {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'written';
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('changes' in value)) return false;
  return typeof value.id === 'string' && Array.isArray(value.changes);
}

function damaged(shown: string): CommandError {
  return new CommandError(`${shown} is damaged: take the written.ndjson that 'export --as' wrote`, {
    field: shown,
    cure: "take the file that 'export --as' wrote",
  });
}
