/** `doctor database`: what a core would find there, and what a failover would lose. */
import path from 'node:path';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { printable, table } from '../output/format.ts';
import type { ExaminedDatabaseView, Surroundings } from '../surroundings.ts';

interface DatabaseOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/**
 * @returns `rejects` if a crash or a failover may lose acknowledged writes, or commits are not answered
 * @throws StartupError for a condition that would stop a core
 */
export async function examineDatabaseOf(
  { config, json }: DatabaseOptions,
  { environment, folder, stdout, examineDatabase }: Surroundings,
): Promise<ExitCode> {
  const found = await examineDatabase({ file: config && path.resolve(folder, config), environment });
  stdout.write(json === true ? asJson('doctor database', found) : asText(found));
  return found.isSafe ? exitCodes.ok : exitCodes.rejects;
}

function asText(found: ExaminedDatabaseView): string {
  const { servers, version, forgetting, clockAheadMs, tables } = found;
  const crash =
    forgetting.length === 0
      ? 'loses nothing that was committed'
      : `may lose commits: ${forgetting.join(', ')} off`;
  const pending =
    tables.pending.length === 0
      ? `version ${tables.newest}`
      : `a core would migrate them to ${tables.newest}`;
  const lines = [
    ...servers.map(({ where, kind, reason }) => [where, reason === undefined ? kind : `${kind}: ${reason}`]),
    ['PostgreSQL', version],
    ['tables', pending],
    ['clock', clockAheadMs === 0 ? 'the same' : `${clockAheadMs} ms ahead of the database's`],
    ['a crash', crash],
    ['a failover', found.failoverInWords],
  ];
  return `${table(lines).map(printable).join('\n')}\n`;
}
