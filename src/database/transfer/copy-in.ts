import type { Writable } from 'node:stream';

/** Awaited before each piece of a COPY's input, so that more urgent statements may go first. */
export type Pause = () => Promise<void>;

export const noPause: Pause = () => Promise.resolve();

/**
 * Some hundred rows: PostgreSQL takes about 1.5 ms for them, and at most three pieces are on their way to it, in the
 * buffer of its socket (208 KiB on Linux).
 */
const pieceBytes = 65_536;

/** All of a COPY's input at once, or as it comes. */
export type CopyInput = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Hands all of a COPY's input to the driver's stream, in pieces, and its end. Resolves when the end was sent, and not
 * when the server has confirmed it: the stream of postgres.js 3.4.9 waits for that for ever when the COPY fails.
 * Rejects with whatever breaks it off before.
 */
export function sendInPieces(target: Writable, input: CopyInput, pause: Pause): Promise<void> {
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
  // Stays: the connection may be lost when no promise waits any more.
  target.on('error', reject);
  const sent = input instanceof Uint8Array ? writeAll(target, input, pause) : writeEach(target, input, pause);
  sent
    .then((isSent) => {
      if (isSent) target.end();
    })
    // The server has to learn of it: it would wait for the rest of the input, and refuse everything else.
    .catch((error: unknown) => {
      target.destroy(new Error('the input ended early'));
      reject(error);
    });
  return promise;
}

async function writeEach(target: Writable, input: AsyncIterable<Uint8Array>, pause: Pause): Promise<boolean> {
  for await (const bytes of input) if (!(await writeAll(target, bytes, pause))) return false;
  return true;
}

/** Each piece when the one before has left the process. @returns false when the stream broke, whose 'error' says why */
async function writeAll(target: Writable, bytes: Uint8Array, pause: Pause): Promise<boolean> {
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    await pause();
    if (!(await isWritten(target, bytes.subarray(from, from + pieceBytes)))) return false;
  }
  return true;
}

function isWritten(target: Writable, piece: Uint8Array): Promise<boolean> {
  return new Promise((resolve) => {
    target.write(piece, (error) => {
      resolve(!error);
    });
  });
}
