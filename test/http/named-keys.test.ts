/** Keys for a part of the core: each route states its scope, and the refusal of another key names the missing one. */
import { expect, test } from 'vitest';
import { keyScopes } from '../../src/domain/access/key-holder.ts';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

const keyFor = (scope: string): string => `the-key-for-${scope}-of-the-tests`;
const named = [
  ...keyScopes.map((scope) => ({
    name: `only-${scope.replace(':', '-')}`,
    scopes: [scope],
    key: keyFor(scope),
  })),
  { name: 'shop', scopes: ['sign-in', 'read'], key: ['the-old-key-of-the-shop', 'the-new-key-of-the-shop'] },
];

let core: TestCore;
let app: string;
useCoreAndApps(
  (used) => {
    ({ core, app } = used);
  },
  { settings: { NAMED_KEYS: JSON.stringify(named) } },
);

interface Described {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[] | undefined;
  readonly isOpen: boolean;
  readonly tag: string;
}

type Document = Readonly<Record<string, Record<string, Record<string, unknown>>>>;

async function described(): Promise<Described[]> {
  const { body } = await core.get('/docs/openapi.json');
  return Object.entries(body.paths as Document).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      isOpen: Array.isArray(operation.security),
      tag: String((operation.tags as string[])[0]),
      scopes: operation['x-key-scopes'] as string[] | undefined,
    })),
  );
}

/** A body that no route accepts: a forbidden action is refused before, and nothing is done. */
async function ask(method: string, path: string, key: string): Promise<readonly [number, string]> {
  const hasBody = !['GET', 'HEAD', 'DELETE'].includes(method);
  const response = await fetch(`${core.url}${path}`, {
    method,
    headers: { 'api-key': key },
    ...(hasBody && { body: '[]' }),
  });
  return [response.status, await response.text()];
}

/** As the status of an answer: the audit log has refusals of others among its entries. */
const refusedKey = /"status":"(KEY_SCOPE_MISSING|INVALID_API_KEY)"/;
const anId = '0190b5a4-7b5a-7000-8000-000000000000';

test('every route has a scope, except those that reveal nothing about users', async () => {
  const without = (await described()).filter(
    ({ scopes, isOpen, tag }) => !scopes && !isOpen && tag !== 'Hooks',
  );
  expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /recipe/jwt/jwks',
    'GET /apiversion',
    'GET /docs/openapi.json',
  ]);
});

test('every route is opened by its scopes, and by no other', async () => {
  for (const { method, path, scopes } of await described()) {
    if (scopes === undefined) continue;
    // A key that may only create is restricted by the options of a job: see import-new.test.ts.
    const options = path === '/bulk-import/jobs' && method !== 'GET' ? '?onConflict=skip' : '';
    const address = path === '/metrics' ? path : `${app}${path.replace('{id}', anId)}${options}`;
    for (const scope of keyScopes) {
      const [status, text] = await ask(method, address, keyFor(scope));
      const where = `${method} ${path} by ${scope}: ${status} ${text}`;
      if (!scopes.includes(scope)) {
        expect(status, where).toBe(403);
        if (method !== 'HEAD') expect(text, where).toContain('KEY_SCOPE_MISSING');
      } else if (method !== 'HEAD') expect(text, where).not.toMatch(refusedKey);
      else expect(status, where).not.toBe(403);
    }
  }
});

test('the refusal names the key and what is missing', async () => {
  const [status, text] = await ask('POST', '/user/remove', keyFor('read'));
  expect(status).toBe(403);
  expect(JSON.parse(text)).toEqual({
    status: 'KEY_SCOPE_MISSING',
    message:
      "The key 'only-read' lacks the scope 'admin': add it to the key in 'named_keys', or use a key that has it",
  });
  const [, either] = await ask('GET', '/user/id', keyFor('metrics'));
  expect(either).toContain("lacks one of the scopes 'sign-in', 'read'");
});

test('a key of api_keys is for everything', async () => {
  for (const { method, path, scopes } of await described()) {
    if (scopes === undefined || method === 'HEAD') continue;
    const [, text] = await ask(method, `${app}${path.replace('{id}', anId)}`, testApiKey);
    expect(text, `${method} ${path}`).not.toMatch(refusedKey);
  }
});

test('several scopes, and the old key next to the new one', async () => {
  for (const key of ['the-old-key-of-the-shop', 'the-new-key-of-the-shop']) {
    expect((await ask('GET', '/users', key))[0]).toBe(200);
    expect((await ask('POST', '/user/remove', key))[0]).toBe(403);
  }
  expect((await ask('GET', '/users', 'the-next-key-of-the-shop'))[0]).toBe(401);
});

test('an app with keys of its own is opened by those alone', async () => {
  const own = 'a-key-that-is-of-this-app-alone';
  const appId = app.replace('/appid-', '');
  await core.put('/recipe/multitenancy/app/v2', { appId, coreConfig: { api_keys: own } });
  expect((await ask('GET', `${app}/users`, keyFor('read')))[0]).toBe(401);
  expect((await ask('GET', `${app}/users`, own))[0]).toBe(200);
});
