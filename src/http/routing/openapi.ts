import { type RefusalCode, refusals } from '../../domain/errors.ts';
import type { RequestSchema } from '../../schema/fields.ts';
import type { Route } from './route.ts';

type DescribedRoute = Omit<Route, 'handle'>;
type Json = Readonly<Record<string, unknown>>;

const json = 'application/json';

/** An OpenAPI 3.1 document from the schemas that validate the requests. */
export function openApiDocument(routes: readonly DescribedRoute[], version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'carryover',
      version,
      description: 'Whatever the domain can answer is a 200 with a status word; other codes carry an Error.',
    },
    servers: [{ url: '/' }, tenantServer],
    security: [{ apiKey: [] }, { bearer: [] }],
    paths: pathsOf(routes),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Error: errorSchema },
      responses: errorResponses(),
    },
  };
}

const tenantServer = {
  url: '/appid-{appId}/{tenantId}',
  description: 'Another app or tenant. Either part of the prefix may be left out, and means public then.',
  variables: { appId: { default: 'public' }, tenantId: { default: 'public' } },
};

const errorSchema = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: Object.keys(refusals) },
    message: { type: 'string' },
  },
  required: ['status', 'message'],
};

function pathsOf(routes: readonly DescribedRoute[]): Json {
  const byPath = Map.groupBy(
    routes.filter(({ rid }) => rid === undefined), // the others are in the description of their path
    (route) => route.path,
  );
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(group.map((route) => [route.method.toLowerCase(), operation(route)])),
    ]),
  );
}

function operation(route: DescribedRoute): Json {
  return {
    summary: route.summary,
    tags: [route.tag],
    ...(route.open === true && { security: [] }),
    ...(route.scope === 'app' && { 'x-app-only': true }),
    ...(route.open !== true && route.needs !== 'any' && { 'x-key-scopes': route.needs }),
    ...withParameters(route),
    ...requestBody(route),
    responses: { ...successes(route), ...failures(route) },
  };
}

function withParameters({ path, query, describedQuery = query, requestHeaders = {} }: DescribedRoute): Json {
  const all = [
    ...(path.includes('{id}') ? [idParameter] : []),
    ...(path.includes('{name}') ? [nameParameter] : []),
    ...(describedQuery === undefined ? [] : parameters(describedQuery.schema)),
    ...Object.entries(requestHeaders).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
  ];
  return all.length === 0 ? {} : { parameters: all };
}

const idParameter = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', format: 'uuid' },
};

const nameParameter = {
  name: 'name',
  in: 'path',
  required: true,
  schema: { type: 'string' },
};

function requestBody({ body, bodyMayBeMissing, consumes, describedBody }: DescribedRoute): Json {
  if (consumes !== undefined) {
    const described =
      describedBody === undefined ? {} : { [json]: { schema: published(describedBody.schema) } };
    return {
      requestBody: { content: { ...Object.fromEntries(consumes.map((type) => [type, {}])), ...described } },
    };
  }
  if (body === undefined) return {};
  const content = { [json]: { schema: published(body.schema) } };
  return { requestBody: { required: bodyMayBeMissing !== true, content } };
}

function successes(route: DescribedRoute): Json {
  const described = Object.entries(route.successes ?? { 200: 'Answered' });
  return Object.fromEntries(
    described.map(([status, description]) => [
      status,
      { description, ...(hasContent(route, status) && { content: success(route) }) },
    ]),
  );
}

/** Among described answers, only a 200 with status words has a body. */
function hasContent(route: DescribedRoute, status: string): boolean {
  return route.successes === undefined || (status === '200' && route.statuses !== undefined);
}

function success({ contentType, statuses }: DescribedRoute): Json {
  if (contentType !== undefined) return { [contentType]: { schema: { type: 'string' } } };
  if (statuses === undefined) return { [json]: { schema: { type: 'object' } } };
  const status = { type: 'string', enum: statuses };
  return { [json]: { schema: { type: 'object', properties: { status }, required: ['status'] } } };
}

function parameters(schema: RequestSchema): Json[] {
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    in: 'query',
    required: schema.required.includes(name),
    schema: published(field),
    ...(field['x-commaList'] && { explode: false }),
  }));
}

function published(schema: object): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key.startsWith('x-') ? undefined : value)),
  );
}

function failures(route: DescribedRoute): Json {
  const statuses: number[] = [400, 404, 405, 411, 413, 500, 503, ...(route.refusals ?? [])];
  if (route.open !== true) statuses.push(401);
  if (route.scope === 'app' || (route.open !== true && route.needs !== 'any')) statuses.push(403);
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]));
}

/** One response per HTTP status, listing its codes. */
function errorResponses(): Json {
  const codes = Object.keys(refusals) as RefusalCode[];
  const byStatus = Map.groupBy(codes, (code) => refusals[code].http);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `${code}: ${refusals[code].message}`).join('\n'),
        content: { [json]: { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}
