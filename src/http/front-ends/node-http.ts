import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { Refusal } from '../../domain/errors.ts';
import type { ConnectionLimits } from './limits.ts';
import type { FrontEnd, NativeServer, Serve } from './native.ts';
import { NodeConnection } from './node-connection.ts';
import { silenceMs } from './node-response.ts';
import { refusalReply } from '../response/replies.ts';

const options = {
  insecureHTTPParser: false,
  headersTimeout: silenceMs,
  // Bodies may take days: their pace is checked instead.
  requestTimeout: 0,
  connectionsCheckingInterval: 1000,
} as const;

export function nodeHttpFrontEnd(limits: ConnectionLimits): FrontEnd {
  return (serve) => nodeHttpServer(serve, limits);
}

function nodeHttpServer(serve: Serve, { keepAliveMs, maxHeadBytes }: ConnectionLimits): NativeServer {
  const connections = new Map<Socket, NodeConnection>();
  // keepAliveTimeout runs from an answer to the next request; other silence is `server.timeout`: see fallSilent.
  const server = createServer({ ...options, keepAliveTimeout: keepAliveMs, maxHeaderSize: maxHeadBytes });
  const keepAlive = `timeout=${Math.floor(keepAliveMs / 1000)}`;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    connections.get(request.socket)?.request(request, response);
  };
  server.timeout = silenceMs;
  // No limit: Node drops headers above it silently.
  server.maxHeadersCount = 0;
  server
    .on('connection', (socket: Socket) => {
      const connection = new NodeConnection(socket, serve, keepAlive);
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
      // Idle connections stay until `close` ends them.
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

/** The answer to input that is not HTTP; undefined for a connection that broke or sent no head in time. */
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
