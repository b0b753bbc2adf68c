import type { CoreClient } from '../client/core-client.ts';
import { retry, type Retrying } from '../client/retry.ts';
import type { RejectLog } from '../output/reject-log.ts';
import { readLine, type SessionRecord } from './record.ts';

/** The limits of one request: this number of records, in a body of a megabyte. */
const mostRecords = 5000;
const mostBytes = 1_040_000;
/** The maximum, of a record without its id. */
const fixedBytes = 160;

export interface Bringing extends Retrying {
  readonly client: CoreClient;
  readonly path: string;
  readonly source: string;
  readonly lines: AsyncIterable<Uint8Array>;
  /** Lines before it are skipped. */
  readonly fromLine: number;
  readonly rejects: RejectLog;
  /** Called after each request: all lines up to this one are done. */
  readonly onDone: (done: Done) => void;
}

export interface Done {
  readonly line: number;
  readonly brought: number;
}

interface Batch {
  readonly sessions: SessionRecord[];
  bytes: number;
  /** The last line that was read. */
  line: number;
}

/**
 * Sends the records of a file to a core, in their order: of a repeated token the last one counts. While one request is under way
 * the next is read. A repeated request changes nothing, so one may begin anywhere.
 * @throws as `retry`
 */
export async function bring(bringing: Bringing): Promise<Done> {
  const { patience, rejects, onDone } = bringing;
  let done: Done = { line: bringing.fromLine - 1, brought: 0 };
  let sending = Promise.resolve();
  const send = async ({ sessions, line }: Batch): Promise<void> => {
    if (sessions.length > 0) await retry(() => sendOnce(bringing, sessions), bringing);
    patience.advance(line);
    done = { line, brought: done.brought + sessions.length };
    onDone(done);
  };
  for await (const batch of batchesOf(bringing, rejects)) {
    await sending;
    sending = send(batch);
    // Awaited above, and below.
    sending.catch(() => undefined);
  }
  await sending;
  return done;
}

/** @returns how many records of a file could be brought; nothing is sent */
export async function countRecords(
  reading: Pick<Bringing, 'lines' | 'fromLine'>,
  rejects: RejectLog,
): Promise<number> {
  let records = 0;
  for await (const { sessions } of batchesOf(reading, rejects)) records += sessions.length;
  return records;
}

async function sendOnce(
  { client, path, source, signal }: Bringing,
  sessions: SessionRecord[],
): Promise<void> {
  await client.call<unknown>({ method: 'POST', path, input: { source, sessions }, signal });
}

async function* batchesOf(
  { lines, fromLine }: Pick<Bringing, 'lines' | 'fromLine'>,
  rejects: RejectLog,
): AsyncGenerator<Batch> {
  let batch: Batch = { sessions: [], bytes: 0, line: 0 };
  let line = 0;
  for await (const bytes of lines) {
    line++;
    if (line < fromLine || isBlank(bytes)) continue;
    const read = readLine(line === 1 ? withoutMark(bytes) : bytes, line);
    batch.line = line;
    if ('reject' in read) await rejects.add([read.reject]);
    else {
      batch.sessions.push(read.record);
      batch.bytes += fixedBytes + Buffer.byteLength(JSON.stringify(read.record.userId));
    }
    if (batch.sessions.length < mostRecords && batch.bytes < mostBytes) continue;
    yield batch;
    batch = { sessions: [], bytes: 0, line };
  }
  if (batch.line > 0) yield { ...batch, line };
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 32 || byte === 9);
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}
