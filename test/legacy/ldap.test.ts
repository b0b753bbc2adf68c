/** Users whose password a directory knows, by a real OpenLDAP. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readSources } from '../../src/config/legacy/read-sources.ts';
import { openOutgoing } from '../../src/http/outgoing/exchange.ts';
import type { LegacyVerdict } from '../../src/features/old-systems/dialect.ts';
import { dialectOf } from '../../src/features/old-systems/dialects/index.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, signIn } from '../helpers/people.ts';
import { hasSlapd, serviceAccount, type Slapd, startSlapd } from '../helpers/slapd.ts';
import { certificate } from '../helpers/tls-door.ts';

const { inDirectory } = openOutgoing();

const ca = readFileSync(certificate('ca.pem'), 'utf8');
const people = `dn: uid=ada,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
objectClass: hasGuid
objectGUID:: ${Buffer.from('33221100554477668899aabbccddeeff', 'hex').toString('base64')}
uid: ada
cn: Ada Lovelace
displayName: Ada
givenName: Ada
sn: Lovelace
mail: countess@example.com
mail: Ada@example.com
employeeNumber: 42
description: alias@example.com
userPassword: right

dn: cn=O'Brien\\2C (Dublin) *,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
cn: O'Brien, (Dublin) *
sn: O'Brien
mail: o(brien)*@example.com
userPassword: réponse

dn: uid=one,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
cn: One
sn: One
mail: shared@example.com
userPassword: right

dn: uid=two,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
cn: Two
sn: Two
mail: shared@example.com
userPassword: right

dn: uid=locked,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
cn: Locked
sn: Locked
mail: locked@example.com
`;

let slapd: Slapd;
let front: Server;
/** Bytes sent through `front` to the directory, and the number of connections. */
let sent: Buffer[] = [];
let connections = 0;

const source = (more: object = {}): object => ({
  name: 'old',
  speaks: 'ldap',
  ...serviceAccount,
  base_dn: 'ou=people,dc=example,dc=com',
  ca,
  url: `ldap://localhost:${(front.address() as AddressInfo).port}`,
  until: '2999-12-31',
  ...more,
});

async function ask(
  login: string,
  password: string,
  more: object = {},
  timeoutMs = 10_000,
): Promise<LegacyVerdict | string> {
  const read = readSources([source(more)]);
  const [old] = read.ok ? read.value : [];
  if (old === undefined) throw new Error(read.ok ? 'none' : read.expected);
  const signal = AbortSignal.timeout(timeoutMs);
  const question = { email: login, password, tenantId: 'public', now: 0, address: undefined };
  return dialectOf(old)(
    () => Promise.reject(new Error('not by HTTP')),
    old,
    question,
    (startsTls, work) => inDirectory({ url: old.url, startsTls, ca: old.ca, reach: 'any', signal }, work),
  ).catch((error: unknown) =>
    'code' in (error as object) ? String((error as { code: unknown }).code) : String(error),
  );
}

const no = { isRight: false };
const ada = {
  isRight: true,
  person: {
    email: 'Ada@example.com',
    metadata: { displayName: 'Ada', givenName: 'Ada', sn: 'Lovelace' },
  },
};

describe.skipIf(!hasSlapd)(
  hasSlapd ? 'a directory' : 'a directory (skipped: no slapd is installed here)',
  () => {
    beforeAll(async () => {
      slapd = await startSlapd(people);
      front = createServer((near) => {
        connections += 1;
        const far = connect(slapd.port, '127.0.0.1');
        near.on('data', (chunk) => sent.push(chunk));
        near.on('error', () => far.destroy()).on('close', () => far.destroy());
        far.on('error', () => near.destroy()).on('close', () => near.destroy());
        near.pipe(far).pipe(near);
      });
      await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      front.close();
      await slapd.stop();
    });
    beforeEach(() => {
      sent = [];
      connections = 0;
    });
    const inTheClear = (): string => Buffer.concat(sent).toString('latin1');

    test('says right and wrong over STARTTLS, and no password leaves before it', async () => {
      expect(await ask('ada@example.com', 'right')).toEqual(ada);
      expect(await ask('ada@example.com', 'other')).toEqual(no);
      expect(await ask('nobody@example.com', 'right')).toEqual(no);
      expect(await ask('locked@example.com', 'right')).toEqual(no);
      expect(connections).toBe(4);
      expect(inTheClear()).not.toMatch(/right|service secret|ada/);
    });

    test('says so over ldaps, and without TLS on loopback where the source says off', async () => {
      const url = `ldaps://localhost:${slapd.safePort}`;
      expect(await ask('ada@example.com', 'right', { url })).toEqual(ada);
      expect(await ask('ada@example.com', 'other', { url })).toEqual(no);
      expect(await ask('ada@example.com', 'right', { starttls: 'off' })).toEqual(ada);
      expect(inTheClear()).toContain('service secret');
    });

    test('is believed by the CA of the source and the name of its certificate only', async () => {
      for (const [url, start] of [
        [`ldaps://localhost:${slapd.safePort}`, 'ldaps'],
        [undefined, 'STARTTLS'],
      ] as const) {
        const more = url === undefined ? {} : { url };
        expect([start, await ask('ada@example.com', 'right', { ...more, ca: undefined })]).toEqual([
          start,
          expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY/),
        ]);
      }
      const byAddress = { url: `ldaps://127.0.0.1:${slapd.safePort}` };
      expect(await ask('ada@example.com', 'right', byAddress)).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
      expect(inTheClear()).not.toMatch(/right|service secret/);
    });

    test('is not asked with an empty password, which it would let in', async () => {
      // It does, otherwise this would prove nothing.
      const signal = AbortSignal.timeout(10_000);
      const request = {
        url: `ldap://127.0.0.1:${slapd.port}`,
        startsTls: false,
        ca,
        reach: 'any',
        signal,
      } as const;
      const dn = 'uid=ada,ou=people,dc=example,dc=com';
      expect(await inDirectory(request, (session) => session.bind(dn, ''))).toBe(0);
      expect(await ask('ada@example.com', '')).toEqual(no);
      expect(await ask('ada@example.com', '\0right')).toEqual(no);
      expect(connections).toBe(0);
    });

    test.each([
      '*',
      'ada*',
      '*)(uid=ada',
      'x)(|(uid=ada)',
      '\\2a',
      '\0',
      'ada@example.com)(cn=*',
      '$&',
      ')',
      '(',
    ])('finds no user by the login %j', async (login) => {
      for (const filter of ['(mail={login})', '(|(mail={login})(uid={login}))'])
        expect(await ask(login, 'right', { filter })).toEqual(no);
    });

    test('finds who has signs of filters in the email, and letters beyond ASCII in the password', async () => {
      expect(await ask('o(brien)*@example.com', 'réponse')).toMatchObject({ isRight: true });
    });

    test('signs no user in where the filter finds two', async () => {
      expect(await ask('shared@example.com', 'right')).toEqual(no);
      expect(await ask('ada@example.com', 'right', { filter: '(|(mail={login})(uid=one))' })).toEqual(no);
      expect(await ask('ada@example.com', 'right', { filter: '(&(mail={login})(!(uid=one)))' })).toEqual(ada);
    });

    test('says id, email and names by the attributes that the source names', async () => {
      const more = { id_attribute: 'EmployeeNumber', email_attribute: 'MAIL', name_attributes: 'cn,sn' };
      expect(await ask('ada@example.com', 'right', more)).toEqual({
        isRight: true,
        person: { id: '42', email: 'Ada@example.com', metadata: { cn: 'Ada Lovelace', sn: 'Lovelace' } },
      });
    });

    test.each(['objectGUID', 'ObjectGuid'])('says %s as Active Directory shows it', async (id_attribute) => {
      expect(await ask('ada@example.com', 'right', { id_attribute })).toMatchObject({
        person: { id: '00112233-4455-6677-8899-aabbccddeeff' },
      });
    });

    test('that refuses the service account, or has no such base, says nothing of a password', async () => {
      const refused = await ask('ada@example.com', 'right', { bind_password: 'other' });
      expect(refused).toBe(
        'NoAnswer: it answered the service account with result 49: check bind_dn and bind_password',
      );
      expect(await ask('ada@example.com', 'right', { base_dn: 'ou=none,dc=example,dc=com' })).toContain(
        'NoAnswer: it answered the search with result 32',
      );
      const open = { starttls: 'off', bind_dn: 'cn=none,dc=example,dc=com' };
      expect(await ask('ada@example.com', 'right', open)).toContain(
        'NoAnswer: it answered the service account',
      );
    });

    test('that is slow is left at the deadline, and not asked again', async () => {
      slapd.pause();
      try {
        expect(await ask('ada@example.com', 'right', {}, 200)).toBe('TIMEOUT');
        expect(await ask('ada@example.com', 'right', { starttls: 'off' }, 200)).toBe('TIMEOUT');
        expect(
          await ask('ada@example.com', 'right', { url: `ldaps://localhost:${slapd.safePort}` }, 200),
        ).toBe('TIMEOUT');
      } finally {
        slapd.goOn();
      }
      expect(connections).toBe(2);
      expect(await ask('ada@example.com', 'right')).toEqual(ada);
    });

    describe('behind a core', () => {
      let core: TestCore;
      beforeAll(async () => {
        core = await startTestCore();
      });
      afterAll(() => core.stop());

      test('is asked at the first sign-in, and while it is down no password is called wrong', async () => {
        const app = await newApp(core, {
          legacy_sources: [source({ id_attribute: 'uid', user_id_prefix: 'ldap-', unknown: 'ask' })],
        });
        const email = 'ada@example.com';
        const loginMethods = [{ recipeId: 'emailpassword', email, legacy: 'old' }];
        expect((await core.post(`${app}/bulk-import/import`, { loginMethods })).http).toBe(200);
        expect(await signIn(core, email, 'other', app)).toBe('WRONG_CREDENTIALS_ERROR');
        // In these the entry is Ada's by another attribute than the one for emails.
        const aliased = await newApp(core, {
          legacy_sources: [source({ filter: '(|(mail={login})(description={login}))' })],
        });
        const aliasMethods = [{ recipeId: 'emailpassword', email: 'alias@example.com', legacy: 'old' }];
        await core.post(`${aliased}/bulk-import/import`, { loginMethods: aliasMethods });
        expect(await signIn(core, 'alias@example.com', 'right', aliased)).toBe('WRONG_CREDENTIALS_ERROR');
        const { body } = await core.post(`${app}/recipe/signin`, { email, password: 'right' });
        expect(body).toMatchObject({ status: 'OK', user: { id: 'ldap-ada' } });
        const names = await core.get(`${app}/recipe/user/metadata`, { userId: 'ldap-ada' });
        expect(names.body.metadata).toEqual({ displayName: 'Ada', givenName: 'Ada', sn: 'Lovelace' });
        await slapd.stop();
        expect(await signIn(core, email, 'right', app)).toBe('OK');
        const other = await core.post(`${app}/recipe/signin`, { email: 'locked@example.com', password: 'x' });
        expect([other.http, other.body.status]).toEqual([503, 'LEGACY_UNAVAILABLE']);
      });
    });
  },
);
