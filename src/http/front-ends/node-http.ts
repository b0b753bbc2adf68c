/** The front end of node:http, which runs wherever Node does. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { Refusal } from '../../domain/errors.ts';
import type { NativeServer, Serve } from './native.ts';
import { NodeConnection } from './node-connection.ts';
import { silenceMs } from './node-response.ts';
import { refusalReply } from '../response/replies.ts';

const options = {
  insecureHTTPParser: false,
  // Silence between requests is silence as any other: see fallSilent.
  keepAliveTimeout: 0,
  headersTimeout: silenceMs,
  // Bodies may take days: their pace is watched instead.
  requestTimeout: 0,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 4096,
} as const;

export function nodeHttpServer(serve: Serve): NativeServer {
  const connections = new Map<Socket, NodeConnection>();
  const server = createServer(options);
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    connections.get(request.socket)?.request(request, response);
  };
  server.timeout = silenceMs;
  // No limit: those above it would be left out in silence.
  server.maxHeadersCount = 0;
  server
    .on('connection', (socket: Socket) => {
      const connection = new NodeConnection(socket, serve);
      connections.set(socket, connection);
      socket.on('close', () => {
        connections.delete(socket);
        connection.closed();
      });
    })
    .on('request', take)
    .on('checkContinue', take)
    .on('checkExpectation', take)
    .on('timeout', (socket: Socket) => connections.get(socket)?.fallSilent())
    .on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const answer = answerOf(error.code);
      const connection = socket instanceof Socket ? connections.get(socket) : undefined;
      if (answer === undefined || connection === undefined) socket.destroy();
      else connection.fail(answer);
    });
  return {
    listen: (host, port) => listen(server, host, port),
    stopListening: () => {
      // Idle connections live on until they are ended.
      server.closeIdleConnections = () => undefined;
      server.close();
    },
    close: () => {
      for (const socket of connections.keys()) socket.destroySoon();
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  }).catch((error: unknown) => {
    throw new Error(`cannot listen on ${host}:${port}: is the port taken?`, { cause: error });
  });
  return (server.address() as AddressInfo).port;
}

const malformed = refusalReply(new Refusal('INVALID_FRAMING'));

/** The answer to what is no HTTP; undefined for a connection that broke or brought no head in time. */
function answerOf(code: string | undefined): string | undefined {
  if (code === 'HPE_HEADER_OVERFLOW')
    return 'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
  if (code?.startsWith('HPE_') !== true) return undefined;
  return [
    `HTTP/1.1 ${malformed.statusLine}`,
    'Connection: close',
    `Content-Type: ${malformed.contentType ?? ''}`,
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(malformed.body)}`,
    '',
    malformed.body,
  ].join('\r\n');
}
