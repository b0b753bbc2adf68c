/** A record arrives by a job, by the queue or alone: it is the same record, field by field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { records } from '../../src/schema/records.ts';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';

let core: TestCore;

beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

const email = 'ada@example.com';
const method = { recipeId: 'emailpassword', email, passwordHash: knownHash, timeJoinedInMSSinceEpoch: 1 };

/** A value of each field of a record. A field without one fails the test. */
const samples: Readonly<Record<keyof typeof records.bulkUser.properties, unknown>> = {
  externalUserId: ' ada ',
  loginMethods: [{ ...method, isVerified: true }],
  userMetadata: { plan: 'pro' },
  userRoles: [{ role: 'editor' }],
  totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', deviceName: 'phone' }],
  backupCodes: [{ code: 'abcd-efgh' }],
  secondFactors: ['sms'],
  requiredActions: ['accept terms'],
  isDisabled: true,
  disabledUntil: Date.parse('2100-01-01'),
  sameIds: true,
  restoreRemoved: true,
};
const names = Object.keys(records.bulkUser.properties) as (keyof typeof samples)[];

type Way = 'job' | 'queue' | 'single';
const ways: readonly Way[] = ['job', 'queue', 'single'];

/** @returns the reject's code and field, undefined once the record is imported */
async function bring(app: string, way: Way, record: object): Promise<unknown> {
  if (way === 'job') {
    const response = await fetch(`${core.url}${app}/bulk-import/jobs`, {
      method: 'PUT',
      headers: { 'api-key': testApiKey },
      body: `${JSON.stringify(record)}\n`,
    });
    const { job } = (await response.json()) as { job: { id: string; rejected: number } };
    if (job.rejected === 0) return undefined;
    const rejects = await core.get(`${app}/bulk-import/jobs/${job.id}/rejects`);
    return (JSON.parse(rejects.text.split('\n')[0] ?? '') as { field: string }).field;
  }
  if (way === 'queue') {
    const added = await core.post(`${app}/bulk-import/users`, { users: [record] });
    if (added.http !== 200) return fieldIn(added.text);
    await settled(app);
    return undefined;
  }
  const { http, text } = await core.post(`${app}/bulk-import/import`, record);
  return http === 200 ? undefined : fieldIn(text);
}

const fieldIn = (text: string): string | undefined => names.find((name) => text.includes(name));

async function settled(app: string, failed = 0): Promise<void> {
  const left = async () => (await core.get(`${app}/bulk-import/users/count`)).body.count;
  await expect.poll(left).toBe(failed);
}

const stored = (app: string) =>
  withSql(
    core.database.connection,
    (sql) => sql`
      select u.external_id, u.email, u.email_verified, u.password_hash, encode(u.base, 'hex') as base,
        u.primary_user_id is null as is_alone, d.metadata, d.restrictions, d.totp_devices -> 'digest' as factors,
        (select count(*)::int from carryover.totp_devices t where t.app_no = u.app_no and t.user_key = u.user_id::text) as devices,
        (select json_agg(r.role) from carryover.user_roles r where r.app_no = u.app_no and r.user_key = u.user_id::text) as roles
      from carryover.users u left join carryover.user_details d on d.app_no = u.app_no and d.user_id = u.user_id
      where u.app_no = (select a.app_no from carryover.apps a where a.app_id = ${app.replace('/appid-', '')})`,
  );

describe.each(names)('the field %s', (name) => {
  test('leaves the same by all three ways', async () => {
    const record = { loginMethods: [method], [name]: samples[name] };
    const found: unknown[] = [];
    for (const way of ways) {
      const app = await newApp(core);
      expect(await bring(app, way, record)).toBeUndefined();
      const { status } = (await core.post(`${app}/recipe/signin`, { email, password: knownPassword })).body;
      found.push(JSON.stringify({ rows: await stored(app), status }));
    }
    expect(new Set(found).size, found.join('\n')).toBe(1);
    expect(found[0]).toContain(email);
  });

  test('is refused by all three ways where it is of another type', async () => {
    const record = { loginMethods: [method], [name]: typeof samples[name] === 'number' ? 'seven' : 7 };
    const app = await newApp(core);
    for (const way of ways) expect([way, await bring(app, way, record)]).toEqual([way, name]);
  });
});

test('a user with backup codes alone is held, by whatever way the record came', async () => {
  for (const way of ways) {
    const app = await newApp(core);
    await bring(app, way, { loginMethods: [method], backupCodes: samples.backupCodes });
    const { body } = await core.post(`${app}/recipe/signin`, { email, password: knownPassword });
    expect([way, body.status]).toEqual([way, 'WRONG_CREDENTIALS_ERROR']);
  }
});

const otherHash = '$2b$05$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

describe('the queue', () => {
  test.each([
    ['small', 2],
    ['larger than the event loop reads', 1200],
  ])(
    'imports the first of two records with one email, and fails the other: a %s request',
    async (_, count) => {
      const app = await newApp(core);
      const others = Array.from({ length: count - 2 }, (__, n) => ({
        loginMethods: [{ ...method, email: `other-${n}@example.com` }],
      }));
      const users = [
        { loginMethods: [method] },
        ...others,
        { loginMethods: [{ ...method, email: 'ADA@example.com ', passwordHash: otherHash }] },
      ];
      expect((await core.post(`${app}/bulk-import/users`, { users })).body).toEqual({ status: 'OK' });
      await settled(app, 1);
      const { body } = await core.get(`${app}/bulk-import/users`, { status: 'FAILED' });
      expect(body.users).toMatchObject([
        {
          status: 'FAILED',
          errorMessage: expect.stringContaining('DUPLICATE_IN_JOB: loginMethods.0.email') as unknown,
        },
      ]);
      const signIn = await core.post(`${app}/recipe/signin`, { email, password: knownPassword });
      expect(signIn.body.status).toBe('OK');
    },
  );

  test('does not replace the password of a user who signed up and verified the email here', async () => {
    const app = await newApp(core);
    const password = 'chosen-here-1';
    const { body } = await core.post(`${app}/recipe/signup`, { email, password });
    const userId = body.recipeUserId;
    const made = await core.post(`${app}/recipe/user/email/verify/token`, { userId, email });
    await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token: made.body.token });
    for (const isVerified of [true, false])
      for (const way of ['queue', 'single'] as const)
        expect(await bring(app, way, { loginMethods: [{ ...method, isVerified }] })).toBeUndefined();
    expect((await core.post(`${app}/recipe/signin`, { email, password })).body.status).toBe('OK');
  });
});
