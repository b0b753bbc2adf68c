/** An impostor instead of a directory, or between it and the core, gets no password and signs no user in. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { openOutgoing } from '../../src/http/outgoing/exchange.ts';
import { certificate } from '../helpers/tls-door.ts';

const { inDirectory } = openOutgoing();

const ca = readFileSync(certificate('ca.pem'), 'utf8');
const secret = 'service secret';
/** A message of RFC 4511 with a result: of an ExtendedResponse (0x78) or a BindResponse (0x61). */
const answer = (id: number, kind: number, code: number) =>
  Buffer.from([0x30, 0x0c, 0x02, 0x01, id, kind, 0x07, 0x0a, 0x01, code, 0x04, 0x00, 0x04, 0x00]);
const [extended, bound] = [0x78, 0x61];
const firstId = 2;

let server: Server | undefined;
let connections = 0;
let sent: Buffer[] = [];
afterEach(() => server?.close());

/** Binds over STARTTLS with a scripted server. @returns the result, or the code of the error */
async function bind(onConnection: (socket: Socket) => void, startsTls = true): Promise<number | string> {
  [connections, sent] = [0, []];
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const url = `ldap://localhost:${(server.address() as AddressInfo).port}`;
  const request = { url, startsTls, ca, reach: 'any', signal: AbortSignal.timeout(5000) } as const;
  return inDirectory(request, (session) => session.bind('cn=carryover', secret)).catch((error: unknown) =>
    String((error as { code: unknown }).code),
  );
}

const each = (socket: Socket, then: (socket: Socket) => void) =>
  socket.on('data', (chunk: Buffer) => {
    sent.push(chunk);
    then(socket);
  });

/** Answers the request for TLS, and begins with it. */
function beginsTls(first: Buffer, then: (safe: TLSSocket) => void): (socket: Socket) => void {
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(certificate(name)));
  return (socket) => {
    socket.once('data', () => {
      socket.write(first);
      const safe = new TLSSocket(socket, { isServer: true, key, cert });
      safe.on('error', () => undefined);
      then(safe);
    });
  };
}

test('STARTTLS that is refused ends the question', async () => {
  const refusing = (socket: Socket) => each(socket, () => socket.write(answer(firstId, extended, 52)));
  expect(await bind(refusing)).toBe('STARTTLS_REFUSED');
  expect(Buffer.concat(sent).toString('latin1')).not.toContain(secret);
});

test('an answer that was put in before TLS began is not read as one that came through it', async () => {
  const forged = [2, 3, 4].map((id) => answer(id, bound, 0));
  const half = answer(firstId, bound, 0).subarray(0, -1);
  const first = Buffer.concat([answer(firstId, extended, 0), ...forged, half]);
  const refuses = beginsTls(first, (safe) => safe.once('data', () => safe.write(answer(firstId, bound, 49))));
  expect(await bind(refuses)).toBe(49);
});

test('a connection that ends after TLS began is not opened again, in the clear', async () => {
  const leaves = beginsTls(answer(firstId, extended, 0), (safe) => safe.once('data', () => safe.destroy()));
  expect(await bind(leaves)).toMatch(/BROKEN|CLOSED|ECONNRESET/);
  expect(connections).toBe(1);
});

test('an answer without an end is cut off', async () => {
  let written = 0;
  const endless = (socket: Socket) => {
    const block = Buffer.alloc(65_536);
    const more = (): void => {
      while (!socket.destroyed && socket.write(block)) written += block.length;
    };
    socket.on('drain', more);
    each(socket, () => {
      // A message of a gigabyte.
      socket.write(Buffer.from([0x30, 0x84, 0x40, 0, 0, 0]));
      more();
    });
  };
  expect(await bind(endless, false)).toBe('ANSWER_TOO_LARGE');
  expect(written).toBeLessThan(64 * 1024 * 1024);
  expect(connections).toBe(1);
});

test('garbage, and a connection that is closed at once, say nothing', async () => {
  const closes = (socket: Socket) => each(socket, () => socket.destroy());
  expect(await bind(closes, false)).toMatch(/BROKEN|CLOSED|ECONNRESET/);
  expect(connections).toBe(1);
  const mumbles = (socket: Socket) =>
    each(socket, () => socket.end(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')));
  expect(await bind(mumbles, false)).toMatch(/BROKEN|CLOSED|ECONNRESET/);
});
