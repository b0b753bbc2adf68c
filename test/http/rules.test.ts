/** Common properties of every route's answers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, type ContractRoute, takesQuery } from '../helpers/contract.ts';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newTenant, refusalOf } from '../helpers/people.ts';

let core: TestCore;
let app: string;
let tenant: string;

beforeAll(async () => {
  core = await startTestCore();
  app = await newApp(core);
  tenant = await newTenant(core, app);
});
afterAll(() => core.stop());

/** Sends the route's well-formed request under a prefix, or with another input. */
function call({ method, path, input }: ContractRoute, prefix = '', other: object = input): Promise<Answer> {
  if (method === 'POST') return core.post(prefix + path, other);
  if (method === 'PUT') return core.put(prefix + path, other);
  const query = Object.entries(other).map(([name, value]) => [name, String(value)]);
  const parameters = Object.fromEntries(query) as Record<string, string>;
  return method === 'DELETE' ? core.delete(prefix + path, parameters) : core.get(prefix + path, parameters);
}

function titled(routes: readonly ContractRoute[]): (readonly [string, ContractRoute])[] {
  return routes.map((route) => [`${route.method} ${route.path}`, route] as const);
}

describe.each(titled(contract))('%s', (_title, route) => {
  test('answers 200 with a status word, or 403 where only the public app may', async () => {
    const { http, body } = await call(route, app);
    if (http === route.http) expect(body.status).toMatch(/^[A-Z_]+$/);
    else expect([http, body.status]).toEqual([403, 'PUBLIC_APP_ONLY']);
    expect((await call(route)).http).toBe(route.http);
  });

  test('answers JSON in UTF-8', async () => {
    const { headers } = await call(route);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('asks for the key', async () => {
    const answer = await fetch(core.url + route.path, {
      method: route.method,
      headers: { 'api-key': 'wrong' },
    });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { status: 'INVALID_API_KEY', message: 'Invalid API key' },
    ]);
    expect((await fetch(core.url + route.path, { method: route.method })).status).toBe(401);
  });

  test('refuses an unknown app and an unknown tenant', async () => {
    const mayBeMissing = route.path === '/recipe/multitenancy/tenant/v2' && route.method === 'GET';
    for (const prefix of ['/appid-nobody', '/nobody', `${app}/nobody`]) {
      const answer = await call(route, prefix);
      if (mayBeMissing)
        expect([answer.http, answer.body]).toEqual([200, { status: 'TENANT_NOT_FOUND_ERROR' }]);
      else expect(refusalOf(answer)).toEqual([400, 'APP_OR_TENANT_NOT_FOUND', 'AppId or tenantId not found']);
    }
  });
});

test.each(titled(contract.filter(({ scope }) => scope === 'A')))(
  '%s belongs to the app: 403 under a tenant, not under its public one',
  async (_title, route) => {
    expect(refusalOf(await call(route, tenant))).toEqual([
      403,
      'APP_SPECIFIC_API',
      'Only public tenantId can call this app specific API',
    ]);
    expect((await call(route, '/public')).http).toBe(route.http);
  },
);

test.each(titled(contract.filter(({ scope }) => scope === 'T')))(
  '%s works in every tenant, however the path is written',
  async (_title, route) => {
    const { http, body } = await call(route, tenant);
    expect([http, body.status]).toEqual([route.http, expect.stringMatching(/^[A-Z_]+$/)]);
    const shouted = { ...route, path: `${tenant}${route.path}`.toUpperCase() + '/' };
    expect((await call(shouted)).http).toBe(route.http);
  },
);

const posts = contract.filter((each) => !takesQuery(each) && each.required.length > 0);
const gets = contract.filter((each) => takesQuery(each) && each.required.length > 0);

describe.each(titled(posts))('the body of %s', (_title, route) => {
  test.each(route.required.map((name, index) => [name, index] as const))(
    'must have %s',
    async (name, index) => {
      // Fields before it in the contract are present, those after it are missing too: the first one is reported.
      const present = Object.fromEntries(
        route.required.slice(0, index).map((each) => [each, route.input[each]]),
      );
      const nested = name.includes('.') ? { ...present, email: {} } : present;
      expect(refusalOf(await call(route, '', nested))).toEqual([
        400,
        'INVALID_FIELD',
        `Field name '${name}' is invalid in JSON input`,
      ]);
    },
  );

  test.each(route.required.filter((name) => !name.includes('.')))(
    'must have the right type in %s',
    async (name) => {
      // typeof reports a list as an object, but no field here accepts one.
      for (const value of [42, ['a'], true].filter(
        (each) => Array.isArray(each) || typeof each !== typeof route.input[name],
      )) {
        expect(refusalOf(await call(route, '', { ...route.input, [name]: value }))).toEqual([
          400,
          'INVALID_FIELD',
          `Field name '${name}' is invalid in JSON input`,
        ]);
      }
    },
  );

  test('must hold no U+0000 and no lone surrogate, and is refused by its field', async () => {
    const [name = ''] = route.required;
    for (const character of ['\0', '\ud800']) {
      const [http, status, message] = refusalOf(
        await call(route, '', { ...route.input, [name]: `a${character}b@example.com` }),
      );
      expect([http, status]).toEqual([400, 'INVALID_FIELD']);
      expect(message).toMatch(new RegExp(`^Field name '${name}' is invalid in JSON input: .*U\\+0000`));
    }
  });

  test('may have unknown fields', async () => {
    expect((await call(route, '', { ...route.input, somethingElse: { deep: [1] } })).http).toBe(route.http);
  });

  test('must be an object', async () => {
    for (const body of [[], null, 'text', 1]) {
      expect(refusalOf(await call(route, '', body as unknown as object))).toEqual([
        400,
        'INVALID_JSON_INPUT',
        'Invalid Json Input',
      ]);
    }
  });
});

describe.each(titled(gets))('the query of %s', (_title, route) => {
  test.each([...route.required])('must have %s', async (missing) => {
    const rest = Object.entries(route.input).filter(([name]) => name !== missing);
    expect(refusalOf(await call(route, '', Object.fromEntries(rest)))).toEqual([
      400,
      'MISSING_QUERY_PARAMETER',
      `Field name '${missing}' is missing in GET request`,
    ]);
  });
});
