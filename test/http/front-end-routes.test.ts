import { features } from '../../src/features/index.ts';
import { withoutKey } from '../../src/domain/access/key-holder.ts';
import { describe, expect, test } from 'vitest';
import { jsonReply, Reply } from '../../src/http/response/replies.ts';
import { type Bulk, routes } from '../../src/http/routing/routes.ts';
import { type Route, type RouteContext, routeTable } from '../../src/http/routing/route.ts';
import type { Discovery } from '../../src/http/routing/discovery.ts';
import type { Tenant } from '../../src/domain/model.ts';
import type { Operations } from '../../src/operations/operations.ts';

/** Families of operations that answer with their own name. */
function named(): object {
  const family = (name: string) =>
    new Proxy({}, { get: (_, method) => () => Promise.resolve({ ran: `${name}.${String(method)}` }) });
  return new Proxy({}, { get: (_, name) => family(String(name)) });
}

function namedRoutes(discovery: Discovery): Route[] {
  return routes({
    operations: named() as Operations,
    discovery,
    bulk: named() as Bulk,
    ofFeatures: features.flatMap((feature) => feature.describe(named(), named())),
  });
}

function discovery(probe: Discovery['probe'], isStopping = false): Discovery {
  return {
    probe,
    metricsText: () => Promise.resolve('metric 1\n'),
    uptimeSeconds: () => 12,
    memory: { limitMb: 512 },
    isStopping: () => isStopping,
    notReached: () => undefined,
    failover: () => undefined,
    otherPlaces: () => Promise.resolve([]),
    version: '1.2.3',
    cdiVersions: ['5.3', '5.4'],
  };
}

/** The status word for programs, by the state of the database. */
const reasons = {
  down: 'DATABASE_UNREACHABLE',
  'read-only': 'DATABASE_READ_ONLY',
  full: 'DISK_FULL',
  up: 'STOPPING',
} as const;
const up = discovery(() => Promise.resolve('up'));
const down = discovery(() => Promise.resolve('down'));

const context: RouteContext = {
  names: { appId: 'public', tenantId: 'public' },
  // The stand-in operations use no tenant.
  tenant: {} as Tenant,
  input: {},
  id: '',
  holder: withoutKey,
  head: {
    method: 'GET',
    query: '',
    clientAddress: undefined,
    cookies: undefined,
    contentType: undefined,
    contentEncoding: undefined,
    uploadHeaders: new Map(),
    framing: { kind: 'sound', bodyBytes: 0 },
  },
  signal: new AbortController().signal,
};

/** Calls one handler. */
async function call(method: string, path: string, with_ = up): Promise<object> {
  const route = routeTable(namedRoutes(with_)).get(path)?.routes.get(method);
  if (route === undefined) throw new Error(`no route ${method} ${path}`);
  return route.handle(context);
}

async function replyOf(method: string, path: string, with_ = up): Promise<Reply> {
  const outcome = await call(method, path, with_);
  return outcome instanceof Reply ? outcome : jsonReply(outcome);
}

describe('each route runs its operation', () => {
  test.each([
    ['POST', '/recipe/user/passwordhash/import', 'passwords.importHash', 'tenant'],
    ['POST', '/recipe/signin', 'passwords.signIn', 'tenant'],
    ['POST', '/recipe/signup', 'passwords.signUp', 'tenant'],
    ['POST', '/recipe/user/password/reset/token', 'passwords.createResetToken', 'tenant'],
    ['POST', '/recipe/user/password/reset/token/consume', 'passwords.consumeResetToken', 'tenant'],
    ['POST', '/recipe/signinup', 'thirdParty.signInUp', 'tenant'],
    ['POST', '/recipe/user/email/verify/token', 'verification.createToken', 'tenant'],
    ['POST', '/recipe/user/email/verify', 'verification.redeem', 'tenant'],
    ['GET', '/recipe/user/email/verify', 'verification.isVerified', 'app'],
    ['POST', '/recipe/user/email/verify/remove', 'verification.unverify', 'app'],
    ['POST', '/recipe/user/email/verify/token/remove', 'verification.removeTokens', 'tenant'],
    ['POST', '/recipe/userid/map', 'mapping.create', 'app'],
    ['GET', '/recipe/userid/map', 'mapping.find', 'app'],
    ['POST', '/recipe/userid/map/remove', 'mapping.remove', 'app'],
    ['PUT', '/recipe/userid/external-user-id-info', 'mapping.updateInfo', 'app'],
    ['GET', '/user/id', 'users.get', 'app'],
    ['GET', '/users/by-accountinfo', 'users.listByAccountInfo', 'tenant'],
    ['GET', '/users', 'users.list', 'tenant'],
    ['GET', '/users/count', 'users.count', 'tenant'],
    ['POST', '/user/remove', 'users.remove', 'app'],
    ['PUT', '/recipe/user', 'users.update', 'app'],
    ['PUT', '/recipe/multitenancy/app/v2', 'tenants.putApp', 'app'],
    ['GET', '/recipe/multitenancy/app/list/v2', 'tenants.listApps', 'app'],
    ['POST', '/recipe/multitenancy/app/remove', 'tenants.removeApp', 'app'],
    ['PUT', '/recipe/multitenancy/tenant/v2', 'tenants.putTenant', 'app'],
    ['GET', '/recipe/multitenancy/tenant/v2', 'tenants.getTenant', 'tenant'],
    ['GET', '/recipe/multitenancy/tenant/list/v2', 'tenants.listTenants', 'app'],
    ['POST', '/recipe/multitenancy/tenant/remove', 'tenants.removeTenant', 'app'],
  ])('%s %s', async (method, path, operation, scope) => {
    expect(await call(method, path)).toEqual({ ran: operation });
    const route = routeTable(namedRoutes(up)).get(path)?.routes.get(method);
    expect([route?.scope, route?.open ?? false]).toEqual([scope, false]);
  });
});

describe('discovery', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE'])(
    '%s /hello says Hello while the database answers',
    async (method) => {
      const reply = await replyOf(method, '/hello');
      expect([reply.http, reply.body]).toEqual([200, 'Hello']);
      await expect(call(method, '/hello', down)).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    },
  );

  test('/health distinguishes live from ready', async () => {
    const state = {
      live: true,
      stopping: false,
      version: '1.2.3',
      uptimeSeconds: 12,
      memory: { limitMb: 512 },
    };
    const ready = await replyOf('GET', '/health');
    expect([ready.http, JSON.parse(ready.body)]).toEqual([
      200,
      { ...state, status: 'OK', ready: true, database: 'up' },
    ]);
    for (const database of ['down', 'read-only', 'full'] as const) {
      const without = discovery(() => Promise.resolve(database));
      const reply = await replyOf('GET', '/health', without);
      expect([reply.http, JSON.parse(reply.body)]).toEqual([
        503,
        { ...state, status: 'NOT_READY', ready: false, database, reason: reasons[database] },
      ]);
      expect(reply.headers).toEqual([['Retry-After', '1']]);
    }
  });

  test('/livez asks for no database, and /readyz says whether and why not', async () => {
    const never = discovery(() => new Promise(() => undefined));
    expect((await replyOf('GET', '/livez', never)).http).toBe(200);
    const ready = await replyOf('GET', '/readyz');
    expect([ready.http, JSON.parse(ready.body)]).toEqual([
      200,
      { status: 'OK', ready: true, database: 'up', stopping: false },
    ]);
    for (const [database, stopping] of [
      ['down', false],
      ['read-only', false],
      ['full', false],
      ['up', true],
    ] as const) {
      const reply = await replyOf(
        'GET',
        '/readyz',
        discovery(() => Promise.resolve(database), stopping),
      );
      expect([reply.http, JSON.parse(reply.body)]).toEqual([
        503,
        { status: 'NOT_READY', ready: false, database, stopping, reason: reasons[database] },
      ]);
    }
  });

  test('/metrics and /apiversion', async () => {
    const metrics = await replyOf('GET', '/metrics');
    expect([metrics.contentType, metrics.body]).toEqual([
      'text/plain; version=0.0.4; charset=utf-8',
      'metric 1\n',
    ]);
    expect((await replyOf('GET', '/apiversion')).body).toBe('{"versions":["5.3","5.4"]}');
  });
});

describe('the OpenAPI document', () => {
  interface Operation {
    readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
    readonly parameters?: readonly object[];
    readonly security?: readonly object[];
    readonly responses: Readonly<Record<string, object>>;
  }
  interface Document {
    readonly openapi: string;
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly responses: object };
  }

  async function document(): Promise<{ text: string; value: Document }> {
    const text = (await replyOf('GET', '/docs/openapi.json')).body;
    return { text, value: JSON.parse(text) as Document };
  }

  test('describes every route', async () => {
    const { value } = await document();
    expect(value.openapi).toBe('3.1.0');
    for (const { method, path } of namedRoutes(up)) {
      expect(value.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
    }
  });

  test('shows the schemas that validate, without the annotations', async () => {
    const { text, value } = await document();
    expect(text).not.toMatch(/"x-(?!app-only|key-scopes)/);
    const signIn = value.paths['/recipe/signin']?.post;
    expect(signIn?.requestBody?.content['application/json']?.schema).toMatchObject({
      required: ['email', 'password'],
      properties: { email: { maxLength: 256 } },
    });
    expect(JSON.stringify(signIn?.responses['200'])).toContain('WRONG_CREDENTIALS_ERROR');
    expect(value.paths['/users']?.get?.parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      schema: {
        type: 'integer',
        minimum: 1,
        description: 'At most 500, where nothing is searched for.',
      },
    });
    expect(value.paths['/hello']?.get?.security).toEqual([]);
  });

  test('refers to nothing that is not in it', async () => {
    const { text, value } = await document();
    const statuses = [...text.matchAll(/#\/components\/responses\/(\d+)/g)].map(([, status]) => status);
    expect(statuses).not.toEqual([]);
    for (const status of statuses) expect(value.components.responses).toHaveProperty(status ?? '');
  });
});

test('two routes with one path and verb are a mistake that is reported at once', () => {
  const [route] = namedRoutes(up);
  if (route === undefined) throw new Error('no routes');
  expect(() => routeTable([route, route])).toThrow('two routes with one method');
});
