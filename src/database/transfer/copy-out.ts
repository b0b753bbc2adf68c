import type { Readable } from 'node:stream';

/** Takes a COPY's output in pieces; the next one follows when the promise resolves. */
export type TakePiece = (piece: Uint8Array) => Promise<void>;

/**
 * Passes on all output of the driver's COPY stream. If `take` rejects, the server is asked to stop and the rest is dropped: a
 * paused stream of postgres.js 3.4.9 blocks its connection for all statements.
 * @param stop asks the server; awaited, because a request that arrives late stops the next statement of the connection
 */
export async function takeAll(source: Readable, take: TakePiece, stop: () => Promise<void>): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  let stopped: Promise<void> | undefined;
  try {
    for await (const piece of source as AsyncIterable<Uint8Array>) {
      if (failure) continue;
      await take(piece).catch((error: unknown) => {
        failure = { error };
        stopped = stop();
      });
    }
  } catch (error) {
    await stopped;
    throw failure ? failure.error : error;
  }
  resume(source);
  await stopped;
  if (failure) throw failure.error;
}

/** Otherwise the connection would stay paused after the last row (postgres.js 3.4.9). */
function resume(source: Readable): void {
  try {
    source._read(0);
  } catch {
    // The connection is lost; the next statement reports it.
  }
}
