/** Who may import whom in src/ and workers/, as data; each refusal names what to do instead. */
import type { Import, Module } from './import-graph.ts';
import { findCycles } from './import-graph.ts';

type Strength = 'values' | 'types';

interface Layer {
  readonly name: string;
  readonly holds: RegExp;
  /** Layers that may be imported, itself always; `types` means with `import type` only. */
  readonly may: Readonly<Record<string, Strength>>;
  readonly instead: string;
}

/** The first layer whose `holds` matches is the file's. */
const layers: readonly Layer[] = [
  {
    name: 'leaf',
    holds:
      /^src\/((model|errors|settings|startup-error|user|ids|place|log|metrics|config|secret-file|environment-secret|api-keys|admission|sweeper|welcome|identity|email|digests|columns|heap-growth|process-start|listening-note|stop-signals|cancel-reasons|absent-refusals|json-text)\.ts|(config|metrics)\/)/,
    may: {},
    instead: 'let whoever calls the leaf pass in what it needs',
  },
  {
    name: 'algorithms',
    holds: /^src\/password\/algorithms\//,
    may: { password: 'values', leaf: 'values' },
    instead: 'take what is needed as an argument',
  },
  {
    name: 'password',
    holds: /^src\/password\//,
    may: { leaf: 'values' },
    instead: 'parse and bound here; computing belongs to workers/, where it blocks nobody',
  },
  {
    name: 'schema',
    holds: /^src\/schema\//,
    may: { leaf: 'values' },
    instead: 'give the request its types here and let the others import those',
  },
  {
    name: 'ports',
    holds: /^src\/operations\/ports(\.ts|\/)/,
    may: { leaf: 'types' },
    instead: 'say it in the nouns of model.ts and settings.ts',
  },
  {
    name: 'providers',
    holds: /^src\/bulk\/((providers|readers|convert)\/|convert\.ts)/,
    may: { bulk: 'values', protocol: 'types', password: 'values', leaf: 'values' },
    instead: 'a provider is a pure function of its record; the command reads files and talks to the core',
  },
  {
    name: 'bulk',
    holds: /^src\/bulk\//,
    may: { ports: 'types', protocol: 'types', schema: 'values', password: 'values', leaf: 'values' },
    instead: 'declare what is needed in bulk/ports.ts and have core.ts pass it in',
  },
  {
    name: 'operations',
    holds: /^src\/operations\//,
    may: { ports: 'types', schema: 'types', password: 'values', leaf: 'values' },
    instead: 'declare what is needed in operations/ports.ts and have core.ts pass it in',
  },
  {
    name: 'store',
    holds: /^src\/store\//,
    may: { ports: 'types', bulk: 'types', leaf: 'values' },
    instead: 'implement an interface of operations/ports.ts and let the operations call it',
  },
  {
    name: 'http',
    holds: /^src\/http\//,
    may: { operations: 'types', bulk: 'types', schema: 'values', leaf: 'values' },
    instead: 'call an operation, or declare what is needed in http/ports.ts and have core.ts pass it in',
  },
  {
    name: 'protocol',
    holds: /^workers\/protocol\.ts$/,
    may: { password: 'types', bulk: 'types', providers: 'types', schema: 'types', leaf: 'types' },
    instead: 'plain data only crosses to a thread: describe it with types',
  },
  {
    name: 'workers',
    holds: /^workers\//,
    may: {
      protocol: 'types',
      bulk: 'values',
      providers: 'values',
      schema: 'values',
      password: 'values',
      algorithms: 'values',
      leaf: 'values',
    },
    instead: 'put it into the task that workers/protocol.ts describes',
  },
  {
    name: 'pool',
    holds: /^src\/(pool|rows-pool|convert-pool|task-queue|task-queue\/.*|threads)\.ts$/,
    may: { protocol: 'types', bulk: 'types', providers: 'types', password: 'values', leaf: 'values' },
    instead: 'implement PasswordHasher of operations/ports.ts and have core.ts pass in the rest',
  },
  {
    name: 'core',
    holds: /^src\/core(\.ts|\/)/,
    may: {
      pool: 'values',
      http: 'values',
      store: 'values',
      operations: 'values',
      bulk: 'values',
      leaf: 'values',
    },
    instead: 'compose it from the layers; hashes are computed behind pool.ts',
  },
  {
    name: 'command',
    holds: /^src\/(cli\.ts|cli\/)/,
    may: { pool: 'values', bulk: 'values', providers: 'values', password: 'values', leaf: 'values' },
    instead: 'the command talks to a core over HTTP, and converts in threads',
  },
  {
    name: 'main',
    holds: /^src\/main\.ts$/,
    may: { core: 'values', store: 'values', leaf: 'values' },
    instead: 'let core.ts compose it',
  },
];

interface Door {
  readonly through: RegExp;
  /** Where more may be known of it than at run time. */
  readonly types?: RegExp;
  readonly instead: string;
}

const doors: Readonly<Record<string, Door>> = {
  'uWebSockets.js': {
    through: /^src\/http\/uwebsockets\.ts$/,
    instead: 'use the shapes of native.ts',
  },
  'node:http': {
    through: /^src\/(http\/node-http|cli\/http)\.ts$/,
    types: /^src\/(http\/node-(connection|response)|cli\/(core-client|tus))\.ts$/,
    instead: 'use the shapes of native.ts, or the client of cli/http.ts',
  },
  piscina: {
    through: /^(src\/threads|workers\/hand-over)\.ts$/,
    instead: 'ask the PasswordHasher, or another pool; in a thread, use hand-over.ts',
  },
  commander: { through: /^src\/cli(\.ts|\/)/, instead: 'take options as an argument' },
  'cli-progress': { through: /^src\/cli\/progress\.ts$/, instead: 'report to a Progress of cli/progress.ts' },
  'csv-parse': { through: /^src\/bulk\/readers\/csv\.ts$/, instead: 'use the CSV reader' },
  postgres: { through: /^src\/store\/driver\.ts$/, instead: 'use Database of store/database.ts' },
  'lru-cache': {
    through: /^src\/(store\/tenants|operations\/guess-tables)\.ts$/,
    instead: 'ask the tenant store, or the tables of the throttle',
  },
  bcrypt: { through: /^src\/password\/algorithms\/bcrypt\.ts$/, instead: 'ask the PasswordHasher' },
  '@node-rs/argon2': {
    through: /^src\/password\/algorithms\/argon2\.ts$/,
    instead: 'ask the PasswordHasher',
  },
  ajv: {
    through: /^src\/schema\/generate\.ts$/,
    instead: 'use parseBody and parseQuery of schema/validate.ts',
  },
  'json-schema-to-ts': {
    through: /^$/,
    types: /^src\/schema\/requests\.ts$/,
    instead: 'import the types that schema/requests.ts derives',
  },
  yaml: { through: /^src\/config\.ts$/, instead: 'take a Config' },
  'prom-client': {
    through: /^src\/metrics(\.ts|\/requests\.ts)$/,
    instead: 'use Metrics of metrics.ts',
  },
  pino: { through: /^src\/log\.ts$/, instead: 'use Logger of log.ts' },
  uuid: { through: /^src\/ids\.ts$/, instead: 'take the id that the operation made' },
  'node:child_process': {
    through: /^src\/(store\/embedded\/|cli\/plan\/private-core\.ts$)/,
    instead: 'spawn nothing',
  },
};

/** The environment belongs to main.ts; PostgreSQL's own programs need the PATH and get nothing else. */
const environmentDoor = /^src\/(main|cli|store\/embedded\/run-as)\.ts$/;
/** Programs: they do something when they are run. */
const programs = /^src\/(main|cli|schema\/generate)\.ts$/;
const maxLines = 300;

export interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** One line for each breach: where, what, and what to do instead. */
export function breaches(modules: readonly Module[], packages: Dependencies): string[] {
  return [
    ...modules.flatMap((module) => [
      ...module.imports.flatMap((each) => breachOf(module.path, each, packages) ?? []),
      ...breachesOfFile(module),
    ]),
    ...findCycles(modules).map((files) => `a cycle: ${files.join(' → ')}: move what they share into a leaf`),
  ];
}

function breachOf(from: string, each: Import, packages: Dependencies): string | undefined {
  const isOwn = /^(src|workers)\//.test(each.target);
  const why = isOwn
    ? layerBreach(from, each)
    : (doorBreach(from, each) ?? packageBreach(from, each, packages));
  return why && `${from}:${each.line} imports ${each.target}: ${why}`;
}

function layerOf(file: string): Layer | undefined {
  return layers.find(({ holds }) => holds.test(file));
}

function layerBreach(file: string, { target, typeOnly }: Import): string | undefined {
  const from = layerOf(file);
  const to = layerOf(target);
  if (!from || !to) return `no layer holds ${from ? target : file}: give it one in architecture-rules.ts`;
  if (from === to) return undefined;
  const strength = from.may[to.name];
  if (strength === 'values' || (strength === 'types' && typeOnly)) return undefined;
  const allowed = Object.entries(from.may).map(([name, how]) =>
    how === 'types' ? `types of ${name}` : name,
  );
  return `${from.name} may import ${allowed.join(', ') || 'leaves only'}. Instead, ${from.instead}`;
}

function doorBreach(from: string, { target, typeOnly }: Import): string | undefined {
  const door = doors[target];
  if (!door) return undefined;
  if (door.through.test(from) || (typeOnly && door.types?.test(from))) return undefined;
  return `its only door is ${[door.through, door.types].flatMap((each) => each?.source ?? []).join(' or ')}. Instead, ${door.instead}`;
}

function packageBreach(from: string, each: Import, packages: Dependencies): string | undefined {
  const { target, typeOnly } = each;
  if (target.startsWith('node:') || typeOnly || programs.test(from)) return undefined;
  if (!Object.hasOwn(packages.dependencies, target))
    return 'it is not in "dependencies", so it is not there in production. Instead, do without or move it there';
  return Object.hasOwn(doors, target)
    ? undefined
    : 'it has no door. Instead, name the one file that may import it in architecture-rules.ts';
}

function breachesOfFile({ path: file, lines, effects, readsEnvironment }: Module): string[] {
  const found: string[] = [];
  if (lines > maxLines) found.push(`${file} has ${lines} lines, over ${maxLines}: divide it by what it does`);
  if (readsEnvironment && !environmentDoor.test(file))
    found.push(`${file} reads process.env: take a setting of Config instead`);
  if (!programs.test(file))
    for (const line of effects)
      found.push(`${file}:${line} does something when imported: put it into a function that core.ts calls`);
  return found;
}
