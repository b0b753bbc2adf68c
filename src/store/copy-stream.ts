import type { Writable } from 'node:stream';

/**
 * Hands all of a COPY's input to the driver's stream, in one piece, and its end. Resolves when the end was sent, and not
 * when the server has confirmed it: the stream of postgres.js 3.4.9 waits for that for ever when the COPY fails.
 * Rejects with whatever breaks it off before.
 */
export function sendWhole(target: Writable, bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const sendEnd = target._final.bind(target);
  target._final = (done) => {
    sendEnd(done);
    // What comes later belongs to the connection's next statement: the driver would break off even a COPY that succeeded,
    // which a server ignores, and forget the stream of the one after it.
    target._destroy = (error, destroyed) => {
      destroyed(error);
    };
    resolve(undefined);
  };
  // Stays: nobody may be waiting any more when the connection is lost.
  target.on('error', reject);
  target.end(bytes);
  return promise;
}
