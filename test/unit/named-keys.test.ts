import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutKey } from '../../src/domain/access/key-holder.ts';
import { ConfigError, loadConfig } from '../../src/config/load.ts';
import { StartupError } from '../../src/process/startup-error.ts';
import { KeyRing } from '../../src/process/keys/key-ring.ts';

const key = 'the-key-that-prometheus-has';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-named-keys-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const load = (keys: unknown, more: Record<string, string> = {}) =>
  loadConfig({ environment: { NAMED_KEYS: JSON.stringify(keys), ...more } });

function ringOf(keys: unknown, more?: Record<string, string>): KeyRing {
  const { apiKeys, namedKeys } = load(keys, more);
  return new KeyRing({ apiKeys, named: namedKeys });
}

function refusal(keys: unknown, more?: Record<string, string>): string {
  try {
    load(keys, more);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('named keys', () => {
  test('have a name and scopes, and are kept as digests', () => {
    const ring = ringOf([{ name: 'prometheus', scopes: ['metrics'], key }]);
    expect(ring.holderOf(key)).toEqual({ name: 'prometheus', scopes: new Set(['metrics']) });
    expect(ring.holderOf(`${key} `)).toBeUndefined();
    expect(inspect(ring, { showHidden: true, depth: 9 })).not.toContain(key);
    expect(inspect(load([{ name: 'a', scopes: 'read', key }]), { depth: 9 })).not.toContain(key);
  });

  test('stand in files and variables too', () => {
    const file = path.join(folder, 'key');
    writeFileSync(file, 'the-key-in-a-file-of-its-own\n');
    const ring = ringOf(
      [
        { name: 'from-file', scopes: ['read'], key_file: file },
        { name: 'from-variable', scopes: ['admin'], key_env: 'ADMIN_KEY' },
        { name: 'both', scopes: ['export'], key_env: ['OLD_KEY', 'NEW_KEY'] },
      ],
      {
        ADMIN_KEY: 'the-key-in-a-variable',
        OLD_KEY: 'the-old-key-of-two-keys',
        NEW_KEY: 'the-new-key-of-two-keys',
      },
    );
    expect(ring.holderOf('the-key-in-a-file-of-its-own')?.name).toBe('from-file');
    expect(ring.holderOf('the-key-in-a-variable')?.name).toBe('from-variable');
    expect(ring.holderOf('the-old-key-of-two-keys')?.name).toBe('both');
    expect(ring.holderOf('the-new-key-of-two-keys')?.name).toBe('both');
  });

  test('stand in config.yaml as a list', () => {
    const file = path.join(folder, 'config.yaml');
    writeFileSync(file, `named_keys:\n  - name: shop\n    scopes: [sign-in, read]\n    key_env: SHOP_KEY\n`);
    const { namedKeys } = loadConfig({ file, environment: { SHOP_KEY: key } });
    expect(namedKeys.map(({ name, scopes }) => [name, scopes])).toEqual([['shop', ['sign-in', 'read']]]);
  });

  const read = { name: 'a', scopes: ['read'] };
  test.each([
    ['no list', { name: 'a' }, /must be a list of keys/],
    ['no object', ['a'], /key 1: must be an object/],
    ['no name', [{ scopes: ['read'], key }], /key 1: 'name' is missing/],
    ['a name with a space', [{ ...read, name: 'a b', key }], /key 'a b': 'name' must be 1 to 63/],
    ['a name of the core', [{ ...read, name: 'api_keys', key }], /none of anybody, api_keys, core/],
    ['no scopes', [{ name: 'a', key }], /key 'a': 'scopes' is missing/],
    ['an unknown scope', [{ ...read, scopes: ['write'], key }], /'scopes' must list one or more of sign-in,/],
    ['no key', [read], /key 'a': 'key' is missing: add it, or key_env or key_file/],
    ['a short key', [{ ...read, key: 'hunter2' }], /'key' must be 20 to 512 printable/],
    ['a key twice', [{ ...read, key, key_env: 'A' }], /key 1: 'key' and 'key_env' are both given: keep one/],
    [
      'a file that is not there',
      [{ ...read, key_file: '/none' }],
      /key 1: 'key_file': \/none cannot be read/,
    ],
    ['a variable that is not set', [{ ...read, key_env: 'NONE' }], /the variable NONE is empty/],
    [
      'a name twice',
      [
        { ...read, key },
        { ...read, key: `${key}2` },
      ],
      /'name' is another key's too/,
    ],
    [
      'one key of two names',
      [
        { ...read, key },
        { ...read, name: 'b', key },
      ],
      /key 'b': 'key' is listed twice/,
    ],
    ['an unknown field', [{ ...read, key, roles: [] }], /unknown field 'roles'/],
  ])('%s is refused, and no key repeated', (_what, keys, expected) => {
    const message = refusal(keys);
    expect(message).toMatch(expected);
    expect(message).toMatch(/^named_keys: /);
    expect(message).not.toMatch(/hunter2|prometheus-has/);
  });

  test('a key that is in api_keys too is refused', () => {
    expect(refusal([{ ...read, key }], { API_KEYS: key })).toBe(
      "named_keys: key 'a': is in api_keys too: remove it from one (NAMED_KEYS in the environment)",
    );
  });

  test('replacing them forgets the former ones', () => {
    const ring = ringOf([{ ...read, key }], { API_KEYS: 'the-key-that-was-for-everything' });
    ring.replace({ apiKeys: ['the-key-that-is-for-everything'], named: [] });
    expect(ring.holderOf(key)).toBeUndefined();
    expect(ring.holderOf('the-key-that-was-for-everything')).toBeUndefined();
    expect(ring.holderOf('the-key-that-is-for-everything')).toEqual({ name: 'api_keys', scopes: 'all' });
  });
});

describe('a key that was granted to a process', () => {
  const other = 'another-key-that-stays-the-same';
  const keysOf = (keys: unknown) => {
    const { apiKeys, namedKeys } = load(keys);
    return { apiKeys, named: namedKeys };
  };
  const both = [
    { name: 'importer', scopes: ['import'], key },
    { name: 'looker', scopes: ['read'], key: other },
  ];

  test('has the rights of its key, and loses them with it', () => {
    const ring = ringOf(both);
    const [granted, kept] = [key, other].map((each) => ring.grant(ring.holderOf(each) ?? withoutKey));
    expect(ring.holderOf(granted?.key ?? '')).toEqual({ name: 'importer', scopes: new Set(['import']) });
    ring.replace(
      keysOf([{ name: 'importer', scopes: ['import'], key: 'the-key-after-the-leak-of-it' }, both[1]]),
    );
    expect([granted?.isValid(), kept?.isValid()]).toEqual([false, true]);
    expect(ring.holderOf(granted?.key ?? '')).toBeUndefined();
    expect(ring.holderOf(kept?.key ?? '')?.name).toBe('looker');
  });

  test('has the scopes that its key has after a change', () => {
    const ring = ringOf(both);
    const granted = ring.grant(ring.holderOf(key) ?? withoutKey);
    ring.replace(keysOf([{ name: 'importer', scopes: ['read'], key }]));
    expect(ring.holderOf(granted.key)?.scopes).toEqual(new Set(['read']));
  });

  test('is not valid if its key was revoked since it was presented', () => {
    const ring = ringOf(both);
    const holder = ring.holderOf(key) ?? withoutKey;
    ring.replace(keysOf([]));
    const granted = ring.grant(holder);
    expect([granted.isValid(), ring.holderOf(granted.key)]).toEqual([false, undefined]);
  });

  test('of a caller without a key is valid until it is revoked', () => {
    const ring = ringOf(both);
    const granted = ring.grant(withoutKey);
    ring.replace(keysOf([]));
    expect(ring.holderOf(granted.key)).toEqual(withoutKey);
    granted.revoke();
    expect(granted.isValid()).toBe(false);
  });
});
