/** The parts of an exchange that depend on the time, which the test sets. */
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { carryFrom, newOldKey, type OldKey, signOld } from '../helpers/old-tokens.ts';
import { importUser, newApp, newEmail } from '../helpers/people.ts';
import { certificate } from '../helpers/tls-door.ts';

const start = Date.UTC(2030, 0, 1);
const first = newOldKey('first');
let now = start;
let core: TestCore;
let old: Server;
let host: string;
let keys: readonly object[];
let asked: number;
let oldId: string;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ overrides: { now: () => now } });
  const [key, cert] = ['server.key', 'server.pem'].map((name) => readFileSync(certificate(name)));
  old = createServer({ key, cert }, (_request, response) => {
    asked++;
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  host = `https://localhost:${(old.address() as AddressInfo).port}`;
});
afterAll(async () => {
  old.closeAllConnections();
  old.close();
  await core.stop();
});
beforeEach(() => {
  [now, asked, keys] = [start, 0, [first.jwk]];
});

/** An app whose old system publishes its keys with a certificate of its own authority. */
async function begin(more: object = { ca: readFileSync(certificate('ca.pem'), 'utf8') }): Promise<void> {
  const rules = { issuer: 'iss', audience: 'aud', algorithms: ['ES256'], until: '2031-01-01' };
  const jwks = `${host}/${randomUUID()}`;
  app = await newApp(core, { session_sources: [{ name: 'old', speaks: 'jwt', ...rules, jwks, ...more }] });
  const { id } = await importUser(core, newEmail(), app);
  oldId = `old|${randomUUID()}`;
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: oldId });
}

function tokenBy(key: OldKey): Promise<string> {
  const iat = start / 1000 - 60;
  return signOld(key, { iss: 'iss', aud: 'aud', sub: oldId, iat, exp: iat + 36_000, jti: randomUUID() });
}

const carry = (token: string) => carryFrom(core, app, { source: 'old', token });

describe('a token', () => {
  test('gives the same session for ten seconds, and none after them', async () => {
    await begin();
    const token = await tokenBy(first);
    const made = await carry(token);
    expect(made.body.status).toBe('OK');
    now = start + 9999;
    const again = await carry(token);
    expect([again.body.status, again.body.refreshToken]).toEqual(['OK', made.body.refreshToken]);
    now = start + 10_000;
    expect((await carry(token)).body).toEqual({ status: 'CARRY_REFUSED_ERROR', reason: 'USED' });
  });

  test('by a key that the old system has since made is taken, when its keys are asked for again', async () => {
    await begin();
    expect((await carry(await tokenBy(first))).body.status).toBe('OK');
    const second = newOldKey('second');
    keys = [first.jwk, second.jwk];
    const token = await tokenBy(second);
    // Requested less than a minute ago.
    now = start + 59_999;
    expect((await carry(token)).body.reason).toBe('INVALID_TOKEN');
    expect(asked).toBe(1);
    now = start + 60_000;
    expect((await carry(token)).body.status).toBe('OK');
    expect(asked).toBe(2);
    for (let n = 0; n < 5; n++) {
      const unknown = await tokenBy(newOldKey(`other ${n}`));
      expect((await carry(unknown)).body.reason).toBe('INVALID_TOKEN');
    }
    expect(asked).toBe(2);
  });
});

describe('keys behind a certificate of a private authority', () => {
  test('are fetched where the source names it', async () => {
    await begin();
    expect((await carry(await tokenBy(first))).body.status).toBe('OK');
    expect(asked).toBe(1);
  });

  test('are not asked for where it does not', async () => {
    await begin({});
    const { http, body } = await carry(await tokenBy(first));
    expect([http, body.status]).toEqual([503, 'OLD_SYSTEM_UNAVAILABLE']);
    expect(asked).toBe(0);
  });
});
