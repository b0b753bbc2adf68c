import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import {
  bulk,
  console,
  contract,
  discovery,
  oldSystems,
  receiptsAndMoves,
  takesQuery,
} from '../helpers/contract.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, newEmail, signIn } from '../helpers/people.ts';

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());

const bare = (path: string, method = 'GET') => fetch(core.url + path, { method });

describe('who asks without a key', () => {
  test.each(['GET', 'POST', 'PUT', 'DELETE'])('%s /hello says Hello as text', async (method) => {
    for (const path of ['/hello', '/hello/', '/Hello', '/appid-public/public/hello']) {
      const answer = await bare(path, method);
      expect([answer.status, await answer.text()]).toEqual([200, 'Hello']);
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    }
  });

  test('/health reports liveness and readiness', async () => {
    const answer = await bare('/health');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        status: 'OK',
        live: true,
        ready: true,
        stopping: false,
        database: 'up',
        version: 'test',
        uptimeSeconds: expect.any(Number) as number,
        memory: {
          limitMb: expect.any(Number) as number,
          postgresqlMb: expect.any(Number) as number,
          nodeMb: expect.any(Number) as number,
          hashingMb: expect.any(Number) as number,
          importMb: expect.any(Number) as number,
        },
      },
    ]);
  });

  test('/ says what it is, and what is unknown is still unknown', async () => {
    const answer = await bare('/');
    const links = { health: '/health', openapi: expect.stringContaining('/docs/openapi.json') as string };
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { status: 'OK', name: 'carryover', version: 'test', ...links },
    ]);
    expect((await bare('/', 'POST')).status).toBe(405);
    for (const path of ['/nowhere', '/public', '/t1/']) expect((await bare(path)).status).toBe(404);
  });

  test.each(['/apiversion', '/metrics', '/docs/openapi.json'])('%s answers 401', async (path) => {
    expect((await bare(path)).status).toBe(401);
    expect((await core.get(path)).http).toBe(200);
  });
});

test('/apiversion lists what is supported', async () => {
  expect((await core.get('/apiversion')).body).toEqual({
    versions: ['3.0', '3.1', '4.0', '5.0', '5.1', '5.2', '5.3', '5.4'],
  });
});

describe('/metrics', () => {
  test('is Prometheus text', async () => {
    const { headers, text } = await core.get('/metrics');
    expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z0-9_]+ .+|[a-z0-9_]+(\{([a-z_]+="[^"]*",?)+\})? -?([\d.e+-]+|nan|\+inf))$/i, // prom-client writes Nan, and Prometheus reads it in any case
      );
  });

  test('counts requests by route and status, latencies, batches, pool tasks and imports', async () => {
    const email = newEmail();
    await importUser(core, email);
    await signIn(core, email, 'wrong');
    await core.post('/recipe/signin', {});
    const samples = [
      ['carryover_requests_total', { route: '/recipe/signin', method: 'POST', status: 200 }],
      ['carryover_requests_total', { route: '/recipe/signin', method: 'POST', status: 400 }],
      ['carryover_imports_total', { kind: 'bcrypt', outcome: 'new' }],
      ['carryover_batch_size_count', { operation: 'put-password-user' }],
      ['carryover_pool_task_duration_seconds_count', { kind: 'verify' }],
    ] as const;
    for (const [name, labels] of samples) expect(await metric(core, name, labels), name).toBe(1);
    expect(await metric(core, 'carryover_request_duration_seconds_count', { route: '/recipe/signin' })).toBe(
      2,
    );
    expect(await metric(core, 'carryover_hashing_pool_threads')).toBe(2);
    const { text } = await core.get('/metrics');
    for (const name of [
      'batch_backlog',
      'hashing_pool_running',
      'hashing_pool_waiting',
      'hashing_pool_bytes',
    ])
      expect(text).toMatch(new RegExp(`^carryover_${name}.* 0$`, 'm'));
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
  });

  test('makes no labels of what clients invent', async () => {
    const unmatched = () => metric(core, 'carryover_requests_total', { route: 'unmatched', status: 404 });
    const before = await unmatched();
    for (const path of ['/invented', '/recipe/invented', '/t1/invented'])
      expect((await core.get(path)).http).toBe(404);
    expect((await unmatched()) - before).toBe(3);
    expect((await core.get('/metrics')).text).not.toContain('invented');
  });
});

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly responses: Readonly<Record<string, { $ref?: string; content?: object; description?: string }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

describe('/docs/openapi.json', () => {
  const fetchDocument = async () => (await core.get('/docs/openapi.json')).body as unknown as Document;
  const operationOf = (document: Document, { method, path }: { method: string; path: string }) =>
    document.paths[path]?.[method.toLowerCase()];

  test('is OpenAPI 3.1 of exactly the routes of the contract', async () => {
    const document = await fetchDocument();
    expect([document.openapi, document.info]).toEqual([
      '3.1.0',
      expect.objectContaining({ title: 'carryover', version: 'test' }),
    ]);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const expected = [...contract, ...discovery, ...bulk, ...oldSystems, ...receiptsAndMoves, ...console].map(
      ({ method, path }) => `${method} ${path}`,
    );
    expect(described.sort()).toEqual(expected.sort());
  });

  test('has answers for every operation, and refers only to what it holds', async () => {
    const document = await fetchDocument();
    const at = (pointer: string) =>
      pointer
        .slice(2)
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document);
    for (const route of [...contract, ...discovery, ...bulk]) {
      const { path } = route;
      const { responses = {} } = operationOf(document, route) ?? {};
      expect(responses['success' in route ? route.success : '200'], path).toMatchObject({
        description: expect.any(String) as string,
      });
      for (const response of Object.values(responses)) {
        const found = response.$ref === undefined ? response : at(response.$ref);
        expect(found, `${path} ${response.$ref}`).toMatchObject({
          description: expect.any(String) as string,
        });
      }
    }
  });

  test('has valid schemas, which well-formed bodies pass and others fail', async () => {
    const document = await fetchDocument();
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    for (const route of contract.filter((each) => !takesQuery(each))) {
      const schema = operationOf(document, route)?.requestBody?.content['application/json']?.schema ?? {};
      expect(ajv.validateSchema(schema), route.path).toBe(true);
      const validate = ajv.compile(schema);
      expect([validate(route.input), validate.errors], route.path).toEqual([true, null]);
      expect(validate({}), route.path).toBe(route.required.length === 0);
      expect((schema as { required: string[] }).required, route.path).toEqual(
        route.required.filter((name) => !name.includes('.')),
      );
    }
  });

  test('names every parameter of the queries', async () => {
    const document = await fetchDocument();
    for (const route of contract.filter(takesQuery)) {
      const parameters = operationOf(document, route)?.parameters ?? [];
      expect(parameters.filter(({ required }) => required).map(({ name }) => name)).toEqual(route.required);
      expect(parameters.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(route.input)));
    }
  });
});
