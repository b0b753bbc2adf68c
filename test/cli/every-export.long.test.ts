/** Every sample of an export through the command into a whole core, after which all users sign in as before. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { runHere } from '../helpers/command.ts';

const samples = fileURLToPath(new URL('../exports/files/', import.meta.url));
/** Of the project of the Firebase samples. */
const signerKey = 'r/YwiLpd6LKRmuHcsbhosD/cCckwR8JQRv06DLlmXf5atwiODKFiM3A/QBhm447mjJm5matNu0cc3fctj+PVjQ==';
const pepper = 'demo-pepper';
const oldPassword = 'correct horse battery staple';
const google = '109876543210987654321';
const github = '583231';
const phone = '+15555550100';

let core: TestCore;
let folder: string;

beforeAll(async () => {
  const settings = { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: signerKey, BCRYPT_PEPPER: pepper };
  [core, folder] = await Promise.all([
    startTestCore({ settings }),
    mkdtemp(path.join(os.tmpdir(), 'carryover-')),
  ]);
  await writeFile(path.join(folder, 'stytch-users.json'), JSON.stringify({ results: [stytchUser] }));
});

afterAll(async () => {
  await Promise.all([core.stop(), rm(folder, { recursive: true, force: true })]);
});

/** As returned by Stytch's search; only its hashes are in a sample. */
const stytchUser = {
  user_id: 'user-live-7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
  name: { first_name: 'Ada', last_name: 'Lovelace' },
  emails: [{ email_id: 'email-1', email: 'ada@example.com', verified: true }],
  phone_numbers: [{ phone_id: 'phone-1', phone_number: phone, verified: true }],
  providers: [{ provider_type: 'Google', provider_subject: google }],
  trusted_metadata: { plan: 'pro' },
  status: 'active',
  created_at: '2024-01-01T00:00:00Z',
};

interface Export {
  /** A sample, or a file of the test's folder. */
  readonly file: string;
  /** A name of a sample is resolved in its folder. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The job's counts by kind; none for users without a password. */
  readonly byKind: Readonly<Record<string, number>>;
  /** Ada's id in the old system; undefined if the export has none. */
  readonly id?: string;
  /** Her other ways to sign in: Google, GitHub or the phone. */
  readonly others?: readonly string[];
  readonly isVerified?: boolean;
  /** Bob is included too, with a password. */
  readonly hasBob?: boolean;
}

const uuid = '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11';
const auth0Id = 'auth0|65a1c3f2e4b0d8a7c6f51e20';
const firebaseId = 'u1Kf03hZpQbT9xWmR7cLsYvN2aE8';
const stytchId = stytchUser.user_id;
const exports: readonly Export[] = [
  { file: 'aspnet-identity.csv', byKind: { aspnet: 1 }, id: uuid },
  { file: 'auth0-import.json', byKind: { ldap: 1 }, id: auth0Id },
  { file: 'auth0-users.ndjson', byKind: {}, id: auth0Id, others: [google] },
  {
    file: 'auth0-users.ndjson',
    flags: ['--auth0-hashes', 'auth0-hashes.ndjson'],
    byKind: { bcrypt: 1 },
    id: auth0Id,
    others: [google],
  },
  { file: 'authjs.json', byKind: {}, id: 'cljn3x7y00000356z8demo01', others: [github], isVerified: false },
  { file: 'azure-b2c.json', byKind: {}, id: uuid, others: [google], isVerified: false },
  {
    file: 'better-auth.json',
    byKind: { better_auth: 1 },
    id: 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T',
    others: [google],
  },
  { file: 'clerk.csv', byKind: { bcrypt: 1 }, id: 'user_2f8KxQm4Vt7NhRb1LpZcYwAe3Gs' },
  { file: 'cognito.json', byKind: {}, id: uuid, others: [google] },
  {
    file: 'devise.csv',
    flags: ['--pepper', pepper],
    byKind: { bcrypt_peppered: 1 },
    id: '42',
    others: [google],
  },
  {
    file: 'devise.csv',
    environment: { CARRYOVER_PEPPER: pepper },
    byKind: { bcrypt_peppered: 1 },
    id: '42',
    others: [google],
  },
  { file: 'django.json', byKind: { pbkdf2: 1 }, id: '42', isVerified: false },
  { file: 'firebase.csv', byKind: { provider_scrypt: 1 }, id: firebaseId, others: [github, google, phone] },
  {
    file: 'firebase.json',
    flags: ['--firebase-signer-key', signerKey],
    byKind: { provider_scrypt: 1 },
    id: firebaseId,
    others: [google],
  },
  { file: 'fusionauth.json', byKind: { bcrypt: 1, pbkdf2: 1 }, id: uuid, hasBob: true },
  { file: 'hanko.json', byKind: { bcrypt: 1 }, id: uuid },
  {
    file: 'keycloak-users-0.json',
    byKind: { argon2: 1, pbkdf2: 1 },
    id: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01',
    others: [google],
    hasBob: true,
  },
  { file: 'kratos.json', byKind: { argon2: 1 }, others: [google] },
  { file: 'laravel.csv', byKind: { bcrypt: 1 }, id: '42' },
  { file: 'logto.json', byKind: { argon2: 1 }, id: 'k3jxqm4vt7nh', others: [google] },
  { file: 'okta.json', byKind: { bcrypt: 1 }, id: '00u1ab2cd3EF4gh5i0h7' },
  { file: 'spring.csv', byKind: { bcrypt: 1 }, id: 'ada@example.com', isVerified: false },
  { file: 'stytch-users.json', byKind: {}, id: stytchId, others: [google, phone] },
  {
    file: 'stytch-users.json',
    flags: ['--stytch-hashes', 'stytch-hashes.csv'],
    byKind: { scrypt: 1 },
    id: stytchId,
    others: [google, phone],
  },
  { file: 'supabase-users.csv', byKind: { bcrypt: 1 }, id: uuid },
  {
    file: 'supabase-users.csv',
    flags: ['--supabase-identities', 'supabase-identities.csv'],
    byKind: { bcrypt: 1 },
    id: uuid,
    others: [google],
  },
  { file: 'supertokens.json', byKind: { argon2: 1 }, id: 'legacy-42', others: [google] },
  {
    file: 'wordpress.csv',
    byKind: { bcrypt_wordpress: 1, phpass: 1 },
    id: '42',
    isVerified: false,
    hasBob: true,
  },
  { file: 'workos.csv', byKind: { bcrypt: 1 }, id: 'legacy-42' },
];

const named = exports.map((each, place) => {
  const title = [each.file, ...(each.flags ?? []), ...Object.keys(each.environment ?? {})].join(' ');
  return { ...each, title: title.replace(signerKey, '…'), app: `export-${place}` };
});

describe.each(named)('$title', ({ app, ...sample }) => {
  const people = sample.hasBob === true ? 2 : 1;
  const hasPassword = Object.keys(sample.byKind).length > 0;
  const signIn = async (name: string, password: string): Promise<unknown> => {
    const email = `${name}@example.com`;
    return (await core.post(`/appid-${app}/recipe/signin`, { email, password })).body.status;
  };

  it('comes in whole, by its looks alone', async () => {
    await core.put('/recipe/multitenancy/app/v2', { appId: app });
    const job = { state: 'done', created: people, byKind: sample.byKind };
    expect(await imported(sample, app)).toMatchObject({
      code: 0,
      summary: { status: 'OK', records: people, rejected: 0, job },
    });
  });

  it('lets all users sign in with the password that they have', async () => {
    const names = sample.hasBob === true ? ['ada', 'bob'] : ['ada'];
    const words = names.map(async (name) => [await signIn(name, oldPassword), await signIn(name, 'wrong')]);
    const right = hasPassword ? 'OK' : 'WRONG_CREDENTIALS_ERROR';
    expect(await Promise.all(words)).toEqual(names.map(() => [right, 'WRONG_CREDENTIALS_ERROR']));
  });

  it('keeps ids, verification and the other ways to sign in, which are found', async () => {
    const { users } = (await core.get(`/appid-${app}/users`)).body as { users: UserView[] };
    expect(users).toHaveLength(people);
    const ada = users.find(({ emails }) => emails.includes('ada@example.com'));
    const others = [...(ada?.thirdParty ?? []).map(({ userId }) => userId), ...(ada?.phoneNumbers ?? [])];
    expect({ id: ada?.id, others: others.sort() }).toEqual({
      id: sample.id ?? (expect.any(String) as string),
      others: [...(sample.others ?? [])].sort(),
    });
    const byEmail = (ada?.loginMethods ?? []).filter(({ email }) => email !== undefined);
    expect(new Set(byEmail.map(({ verified }) => verified))).toEqual(new Set([sample.isVerified ?? true]));
    for (const other of sample.others ?? [])
      expect((await core.get(`/appid-${app}/users/by-accountinfo`, searchFor(other))).body).toMatchObject({
        status: 'OK',
        users: [{ emails: ['ada@example.com'] }],
      });
  });
});

interface UserView {
  readonly id: string;
  readonly emails: readonly string[];
  readonly phoneNumbers: readonly string[];
  readonly thirdParty: readonly { readonly id: string; readonly userId: string }[];
  readonly loginMethods: readonly { readonly email?: string; readonly verified: boolean }[];
}

function searchFor(other: string): Record<string, string> {
  if (other === phone) return { phoneNumber: other };
  return { thirdPartyId: other === google ? 'google' : 'github', thirdPartyUserId: other };
}

async function imported(
  { file, flags = [], environment = {} }: Export,
  app: string,
): Promise<{ code: number | null; summary: unknown }> {
  const isOwn = file.startsWith('stytch-users');
  const given = flags.map((flag) => (/\.(ndjson|csv)$/.test(flag) ? path.join(samples, flag) : flag));
  const where = ['--url', core.url, '--app', app, '--json'];
  const { code, stdout } = await runHere(
    ['import', '--yes', path.join(isOwn ? folder : samples, file), ...given, ...where],
    {
      environment: { CARRYOVER_API_KEY: testApiKey, XDG_STATE_HOME: folder, ...environment },
      folder,
    },
  );
  return { code, summary: JSON.parse(stdout) as unknown };
}
