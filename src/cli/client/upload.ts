import { ConnectionBroken } from './http.ts';
import { retry, type Retrying } from './retry.ts';
import type { UploadSource } from '../input/source.ts';
import type { TusClient } from './tus.ts';

export interface UploadRun extends Retrying {
  readonly tus: TusClient;
  readonly id: string;
  readonly source: UploadSource;
}

/**
 * Uploads a source into its job, through broken connections and restarts. One step at a time:
 *
 * - ask: HEAD reports the committed offset (and where a former run ended)
 * - send: a PATCH from there to the end of the source
 * - finish: an empty PATCH states the length of a source that did not know it before
 * - wait: after errors that `retry` considers temporary; then ask again
 *
 * The offset is always the core's answer, never what was sent.
 * @throws as `retry`
 */
export async function upload(run: UploadRun): Promise<void> {
  let isComplete = false;
  while (!isComplete) isComplete = await retry(() => attempt(run), run);
}

/** @returns whether the upload is complete; otherwise progress was committed and the rest is to follow */
async function attempt({ tus, id, source, patience, signal }: UploadRun): Promise<boolean> {
  const { offset, length } = await tus.state(id, signal);
  patience.advance(offset);
  if (length === offset && source.length === length) return true;
  const body = await startOf(source.open(offset, signal));
  let committed = offset;
  if (body) {
    const bodyBytes = source.length === undefined ? undefined : source.length - offset;
    committed = await tus.append(id, { offset, bodyBytes, body }, signal);
    // Refused without a committed line, it would repeat for ever; as trouble it is bounded.
    if (committed <= offset) throw new ConnectionBroken('the core committed nothing');
    patience.advance(committed);
  }
  if (source.length !== committed) return false;
  if (length === undefined) await tus.finish(id, committed, signal);
  return true;
}

/** Waits for the first bytes, because an empty PATCH sends nothing. @returns undefined without bytes */
async function startOf(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array> | undefined> {
  const iterator = bytes[Symbol.asyncIterator]();
  const first = await iterator.next();
  return first.done ? undefined : continued(first.value, iterator);
}

async function* continued(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
