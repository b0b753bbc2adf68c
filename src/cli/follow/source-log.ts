/** The log of an old system's database, as a follower opens it. */

import { createHash } from 'node:crypto';
import { readAddress } from '../../exports/sources/engines/address.ts';
import { SourceFault } from '../../exports/sources/fault.ts';
import { openSourceLog, removalOf, type SourceLog } from '../../exports/sources/log/source-log.ts';
import { moveStatus } from '../client/moves.ts';
import type { Core } from '../client/server.ts';
import { passwordOf } from '../input/old-database.ts';
import { noMove } from '../move/options.ts';
import type { Surroundings } from '../surroundings.ts';
import type { FollowOptions } from './options.ts';

interface Opening {
  readonly address: string;
  readonly options: FollowOptions;
  readonly surroundings: Surroundings;
  /** Of slot and publication. */
  readonly name: string;
}

/**
 * Whether the log is read, if it can be. A single look makes no slot unless that is asked for: left behind, the database would keep its
 * log for it.
 * @param isFollowed whether a follower before has read it
 */
export function usesLog(address: string, { log, once = false }: FollowOptions, isFollowed: boolean): boolean {
  return hasLog(address) && (log === 'require' || (log === 'auto' && (!once || isFollowed)));
}

export function hasLog(address: string): boolean {
  return readAddress(address, undefined).engine === 'postgres';
}

/** @returns a name that no other move has @throws CommandError without a move */
export async function logName({ client, server }: Core, signal: AbortSignal): Promise<string> {
  const move = await moveStatus(client, signal);
  if (move === undefined) throw noMove();
  const { moveNo, startedAt, source } = move;
  const of = [server.app ?? 'public', moveNo, startedAt, source.system, source.address, source.label];
  return `carryover_${createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 16)}`;
}

/** Opens it for a piece of work, and closes it afterwards, or when the command is interrupted. */
export async function withSourceLog<Result>(
  { address, options, surroundings, name }: Opening,
  work: (log: SourceLog) => Promise<Result>,
): Promise<Result> {
  const { environment, interrupt } = surroundings;
  const password = await passwordOf(address, options, surroundings);
  const log = await openSourceLog(readAddress(address, password), environment, name);
  const close = (): void => void log.close();
  interrupt.addEventListener('abort', close);
  try {
    interrupt.throwIfAborted();
    return await work(log);
  } finally {
    interrupt.removeEventListener('abort', close);
    await log.close();
  }
}

/** Removes slot and publication. @returns the outcome in a line */
export async function removeLog(
  opening: Opening,
): Promise<{ readonly isDone: boolean; readonly line: string }> {
  const { name } = opening;
  try {
    const wasThere = await withSourceLog(opening, (log) => log.remove());
    return {
      isDone: true,
      line: wasThere
        ? `The slot and the publication ${name} were removed from the old database`
        : `The old database has no slot and no publication ${name}`,
    };
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    return {
      isDone: false,
      line: `The old database keeps its log for the slot ${name}, which could not be removed (${error.message}). Remove it there: ${removalOf(name)}`,
    };
  }
}
