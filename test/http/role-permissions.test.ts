/** Roles of an app and their permissions. */
import { describe, expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { newApp, newTenant, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const put = async (role: string, permissions?: unknown) =>
  (await core.put(`${app}/recipe/role`, { role, permissions })).body;
const permissionsOf = async (role: string) =>
  (await core.get(`${app}/recipe/role/permissions`, { role })).body;
const take = async (input: object) => (await core.post(`${app}/recipe/role/permissions/remove`, input)).body;
const rolesWith = async (permission: string) =>
  (await core.get(`${app}/recipe/permission/roles`, { permission })).body;
const list = async (prefix = app) => (await core.get(`${prefix}/recipe/roles`)).body;
const remove = async (role: string) => (await core.post(`${app}/recipe/role/remove`, { role })).body;

const unknown = { status: 'UNKNOWN_ROLE_ERROR' };

describe('a role', () => {
  test('is made once, and later gets permissions without losing any', async () => {
    expect(await put('admin', ['write', 'read', 'read'])).toEqual({ status: 'OK', createdNewRole: true });
    expect(await put('admin', ['delete', 'read'])).toEqual({ status: 'OK', createdNewRole: false });
    expect(await put('admin')).toEqual({ status: 'OK', createdNewRole: false });
    expect(await put('admin', null)).toEqual({ status: 'OK', createdNewRole: false });
    expect(await permissionsOf('admin')).toEqual({ status: 'OK', permissions: ['delete', 'read', 'write'] });
  });

  test('is known trimmed, and so are its permissions', async () => {
    await put('  admin\t', [' read ']);
    expect(await list()).toEqual({ status: 'OK', roles: ['admin'] });
    expect(await permissionsOf(' admin')).toEqual({ status: 'OK', permissions: ['read'] });
    expect(await rolesWith(' read')).toEqual({ status: 'OK', roles: ['admin'] });
  });

  test('loses those permissions that are named, or all', async () => {
    await put('admin', ['a', 'b', 'c']);
    expect(await take({ role: 'admin', permissions: [' a', 'unknown'] })).toEqual({ status: 'OK' });
    expect(await permissionsOf('admin')).toEqual({ status: 'OK', permissions: ['b', 'c'] });
    expect(await take({ role: 'admin', permissions: [] })).toEqual({ status: 'OK' });
    expect(await permissionsOf('admin')).toEqual({ status: 'OK', permissions: ['b', 'c'] });
    expect(await take({ role: 'admin', permissions: null })).toEqual({ status: 'OK' });
    expect(await permissionsOf('admin')).toEqual({ status: 'OK', permissions: [] });
    await put('admin', ['d']);
    expect(await take({ role: 'admin' })).toEqual({ status: 'OK' });
    expect(await permissionsOf('admin')).toEqual({ status: 'OK', permissions: [] });
  });

  test('is gone with its permissions once it is removed', async () => {
    await put('admin', ['a']);
    await put('reader', ['a', 'b']);
    expect(await rolesWith('a')).toEqual({ status: 'OK', roles: ['admin', 'reader'] });
    expect(await remove('admin')).toEqual({ status: 'OK', didRoleExist: true });
    expect(await remove('admin')).toEqual({ status: 'OK', didRoleExist: false });
    expect(await list()).toEqual({ status: 'OK', roles: ['reader'] });
    expect(await rolesWith('a')).toEqual({ status: 'OK', roles: ['reader'] });
    expect(await put('admin')).toEqual({ status: 'OK', createdNewRole: true });
    expect(await permissionsOf('admin')).toEqual({ status: 'OK', permissions: [] });
  });

  test('is of its app, and no tenant is asked', async () => {
    await put('admin', ['a']);
    expect(await list(await newApp(core))).toEqual({ status: 'OK', roles: [] });
    const answer = await core.get(`${await newTenant(core, app)}/recipe/roles`);
    expect(refusalOf(answer).slice(0, 2)).toEqual([403, 'APP_SPECIFIC_API']);
  });

  test('that is not there is said to be unknown, and has no permission', async () => {
    expect(await permissionsOf('nobody')).toEqual(unknown);
    expect(await take({ role: 'nobody' })).toEqual(unknown);
    expect(await rolesWith('nothing')).toEqual({ status: 'OK', roles: [] });
  });

  test('is made once by many at the same time, with the permissions of all', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => put('admin', [`p${n % 5}`])));
    expect(made.filter(({ createdNewRole }) => createdNewRole === true)).toHaveLength(1);
    const { permissions } = await permissionsOf('admin');
    expect(permissions).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
  });

  test('that is removed while permissions are added is whole or gone', async () => {
    for (let round = 0; round < 10; round++) {
      await put('admin', ['a']);
      const [, removed] = await Promise.all([put('admin', ['b']), remove('admin'), put('admin', ['c'])]);
      expect(removed).toEqual({ status: 'OK', didRoleExist: true });
    }
    await remove('admin');
    for (const permission of ['a', 'b', 'c'])
      expect(await rolesWith(permission)).toEqual({ status: 'OK', roles: [] });
  });
});

describe('a name', () => {
  test.each([
    ['role', { role: '  ' }, "Field name 'role' cannot be an empty String"],
    [
      'permissions',
      { role: 'r', permissions: ['a', ' '] },
      "Field name 'permissions' cannot contain an empty string",
    ],
  ])('of %s that is empty is refused', async (_what, input, message) => {
    expect(refusalOf(await core.put(`${app}/recipe/role`, input))).toEqual([400, 'INVALID_FIELD', message]);
  });

  test('of a permission that is empty is refused', async () => {
    const answer = await core.get(`${app}/recipe/permission/roles`, { permission: ' ' });
    const message = "Field name 'permission' cannot be an empty String";
    expect(refusalOf(answer)[0]).toBe(400);
    expect(refusalOf(answer)[2]).toBe(message);
  });

  test('is stored with 255 characters, and refused with more', async () => {
    const longest = '語'.repeat(255);
    expect(await put(longest, [longest])).toEqual({ status: 'OK', createdNewRole: true });
    expect(await permissionsOf(longest)).toEqual({ status: 'OK', permissions: [longest] });
    for (const input of [{ role: 'r'.repeat(256) }, { role: 'r', permissions: ['p'.repeat(256)] }])
      expect(refusalOf(await core.put(`${app}/recipe/role`, input))[0]).toBe(400);
  });
});
