import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dialectNames, dialects } from '../../src/config/legacy/dialects.ts';
import { readSources } from '../../src/config/legacy/read-sources.ts';
import { loadConfig } from '../../src/config/load.ts';
import {
  parseCoreConfig,
  presentCoreConfig,
  resolveTenantSettings,
} from '../../src/config/tenant-settings.ts';
import { defaultSettings } from '../helpers/store.ts';

const now = Date.UTC(2030, 0, 1);
const containing = (text: string): unknown => expect.stringContaining(text);
const folder = mkdtempSync(path.join(os.tmpdir(), 'legacy-'));
const auth0 = {
  name: 'auth0',
  speaks: 'auth0',
  url: 'https://example.auth0.com',
  client_id: 'abc',
  connection: 'Users',
  until: '2030-06-30',
};
const http = { name: 'own', speaks: 'http', url: 'https://old.example.com/check', until: '2030-06-30' };

const ldap = {
  name: 'directory',
  speaks: 'ldap',
  url: 'ldaps://ldap.example.com',
  until: '2030-06-30',
  bind_dn: 'cn=carryover,dc=example,dc=com',
  bind_password: 'hunter2',
  base_dn: 'dc=example,dc=com',
};

function refusal(source: object): string {
  const read = readSources([source]);
  return read.ok ? 'none' : read.expected;
}

function load(yaml: string, environment: Record<string, string> = {}) {
  const file = path.join(folder, 'config.yaml');
  writeFileSync(file, yaml);
  return loadConfig({ file, environment, now }).defaults.legacySources;
}

describe('legacy_sources', () => {
  test('has defaults that bound what an old system is asked', () => {
    const read = readSources([auth0]);
    expect(read.ok && read.value).toEqual([
      {
        reach: 'any',
        name: 'auth0',
        speaks: 'auth0',
        url: 'https://example.auth0.com',
        ca: undefined,
        options: { client_id: 'abc', connection: 'Users' },
        timeoutMs: 2000,
        maxInFlight: 32,
        waitMs: 5000,
        asksUnknown: false,
        until: Date.UTC(2030, 5, 30),
        keepsIds: true,
        idPrefix: '',
      },
    ]);
  });

  test('takes every dialect with what it needs', () => {
    for (const speaks of dialectNames) {
      const { options, defaultUrl } = dialects[speaks];
      const url = speaks === 'ldap' ? ldap.url : 'https://old.example.com';
      const needed = Object.entries(options).flatMap(([key, { isRequired }]) =>
        isRequired ? [[key, 'x=y']] : [],
      );
      const source = { name: 'old', speaks, url: defaultUrl ?? url, until: '2030-06-30' };
      expect(refusal({ ...source, ...(Object.fromEntries(needed) as object) })).toBe('none');
      for (const [key] of needed)
        expect(
          refusal({ ...source, ...(Object.fromEntries(needed.filter(([each]) => each !== key)) as object) }),
        ).toContain(`source 1: '${String(key)}' is missing: give `);
    }
  });

  test.each([
    ['an unknown dialect', { ...auth0, speaks: 'aut0' }, "'speaks' must be one of kratos, okta,"],
    ['no dialect', { ...auth0, speaks: undefined }, "'speaks' is missing: it is one of"],
    [
      'passwords in the clear',
      { ...auth0, url: 'http://example.com' },
      "'url' would send passwords in the clear",
    ],
    [
      'a host that only begins like loopback',
      { ...auth0, url: 'http://127.0.0.1.example.com' },
      'in the clear',
    ],
    ['another protocol', { ...auth0, url: 'ftp://example.com' }, "'url' must begin with https://"],
    [
      'secrets in the URL',
      { ...auth0, url: 'https://me:hunter2@example.com' },
      'must not hold a user or password',
    ],
    ['no URL', { ...auth0, url: undefined }, "'url' is missing: give the tenant"],
    ['no end', { ...auth0, until: undefined }, "'until' must state until when it is asked"],
    ['an end in words', { ...auth0, until: 'summer' }, "'until' must state until when it is asked"],
    ['an invalid day', { ...auth0, until: '2030-02-31' }, "'until' must state until when it is asked"],
    [
      'a field of another dialect',
      { ...auth0, api_key: 'hunter2' },
      "'api_key' is no field of auth0: it takes",
    ],
    [
      'a secret by its variable, of a tenant',
      { ...auth0, client_secret_env: 'PATH' },
      'is no field of auth0',
    ],
    ['a name that records cannot have', { ...auth0, name: 'My Auth0' }, "'name' must be small letters"],
    [
      'a deadline of nothing',
      { ...auth0, timeout_ms: 0 },
      "'timeout_ms' must be a whole number from 100 to 30000",
    ],
    ['a path for a certificate', { ...auth0, ca: '/etc/ca.pem' }, "'ca' must be certificates in PEM"],
    [
      'a directory by HTTP',
      { ...ldap, url: 'https://ldap.example.com' },
      "'url' must be a URL such as ldaps://",
    ],
    [
      'a directory without a host',
      { ...ldap, url: 'ldaps:///dc=example' },
      "'url' must be a URL such as ldaps://",
    ],
    [
      'secrets in the URL of a directory',
      { ...ldap, url: 'ldaps://me:hunter2@example.com' },
      'must not hold a user or password',
    ],
    [
      'a search in its URL',
      { ...ldap, url: 'ldaps://example.com/dc=x' },
      "'url' must end with the host or port",
    ],
    [
      'a directory in the clear',
      { ...ldap, url: 'ldap://ldap.example.com', starttls: 'off' },
      "'starttls' off would send passwords in the clear",
    ],
    [
      'a check by something else',
      { name: 'old', speaks: 'keycloak-migration', url: auth0.url, until: auth0.until, check_by: 'hunter2' },
      "'check_by' must be one of id, username",
    ],
    ['perhaps TLS', { ...ldap, starttls: 'maybe' }, "'starttls' must be one of require, off"],
    ['a mechanism as an account', { ...ldap, bind_dn: 'EXTERNAL' }, "'bind_dn' must be the DN"],
    [
      'no password of the account',
      { ...ldap, bind_password: undefined },
      "'bind_password' is missing: give its",
    ],
    ['an empty one', { ...ldap, bind_password: '' }, "'bind_password' must be text that is not empty"],
    ['a base that is no DN', { ...ldap, base_dn: 'people' }, "'base_dn' must be a DN"],
    ['a filter without a login', { ...ldap, filter: '(uid=hunter2)' }, "'filter' must have {login} where"],
    ['a login as an attribute', { ...ldap, filter: '({login}=x)' }, "'filter' must have {login} where"],
    ['a filter that does not end', { ...ldap, filter: '(&(uid={login})' }, "'filter' must be an LDAP filter"],
    ['two filters', { ...ldap, filter: '(uid={login})(a=b)' }, "'filter' must be an LDAP filter"],
    ['a filter of nothing', { ...ldap, filter: '(&(uid={login})())' }, "'filter' must be an LDAP filter"],
    [
      'what only looks like a filter',
      { ...ldap, filter: '(&(!#)(uid={login}))' },
      "'filter' must be an LDAP filter",
    ],
    ['invalid attributes', { ...ldap, name_attributes: 'cn,,sn' }, "'name_attributes' must name attributes"],
    ['another word', { ...auth0, unknown: 'maybe' }, "'unknown' must be one of ask, refuse"],
  ])('refuses %s, and repeats no value', (_what, source, message) => {
    expect(refusal(source)).toContain(`source 1: `);
    expect(refusal(source)).toContain(message);
    expect(refusal(source)).not.toContain('hunter2');
  });

  test('lets a loopback address be asked without TLS', () => {
    for (const url of ['http://127.0.0.1:4433', 'http://localhost', 'http://[::1]:1'])
      expect(refusal({ ...auth0, url })).toBe('none');
  });

  test('takes the filters of directories, and one on loopback without TLS', () => {
    for (const filter of [
      'uid={login}',
      '(uid={login})',
      '(&(objectClass=user)(|(mail={login})(proxyAddresses=smtp:{login}))(!(userAccountControl:1.2.840.113556.1.4.803:=2)))',
      '(&(mail={login})(memberOf:1.2.840.113556.1.4.1941:=cn=a \\28b\\29,dc=x)(sn=Ø*)(age>=18))',
    ])
      expect([filter, refusal({ ...ldap, filter })]).toEqual([filter, 'none']);
    expect(refusal({ ...ldap, url: 'ldap://127.0.0.1:389', starttls: 'off' })).toBe('none');
    expect(refusal({ ...ldap, url: 'ldap://ldap.example.com' })).toBe('none');
  });

  test('takes one source a name, and one that is asked about all users', () => {
    const both = (change: object) => readSources([auth0, { ...auth0, name: 'other', ...change }]);
    expect(both({})).toMatchObject({ ok: true });
    expect(both({ name: 'auth0' })).toMatchObject({
      expected: containing("source 2: 'name' is that of"),
    });
    const asking = readSources([
      { ...auth0, unknown: 'ask' },
      { ...auth0, name: 'other', unknown: 'ask' },
    ]);
    expect(asking).toMatchObject({
      expected: containing("only one source may have 'unknown: ask'"),
    });
  });
});

test('every source that the guide shows can be pasted', () => {
  const guide = readFileSync(new URL('../../docs/guide/without-hashes.md', import.meta.url), 'utf8');
  const blocks = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, block = '']) => block);
  const shown = blocks.flatMap((block) => {
    const list = block.includes('legacy_sources:') ? block : `legacy_sources:\n${block}`;
    const environment = Object.fromEntries(
      [...block.matchAll(/_env: (\w+)/g)].map(([, name = '']) => [name, 'x']),
    );
    return load(list, environment) ?? [];
  });
  const spoken = shown.map(({ speaks }) => speaks);
  expect(new Set(spoken)).toEqual(new Set(dialectNames));
});

describe('in config.yaml', () => {
  const yaml = (more: string) => `legacy_sources:\n  - ${JSON.stringify(http).slice(0, -1)}, ${more}}\n`;

  test('a secret may come from the environment or a file', () => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, 'from-a-file\n');
    expect(load(yaml('"hmac_secret": "inline"'))?.[0]?.options.hmac_secret).toBe('inline');
    expect(load(yaml('"hmac_secret_env": "OLD"'), { OLD: 'variable' })?.[0]?.options.hmac_secret).toBe(
      'variable',
    );
    expect(load(yaml(`"hmac_secret_file": "${file}"`))?.[0]?.options.hmac_secret).toBe('from-a-file');
    expect(() => load(yaml('"hmac_secret_env": "OLD"'))).toThrow(
      "'hmac_secret_env' names a variable that is not set",
    );
    expect(() => load(yaml('"hmac_secret": "a", "hmac_secret_env": "OLD"'), { OLD: 'b' })).toThrow(
      'is given twice',
    );
    expect(() => load(yaml('"hmac_secret_file": "/none"'))).toThrow('cannot be read (ENOENT)');
  });

  test('an end in the past is refused at the start, with the key and the cure', () => {
    expect(() => load(yaml('"hmac_secret": "a"').replace('2030', '2029'))).toThrow(
      "legacy_sources: source 1: 'until' is in the past: give a later date, or remove the source",
    );
  });

  test('the environment brings the whole list as JSON', () => {
    const LEGACY_SOURCES = JSON.stringify([auth0]);
    expect(load('', { LEGACY_SOURCES })?.[0]?.name).toBe('auth0');
    expect(() => load('', { LEGACY_SOURCES: '[' })).toThrow('legacy_sources: must be a list of sources');
  });
});

describe('of a tenant', () => {
  test('are checked, kept, and shown as a secret', () => {
    const parsed = parseCoreConfig({ legacy_sources: [auth0] }, now);
    if (!parsed.ok) throw new Error(parsed.message);
    const kept = parsed.value as { legacy_sources: string };
    expect(resolveTenantSettings(defaultSettings, kept).legacySources?.[0]?.name).toBe('auth0');
    expect(presentCoreConfig(kept)).toEqual({ legacy_sources: '***' });
  });

  test('are refused when they are closed already, and still read once they are', () => {
    const late = { legacy_sources: JSON.stringify([auth0]) };
    expect(parseCoreConfig(late, Date.UTC(2031, 0, 1))).toMatchObject({
      message: containing("'legacy_sources' source 1: 'until' is in the past"),
    });
    expect(resolveTenantSettings(defaultSettings, late).legacySources).toHaveLength(1);
  });
});
