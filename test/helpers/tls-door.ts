/** PostgreSQL behind TLS on a TCP port, as a hosted one is: the test server itself has a socket file only. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { EmbeddedConnection } from '../../src/store/embedded.ts';

export interface TlsDoor {
  /** @param parameters behind the question mark */
  uri(parameters: string, host?: string): string;
  /** Who came in over TLS so far: the common name of the client's certificate, or `nobody`. */
  readonly clients: readonly string[];
  /** Ends every connection. */
  cut(): void;
  remove(): Promise<void>;
}

/** A file of test/store/certificates. */
export function certificate(name: string): string {
  return fileURLToPath(new URL(`../store/certificates/${name}`, import.meta.url));
}

const sslRequestCode = 80_877_103;

/** It takes no connection that does not ask for TLS, and any certificate of a client. */
export async function openTlsDoor(to: EmbeddedConnection): Promise<TlsDoor> {
  const target = path.join(to.host, `.s.PGSQL.${to.port}`);
  const [key, cert, ca] = ['server.key', 'server.pem', 'ca.pem'].map((name) =>
    readFileSync(certificate(name)),
  );
  const clients: string[] = [];
  const sockets = new Set<net.Socket>();
  const follow = (socket: net.Socket, other: net.Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.pipe(other);
  };
  const server = net.createServer((near) => {
    near.on('error', () => undefined);
    near.once('data', (request: Buffer) => {
      if (request.length !== 8 || request.readUInt32BE(4) !== sslRequestCode) {
        near.destroy();
        return;
      }
      near.write('S');
      const tls = new TLSSocket(near, {
        isServer: true,
        key,
        cert,
        ca,
        requestCert: true,
        rejectUnauthorized: false,
      });
      const far = net.connect(target);
      tls.once('secure', () => {
        const { subject } = tls.getPeerCertificate() as Partial<ReturnType<TLSSocket['getPeerCertificate']>>;
        clients.push(String(subject?.CN ?? 'nobody'));
      });
      follow(tls, far);
      follow(far, tls);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as net.AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: (parameters, host = 'localhost') =>
      `postgres://${to.user}:${encodeURIComponent(to.password)}@${host}:${port}/${to.database}?${parameters}`,
    clients,
    cut,
    remove: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      cut();
      await closed;
    },
  };
}
