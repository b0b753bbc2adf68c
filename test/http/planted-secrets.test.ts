/** Second factors of imports: nowhere in the database in clear text, from the first write on. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { base32Of } from '../../src/hashes/parts/one-time-code.ts';
import { plainDigest } from '../../src/hashes/parts/backup-code.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, newApp } from '../helpers/people.ts';

let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore();
  app = await newApp(core);
});
afterAll(() => core.stop());

const planted: { readonly device: Buffer; readonly code: string }[] = [];
let count = 0;

/** A user with factors that no other test has. */
function plantedUser(rest: object = {}): object {
  const [device, code] = [randomBytes(20), `plant-${randomBytes(12).toString('hex')}`];
  planted.push({ device, code });
  const n = count++;
  return {
    externalUserId: `user-${n}`,
    totpDevices: [{ secretKey: base32Of(device), deviceName: 'phone' }],
    backupCodes: [{ code }],
    loginMethods: [{ recipeId: 'emailpassword', email: `user-${n}@example.com`, passwordHash: knownHash }],
    ...rest,
  };
}
const google = (n: string) => ({
  recipeId: 'thirdparty',
  thirdPartyId: 'google',
  thirdPartyUserId: n,
  email: `${n}@example.com`,
});

async function job(records: readonly object[]): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs?secondFactor=flag`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
  return ((await response.json()) as { job: Readonly<Record<string, unknown>> }).job;
}

/** The forms in which a planted value would be found: as it was sent, its bytes, and their usual encodings. */
function formsOf({ device, code }: (typeof planted)[number]): Buffer[] {
  const secret = base32Of(device);
  const digest = plainDigest(code).split('$').at(-1) ?? '';
  const texts = [secret, secret.toLowerCase(), code, code.replaceAll('-', ''), digest].map((text) =>
    Buffer.from(text),
  );
  const encoded = [device, ...texts].flatMap((bytes) =>
    (['hex', 'base64', 'base64url'] as const).map((form) =>
      Buffer.from(bytes.toString(form).replace(/..?=*$/, '')),
    ),
  );
  return [device, ...texts, ...encoded, Buffer.from(device.toString('hex').toUpperCase())];
}

const foundIn = (bytes: Buffer): number =>
  planted.filter((each) => formsOf(each).some((form) => bytes.includes(form))).length;

async function everyTable(): Promise<Buffer> {
  return withSql(core.database.connection, async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'carryover'`;
    const texts = await Promise.all(
      tables.map(({ name }) =>
        sql.unsafe<{ text: string }[]>(`select t::text as text from carryover.${name} t`),
      ),
    );
    return Buffer.from(
      texts
        .flat()
        .map(({ text }) => text)
        .join('\n'),
    );
  });
}

async function writeAheadLog(): Promise<Buffer[]> {
  const folder = await withSql(core.database.connection, async (sql) => {
    const [row] = await sql<{ data_directory: string }[]>`show data_directory`;
    return path.join(row?.data_directory ?? '', 'pg_wal');
  });
  const files = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name));
  return Promise.all(files.map((name) => readFile(path.join(folder, name))));
}

test('what is searched for would be found', async () => {
  const control = randomBytes(20);
  planted.push({ device: control, code: 'control-only' });
  await core.put(`${app}/recipe/user/metadata`, {
    userId: 'u',
    metadataUpdate: { found: base32Of(control) },
  });
  expect(foundIn(await everyTable())).toBe(1);
  expect((await writeAheadLog()).some((bytes) => foundIn(bytes) > 0)).toBe(true);
  planted.length = 0;
});

test('a job, the queue and the single route leave none in tables, images, rejects or the write-ahead log', async () => {
  // New users in one statement each way, linked ones, an update with its images, and rejects.
  const first = [plantedUser(), plantedUser(), plantedUser({ loginMethods: [google('a'), google('b')] })];
  expect(await job(first)).toMatchObject({ created: 3 });
  const again = first.map((user, n) => ({
    ...plantedUser(),
    ...user,
    totpDevices: undefined,
    userMetadata: { n },
  }));
  expect(await job(again)).toMatchObject({ updated: 3 });
  expect(await job([plantedUser({ loginMethods: [] }), plantedUser()])).toMatchObject({
    rejected: 1,
    created: 1,
  });
  // Two users swap their emails: one record waits for the end of the job.
  const [one, two] = first as { loginMethods: readonly object[]; externalUserId: string }[];
  expect(
    await job([
      plantedUser({ externalUserId: one?.externalUserId, loginMethods: two?.loginMethods }),
      plantedUser({ externalUserId: two?.externalUserId, loginMethods: one?.loginMethods }),
    ]),
  ).toMatchObject({ updated: 2 });
  const single = await core.post(`${app}/bulk-import/import`, plantedUser());
  expect(single.body.status).toBe('OK');
  const { id } = single.body.user as { id: string };
  const held = await core.get(`${app}/user/restrictions`, { userId: id });
  expect(held.body).toMatchObject({ isHeld: true, secondFactors: ['backup', 'totp'] });
  // One in the queue fails, and remains in its table.
  const taken = plantedUser({ externalUserId: one?.externalUserId, loginMethods: [google('stranger')] });
  expect((await core.post(`${app}/bulk-import/users`, { users: [plantedUser(), taken] })).body.status).toBe(
    'OK',
  );
  await expect.poll(async () => (await core.get(`${app}/bulk-import/users/count`, {})).body.count).toBe(1);
  const [failed] = (await core.get(`${app}/bulk-import/users`, { status: 'FAILED' })).body.users as object[];
  expect(failed).toMatchObject({ externalUserId: 'user-0', totpDevices: [{ deviceName: 'phone' }] });
  expect(planted.length).toBeGreaterThan(10);
  expect(foundIn(await everyTable())).toBe(0);
  for (const bytes of await writeAheadLog()) expect(foundIn(bytes)).toBe(0);
});

test('without a key a record with second factors is rejected, and one without them is not', async () => {
  const keyless = await startTestCore({ encryptionKeys: [] });
  const own = await newApp(keyless);
  const response = await fetch(`${keyless.url}${own}/bulk-import/jobs`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: [
      plantedUser(),
      plantedUser({ totpDevices: undefined }),
      plantedUser({ totpDevices: undefined, backupCodes: undefined }),
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  });
  const { job: done } = (await response.json()) as { job: { id: string } };
  const { text } = await keyless.get(`${own}/bulk-import/jobs/${done.id}/rejects`);
  await keyless.stop();
  expect(done).toMatchObject({ created: 1, rejected: 2 });
  const rejects = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rejects).toMatchObject([
    {
      code: 'ENCRYPTION_KEY_MISSING',
      field: 'totpDevices',
      message: expect.stringContaining('encryption_keys') as string,
    },
    { code: 'ENCRYPTION_KEY_MISSING', field: 'backupCodes' },
  ]);
});
