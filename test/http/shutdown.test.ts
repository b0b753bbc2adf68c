/** Clients that disconnect before their answer, and a core that stops while it works. */
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type HeldWrites, holdWrites } from '../helpers/database-door.ts';
import { metric } from '../helpers/metrics.ts';
import { knownHash, knownPassword, newEmail, signIn } from '../helpers/people.ts';

const route = '/recipe/user/passwordhash/import';
let core: TestCore;
let held: HeldWrites;
beforeEach(async () => {
  core = await startTestCore();
  held = await holdWrites(core.database.connection);
});
afterEach(async () => {
  await held.release();
  await core.stop();
});

/** A connection with a running import, held by the database. */
async function importing(email: string): Promise<net.Socket> {
  const socket = net.connect(core.port, '127.0.0.1');
  await once(socket, 'connect');
  const body = JSON.stringify({ email, passwordHash: knownHash });
  socket.write(
    `POST ${route} HTTP/1.1\r\nHost: x\r\nApi-Key: ${core.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

function send(email: string) {
  return core.post(route, { email, passwordHash: knownHash });
}

describe('a client that hangs up before its answer', () => {
  test.each([
    ['politely', (socket: net.Socket) => socket.end()],
    ['by a reset', (socket: net.Socket) => socket.resetAndDestroy()],
  ])('%s: the import is durable all the same, and is counted as 499', async (_how, leave) => {
    const email = newEmail();
    const socket = await importing(email);
    socket.on('error', () => undefined).resume();
    await held.waiting(1);
    leave(socket);
    await expect.poll(() => socket.closed || socket.readableEnded).toBe(true);
    // By this answer the core has seen everything before it, including the disconnect.
    expect((await core.get('/health')).http).toBe(200);
    await held.release();

    await expect.poll(() => metric(core, 'carryover_requests_total', { route, status: 499 })).toBe(1);
    expect(await metric(core, 'carryover_requests_total', { route })).toBe(1);
    expect(await metric(core, 'carryover_request_duration_seconds_count', { route })).toBe(1);
    expect(await metric(core, 'carryover_imports_total', { kind: 'bcrypt', outcome: 'new' })).toBe(1);
    expect(await signIn(core, email, knownPassword)).toBe('OK');
    expect((await send(email)).body.didUserAlreadyExist).toBe(true);
  });
});

describe('a core that stops', () => {
  test('answers what it took, refuses what is new, and ends', async () => {
    const emails = [newEmail(), newEmail(), newEmail()];
    const accepted = emails.map(send);
    await held.waiting(1);
    await expect
      .poll(() => metric(core, 'carryover_requests_total', { route: '/metrics' }))
      .toBeGreaterThan(0);
    // An open connection may still send a request, and is refused.
    const late = net.connect(core.port, '127.0.0.1');
    await once(late, 'connect');
    late.write(`GET /apiversion HTTP/1.1\r\nHost: x\r\nApi-Key: ${core.apiKey}\r\n\r\n`);
    await once(late, 'data');

    const closed = core.close();
    late.write(`GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${core.apiKey}\r\n\r\n`);
    const [refusal] = (await once(late, 'data')) as [Buffer];
    expect(refusal.toString()).toMatch(
      /^HTTP\/1.1 503 .*\r\n(.*\r\n)*Retry-After: 1\r\n(.*\r\n)*\r\n.*SHUTTING_DOWN/,
    );
    await once(late, 'close');
    const stranger = net.connect(core.port, '127.0.0.1');
    const [error] = (await once(stranger, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');

    await held.release();
    const answers = await Promise.all(accepted);
    expect(answers.map(({ http, body }) => [http, body.status])).toEqual(emails.map(() => [200, 'OK']));
    await closed;

    const again = await startTestCore({ database: core.database });
    for (const email of emails) expect(await signIn(again, email, knownPassword)).toBe('OK');
    await again.close();
  });

  test('that has announced it is not ready, serves on, and ends each connection with its answer', async () => {
    await held.release();
    const kept = net.connect(core.port, '127.0.0.1');
    await once(kept, 'connect');
    const ask = async (): Promise<string> => {
      kept.write(`GET /apiversion HTTP/1.1\r\nHost: x\r\nApi-Key: ${core.apiKey}\r\n\r\n`);
      const [answer] = (await once(kept, 'data')) as [Buffer];
      return answer.toString();
    };
    expect(await ask()).not.toMatch(/^connection: close/im);
    expect((await core.get('/readyz')).http).toBe(200);

    core.announceStop();
    for (const path of ['/readyz', '/health']) {
      const { http, body } = await core.get(path);
      expect([http, body.status, body.stopping, body.database]).toEqual([503, 'NOT_READY', true, 'up']);
    }
    expect((await core.get('/livez')).http).toBe(200);
    const email = newEmail();
    expect((await send(email)).http).toBe(200);
    expect(await signIn(core, email, knownPassword)).toBe('OK');
    const closed = once(kept, 'close');
    expect(await ask()).toMatch(/^HTTP\/1.1 200 [^]*^connection: close/im);
    await closed;
  });

  test('may be requested twice', async () => {
    await held.release();
    await Promise.all([core.close(), core.close()]);
  });
});
