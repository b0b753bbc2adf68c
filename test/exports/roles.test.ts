/** Roles from a field of the export: `--roles-from`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRoles } from '../../src/exports/convert/roles/find-roles.ts';
import { rolesIn, valueAt } from '../../src/exports/convert/roles/roles.ts';
import { requireProvider } from '../../src/exports/providers/index.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';

describe('the value of a field', () => {
  it.each<[unknown, readonly string[]]>([
    [
      ['admin', 'editor', 'admin'],
      ['admin', 'editor'],
    ],
    ['["admin","editor"]', ['admin', 'editor']],
    ['admin editor', ['admin', 'editor']],
    ['Super Admin, editor,', ['Super Admin', 'editor']],
    ['{admin,"Super Admin"}', ['admin', 'Super Admin']],
    [
      [{ name: 'admin', id: 'rol_1' }, { role: 'editor' }],
      ['admin', 'editor'],
    ],
    [{ admin: true, editor: false, level: 3 }, ['admin']],
    ['{"admin":true}', ['admin']],
    ['', []],
    ['[]', []],
    ['{}', []],
    [null, []],
    [false, []],
  ])('%j gives the roles %j', (value, roles) => {
    expect(rolesIn(value)).toEqual(roles);
  });

  it('is found under objects, JSON texts and pairs, and by names with dots', () => {
    const row = {
      'https://shop.example/roles': ['a'],
      app: { 'x.y': { z: 'b' } },
      text: '{"role":"c"}',
      Attributes: [{ Name: 'custom:role', Value: 'd' }],
    };
    const paths = ['https://shop.example/roles', 'app.x.y.z', 'text.role', 'Attributes.custom:role'];
    expect(paths.map((each) => rolesIn(valueAt(row, each)))).toEqual([['a'], ['b'], ['c'], ['d']]);
    for (const missing of ['app.z', 'constructor.name', 'text', 'none'])
      expect(rolesIn(valueAt({ app: {} }, missing))).toEqual([]);
  });
});

const auth0 = (more: object): string =>
  JSON.stringify({
    user_id: 'auth0|1',
    email: 'a@example.com',
    email_verified: true,
    created_at: '2024-01-01T00:00:00Z',
    identities: [{ provider: 'auth0', user_id: '1', connection: 'db', isSocial: false }],
    ...more,
  });
const supabase =
  'instance_id,id,aud,role,email,encrypted_password,email_confirmed_at,raw_app_meta_data,raw_user_meta_data,created_at\n' +
  '0,6d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01,authenticated,authenticated,a@example.com,,2024-01-01,"{""role"":""admin""}",{},2024-01-01\n';
const keycloak = JSON.stringify({
  realm: 'shop',
  users: [
    {
      id: '1',
      username: 'a',
      email: 'a@example.com',
      createdTimestamp: 1,
      requiredActions: [],
      realmRoles: ['default-roles-shop'],
      attributes: { jobs: ['admin'] },
    },
  ],
});
const firebase = JSON.stringify({
  users: [{ localId: '1', email: 'a@example.com', customAttributes: '{"role":"admin"}' }],
});
const native =
  '{"loginMethods":[{"recipeId":"passwordless","email":"a@example.com"}],"userMetadata":{"role":"admin"}}\n';

describe('--roles-from', () => {
  let place: Place;
  beforeAll(async () => {
    place = await makePlace();
  });
  afterAll(() => place.remove());

  it.each([
    ['auth0', auth0({ app_metadata: { roles: ['admin'] } }), 'app_metadata.roles'],
    ['supabase', supabase, 'raw_app_meta_data.role'],
    ['keycloak', keycloak, 'attributes.jobs'],
    ['firebase', firebase, 'customAttributes.role'],
    ['native', native, 'userMetadata.role'],
  ])('brings the roles of %s, in place of those that the format has', async (_, text, field) => {
    await place.write('users', text);
    const { stdout } = await place.run(['convert', 'users', '--roles-from', field, '--tenant', 'shop']);
    expect((JSON.parse(stdout) as NativeUser).userRoles).toEqual([{ tenantIds: ['shop'], role: 'admin' }]);
  });

  it('is refused where no record has the field, with those that may be meant', async () => {
    await place.write('users', `${auth0({ app_metadata: { roles: ['admin'] } })}\n${auth0({})}\n`);
    const { code, stderr, stdout } = await place.run([
      'inspect',
      'users',
      '--roles-from',
      'app_metadata.role',
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      '--roles-from app_metadata.role: none of the first 2 records has this field; fields that may be meant: app_metadata.roles',
    );
    expect((await place.run(['inspect', 'users', '--roles-from', ' '])).stderr).toContain('name of a field');
  });
});

it('looks at a thousand records at most', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
  try {
    const file = path.join(folder, 'users.ndjson');
    const lines = Array.from({ length: 3000 }, (_, n) => auth0(n === 1500 ? { role: 'late' } : {}));
    writeFileSync(file, lines.join('\n'));
    const source = { file, related: {}, provider: requireProvider('auth0'), options: {}, tenant: undefined };
    const { signal } = new AbortController();
    expect(await findRoles(source, 'role', signal)).toEqual({ isFound: false, records: 1000, similar: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
