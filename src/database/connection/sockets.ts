import net from 'node:net';
import { Duplex } from 'node:stream';

/** Error code: the server accepted a connection and closed it without an answer, as a proxy without a server behind it does. */
export const closedAtOnce = 'CLOSED_AT_ONCE';

/** A request to cancel a statement, which a server closes without an answer, too (PostgreSQL 18 manual, 54.7). */
const cancelRequestBytes = 16;

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  /** Of a Unix socket, instead of host and port. */
  readonly path: string | undefined;
}

/**
 * Makes the sockets of one connection. After a server has closed one without an answer, the driver opens the next at once, without an
 * end (postgres.js 3.4.9). That one fails instead, so the statement does.
 */
export function socketsTo({ host, port, path }: SocketAddress): () => Duplex {
  let last: net.Socket | undefined;
  return () => {
    const isRefused = last !== undefined && wasClosedAtOnce(last);
    last = undefined;
    if (isRefused) return failing(`${path ?? `${host}:${port}`} closed the connection without an answer`);
    last = path === undefined ? net.connect(port, host) : net.connect(path);
    // The driver reads the name of the server's certificate from here.
    return Object.assign(last, { host, port });
  };
}

/** By the server: a time limit here closes a socket that has not ended. */
function wasClosedAtOnce({ readableEnded, bytesRead, bytesWritten }: net.Socket): boolean {
  return readableEnded && bytesRead === 0 && bytesWritten !== cancelRequestBytes;
}

function failing(message: string): Duplex {
  const error = Object.assign(new Error(message), { code: closedAtOnce });
  return new Duplex({
    read: () => undefined,
    write: (_bytes, _encoding, done) => {
      done(error);
    },
  });
}
