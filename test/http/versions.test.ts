import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { startTestCore } from '../helpers/core.ts';
import { importUser, newEmail, knownPassword, knownHash } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';
import { driverOf } from '../helpers/versioned.ts';
import { Wire } from '../helpers/wire.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const all = ['3.0', '3.1', '4.0', '5.0', '5.1', '5.2', '5.3', '5.4'];

describe('the header cdi-version', () => {
  test('may name each version that /apiversion lists, or be left out', async () => {
    for (const version of [...all, undefined]) {
      const { http, body } = await driverOf(core, version).get('/apiversion');
      expect([http, body]).toEqual([200, { versions: all }]);
    }
  });

  test.each([
    ['2.21', 'cdi-version 2.21 not supported'],
    ['5.5', 'cdi-version 5.5 not supported'],
    ['5', 'cdi-version 5 not supported'],
    ['05.4', 'cdi-version 05.4 not supported'],
    ['five', 'cdi-version header is invalid'],
    ['5..4', 'cdi-version header is invalid'],
    ['5.4.', 'cdi-version header is invalid'],
    ['.', 'cdi-version header is invalid'],
    ['5.4,5.4', 'cdi-version header is invalid'],
  ])('%s is refused', async (version, message) => {
    for (const path of ['/hello', '/apiversion', `${app}/users/count`]) {
      const { http, body } = await driverOf(core, version).get(path);
      expect([http, body.message]).toEqual([400, message]);
    }
  });

  test('of any other text is refused, as one that is not served or as no version at all', async () => {
    const numbers = fc.array(fc.nat(12), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    const almost = fc.stringMatching(/^[0-9. ]{0,6}$/);
    const others = fc.oneof(numbers, almost, fc.string()).map((text) => text.replace(/[^!-~ ]/g, '').trim());
    const isOther = (text: string) => !all.includes(text);
    await fc.assert(
      fc.asyncProperty(others.filter(isOther), async (version) => {
        const { http, body } = await driverOf(core, version).get('/hello');
        const isVersion = /^\d+(\.\d+)*$/.test(version);
        const message = isVersion ? `cdi-version ${version} not supported` : 'cdi-version header is invalid';
        expect([http, body.message]).toEqual([400, message]);
      }),
      { numRuns: 300, seed: 40 },
    );
  });

  test('is refused when it is sent twice, also with the same value', async () => {
    const sent = [...all, '2.21', ''].map((version) => [version, '5.4']);
    for (const versions of [...sent, ['3.1', '3.1'], ['5.4', '3.1', '5.4']]) {
      const wire = await Wire.open(core.port);
      const headers = versions.map((version) => `cdi-version: ${version}\r\n`).join('');
      wire.send(`GET /hello HTTP/1.1\r\nHost: core\r\n${headers}\r\n`);
      const answer = await wire.answer();
      wire.hangUp();
      expect([versions, answer?.status]).toEqual([versions, 400]);
      expect(answer?.body).toContain('cdi-version header is invalid');
    }
  });
});

describe('the setting cdi_versions', () => {
  test('leaves the versions that it names, and requests without the header', async () => {
    const restricted = await startTestCore({ settings: { CDI_VERSIONS: '5.4, 5.2' } });
    const ask = (version?: string) => driverOf(restricted, version).get('/apiversion');
    expect((await ask()).body).toEqual({ versions: ['5.2', '5.4'] });
    expect((await ask('5.2')).body).toEqual({ versions: ['5.2', '5.4'] });
    expect((await ask('5.3')).body.message).toBe('cdi-version 5.3 not supported');
    expect((await driverOf(restricted, undefined).get('/users/count')).body).toEqual({
      status: 'OK',
      count: 0,
    });
    await restricted.stop();
  });

  test.each([
    ['5.9', 'cdi_versions: 5.9 is not served; versions that are: '],
    ['all', 'must be text in quotes, versions between commas: "5.3, 5.4"'],
    ['5.4,,5.3', 'must be text in quotes, versions between commas: "5.3, 5.4"'],
  ])('%s stops the start', async (setting, message) => {
    await expect(startTestCore({ settings: { CDI_VERSIONS: setting } })).rejects.toThrow(message);
  });
});

describe('users before 5.3', () => {
  test('have no passkeys in any answer, and the same fields else', async () => {
    const email = newEmail();
    const { id: userId } = await importUser(core, email, app);
    const [now, before] = [driverOf(core, '5.4'), driverOf(core, '5.2')];
    const asked = [
      (driver: typeof now) => driver.post(`${app}/recipe/signin`, { email, password: knownPassword }),
      (driver: typeof now) =>
        driver.post(`${app}/recipe/user/passwordhash/import`, { email, passwordHash: knownHash }),
      (driver: typeof now) => driver.get(`${app}/user/id`, { userId }),
      (driver: typeof now) => driver.get(`${app}/users/by-accountinfo`, { email }),
      (driver: typeof now) => driver.get(`${app}/users`),
    ];
    for (const ask of asked) {
      const { text } = await ask(now);
      expect(text).toContain('"webauthn":{"credentialIds":[]},');
      expect((await ask(before)).text).toBe(text.replaceAll('"webauthn":{"credentialIds":[]},', ''));
    }
  });
});
