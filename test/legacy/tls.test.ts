/** Passwords are sent only over verified TLS, with a custom CA if the source has one. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOutgoing, type Outgoing } from '../../src/http/outgoing/exchange.ts';
import { certificate } from '../helpers/tls-door.ts';

let server: Server;
let outgoing: Outgoing;
let asked = 0;
beforeAll(async () => {
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(certificate(name)));
  server = createServer({ key, cert }, (_request, response) => {
    asked += 1;
    response.end('{"status":"password_match"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  outgoing = openOutgoing();
});
afterAll(() => {
  outgoing.close();
  server.closeAllConnections();
  server.close();
});

function send(host: string, ca: string | undefined) {
  const url = `https://${host}:${(server.address() as AddressInfo).port}/`;
  return outgoing.exchange({
    method: 'POST',
    url,
    body: '{}',
    ca,
    reach: 'any',
    signal: AbortSignal.timeout(10_000),
  });
}

test('a certificate is believed by the CA that the source names, and by no other', async () => {
  const ca = readFileSync(certificate('ca.pem'), 'utf8');
  await expect(send('localhost', undefined)).rejects.toThrow(/SELF_SIGNED|UNABLE_TO_VERIFY/);
  expect(asked).toBe(0);
  expect((await send('localhost', ca)).text).toContain('password_match');
  expect(asked).toBe(1);
  // The reusable connection was made with that CA, and is not used without it.
  await expect(send('localhost', undefined)).rejects.toThrow(/SELF_SIGNED|UNABLE_TO_VERIFY/);
  expect(asked).toBe(1);
});
