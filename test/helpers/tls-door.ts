/** PostgreSQL with TLS on a TCP port, as a hosted one: the test server itself has only a socket file. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import { Listener } from './database-door.ts';

export interface TlsDoor {
  /** @param parameters after the question mark */
  uri(parameters: string, host?: string): string;
  /** Clients that connected over TLS so far: the common name of the client's certificate, or `nobody`. */
  readonly clients: readonly string[];
  /** Ends every connection. */
  cut(): void;
  remove(): Promise<void>;
}

/** A file of test/store/certificates. */
export function certificate(name: string): string {
  return fileURLToPath(new URL(`../store/certificates/${name}`, import.meta.url));
}

/** The first message of a client that requests TLS: its length, and this. */
const sslRequestCode = 80_877_103;

/** It refuses connections without TLS, and accepts any certificate of a client. */
export async function openTlsDoor(to: EmbeddedConnection): Promise<TlsDoor> {
  const [key, cert, ca] = ['server.key', 'server.pem', 'ca.pem'].map((name) =>
    readFileSync(certificate(name)),
  );
  const clients: string[] = [];
  const beginTls = async (near: net.Socket): Promise<net.Socket> => {
    const [request] = (await once(near, 'data')) as [Buffer];
    if (request.length !== 8 || request.readUInt32BE(4) !== sslRequestCode) throw new Error('not over TLS');
    near.write('S');
    const secure = { isServer: true, key, cert, ca, requestCert: true, rejectUnauthorized: false };
    const tls = new TLSSocket(near, secure);
    tls.once('secure', () => {
      const { subject } = tls.getPeerCertificate() as Partial<ReturnType<TLSSocket['getPeerCertificate']>>;
      clients.push(String(subject?.CN ?? 'nobody'));
    });
    return tls;
  };
  const listener = new Listener(path.join(to.host, `.s.PGSQL.${to.port}`), beginTls);
  await listener.listen({ host: '127.0.0.1', port: 0 });
  return {
    uri: (parameters, host = 'localhost') =>
      `postgres://${to.user}:${encodeURIComponent(to.password)}@${host}:${listener.port}/${to.database}?${parameters}`,
    clients,
    cut: () => {
      listener.cut();
    },
    remove: () => listener.close(),
  };
}
