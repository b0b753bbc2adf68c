import type { Writable } from 'node:stream';

/** Awaited before each piece of a COPY's input, so that more urgent statements go first. */
export type Pause = () => Promise<void>;

export const noPause: Pause = () => Promise.resolve();

/**
 * Some hundred rows, about 1.5 ms of PostgreSQL's time; at most three pieces fit into the buffer of its socket (208 KiB on
 * Linux).
 */
const pieceBytes = 65_536;

export type CopyInput = Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Writes a COPY's input and its end to the driver's stream. Resolves when the end was sent, not confirmed: the stream of
 * postgres.js 3.4.9 waits for ever when the COPY fails. Rejects with an earlier error.
 */
export function sendInPieces(target: Writable, input: CopyInput, pause: Pause): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const sendEnd = target._final.bind(target);
  target._final = (done) => {
    sendEnd(done);
    // Errors after the end belong to the connection's next statement: the driver would abort even a successful COPY, which a
    // server ignores, and lose the stream of the next one.
    target._destroy = (error, destroyed) => {
      destroyed(error);
    };
    resolve(undefined);
  };
  // Not removed: the connection may be lost when no promise waits any more.
  target.on('error', reject);
  const sent = input instanceof Uint8Array ? writeAll(target, input, pause) : writeEach(target, input, pause);
  sent
    .then((isSent) => {
      if (isSent) target.end();
    })
    // Notifies the server, which would otherwise wait for more input.
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

/** Writes a piece when the previous one has left the process. @returns false after an 'error' of the stream */
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
