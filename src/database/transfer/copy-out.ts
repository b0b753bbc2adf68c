import type { Readable } from 'node:stream';

/** Gets what a COPY gives, in pieces; the next one comes when the promise resolves. */
export type TakePiece = (piece: Uint8Array) => Promise<void>;

/**
 * Hands over all that the driver's stream of a COPY gives. Where `take` rejects, the server is asked to stop, and what is on
 * its way is dropped: the stream of postgres.js 3.4.9 stops its connection while it waits for a reader, for everything else too.
 * @param stop asks the server
 */
export async function takeAll(source: Readable, take: TakePiece, stop: () => void): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const piece of source as AsyncIterable<Uint8Array>) {
      if (failure) continue;
      await take(piece).catch((error: unknown) => {
        failure = { error };
        stop();
      });
    }
  } catch (error) {
    throw failure ? failure.error : error;
  }
  resume(source);
  if (failure) throw failure.error;
}

/**
 * What the server says behind the last row is read, too: a stream that has ended asks for nothing any more, and its connection
 * would stay stopped (postgres.js 3.4.9).
 */
function resume(source: Readable): void {
  try {
    source._read(0);
  } catch {
    // The connection is lost, of which the statement behind learns.
  }
}
