import '../src/process/node-20.ts';
import { hashBlock } from '../src/imports/ledger/block.ts';
import { digestsOfLines } from '../src/imports/ledger/digests.ts';
import { decide } from '../src/imports/decide/decide.ts';
import { parseChunk } from '../src/imports/parse/parse-chunk.ts';
import type { ParsedChunk } from '../src/imports/parse/types.ts';
import { plainPasswords, soughtKeys } from '../src/imports/parse/sought-keys.ts';
import { tallyHashes } from '../src/hashes/tally.ts';
import { readBody, readUsers } from './bodies.ts';
import { freeMemory } from '../src/process/free-memory.ts';
import { handingOver } from './hand-over.ts';
import { lowerPriority, niceness } from './niceness.ts';
import type {
  DigestsTask,
  ParseTask,
  ReadUsers,
  RefusedBody,
  RowsResult,
  RowsTask,
} from '../src/imports/tasks.ts';

/** One task of an import: the work on its lines that needs no database. And counting, as background work. */
export default function runRowsTask(task: RowsTask): RowsResult<RowsTask> {
  lowerPriority(niceness.rows);
  switch (task.type) {
    case 'parse':
      return parsed(task);
    case 'keys':
      return soughtKeys(task);
    case 'passwords':
      return plainPasswords(task);
    case 'decide':
      return decide(task);
    case 'digests':
      return digestsHandedOver(task);
    case 'block':
      return hashBlock(task);
    case 'body':
      return readBody(task);
    case 'users':
      return usersHandedOver(readUsers(task));
    case 'tally':
      return tallyHashes(task);
  }
}

/** The lines are a copy for this thread only. */
function parsed(task: ParseTask): ParsedChunk {
  const chunk = parseChunk(task);
  freeMemory(task.bytes.buffer);
  return handedOver(chunk);
}

/** The lines are a copy for this thread only. */
function digestsHandedOver(task: DigestsTask): Uint8Array<ArrayBuffer> {
  const digests = digestsOfLines(task);
  freeMemory(task.bytes.buffer);
  return handingOver(digests, [digests.buffer]);
}

/** Transfers the finished rows, which are as large as their lines. */
function handedOver(chunk: ParsedChunk): ParsedChunk {
  if (chunk.form !== 'finished') return chunk;
  const { rows } = chunk;
  return handingOver(chunk, [rows.users.buffer, rows.identities.buffer]);
}

function usersHandedOver(users: ReadUsers | RefusedBody): ReadUsers | RefusedBody {
  return 'refusal' in users
    ? users
    : handingOver(users, [users.text.buffer, users.ends.buffer as ArrayBuffer]);
}
