import { features } from '../src/features/index.ts';
import type { Discovery } from '../src/http/routing/discovery.ts';
import type { RouteContext } from '../src/http/routing/route.ts';
import { routes } from '../src/http/routing/routes.ts';
import { Reply } from '../src/http/response/replies.ts';
import type { BulkImports } from '../src/imports/ports.ts';
import type { BulkQueue } from '../src/imports/queue/queue.ts';
import type { Operations } from '../src/operations/operations.ts';
import { generatedNote } from './page.ts';

const introduction = `# Routes

${generatedNote("the core's OpenAPI description")}

The core serves all of this with the schemas of requests and answers as OpenAPI 3.1 at \`GET /docs/openapi.json\`. A request
carries a key in \`api-key\`, or in \`Authorization: Bearer\`, where it does not say "no key"; a [named key](../operate/keys.md)
has one of the scopes in code type. A path may begin with \`/appid-{appId}\`, \`/{tenantId}\` or both; "app" marks what only the
app's public tenant can call. A route lists the
status words of its 200 answers, where there are others than \`OK\`. See [the errors](errors.md) for everything else.
`;

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly 'x-app-only'?: boolean;
  readonly 'x-key-scopes'?: readonly string[];
  readonly responses: Readonly<Record<string, { readonly content?: object } | undefined>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** @returns the text of docs/reference/http.md. */
export function httpPage(): string {
  const byTag = Map.groupBy(described(), ({ operation }) => operation.tags.join());
  const sections = [...byTag].map(([tag, group]) => `## ${tag}\n\n${group.map(item).join('')}`);
  return [introduction, ...sections].join('\n');
}

function described(): Described[] {
  return Object.entries(servedDocument().paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** Answering with the document calls no other handler, so their operations may be missing. */
function servedDocument(): { readonly paths: Paths } {
  const imports = {} as BulkImports;
  const all = routes({
    operations: {} as Operations,
    discovery: { version: '' } as Discovery,
    bulk: { imports, queue: {} as BulkQueue },
    ofFeatures: features.flatMap((feature) => feature.describe()),
  });
  const reply = all.find(({ path }) => path === '/docs/openapi.json')?.handle({} as RouteContext);
  if (!(reply instanceof Reply)) throw new Error('no route answers with the OpenAPI document at once');
  return JSON.parse(reply.body) as { paths: Paths };
}

function item({ method, path, operation }: Described): string {
  const marks = [
    ...(operation.security?.length === 0 ? ['no key'] : []),
    ...(operation['x-app-only'] === true ? ['app'] : []),
    ...(operation['x-key-scopes'] ?? []).map((scope) => `\`${scope}\``),
  ];
  const note = marks.length === 0 ? '' : ` (${marks.join(', ')})`;
  const words = statusWords(operation).filter((word) => word !== 'OK');
  const answers = words.length === 0 ? '' : `\n  ${words.map((word) => `\`${word}\``).join(', ')}`;
  return `- \`${method.toUpperCase()} ${path}\`${note}: ${operation.summary}${answers}\n`;
}

function statusWords({ responses }: Operation): string[] {
  const text = JSON.stringify(responses['200']?.content ?? {});
  return [...text.matchAll(/"enum":\[([^\]]*)\]/g)].flatMap(
    ([, words]) => JSON.parse(`[${words ?? ''}]`) as string[],
  );
}
