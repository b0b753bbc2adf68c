/** Allowed imports in src/ and workers/, as data; each refusal names the alternative. */
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

const foundation = { domain: 'values', process: 'values', config: 'values', metrics: 'values' } as const;

/** Folders, the deepest that fits first. A layer may import those below it only. */
const layers: readonly Layer[] = [
  {
    name: 'domain',
    holds: /^src\/domain\//,
    may: {},
    instead: 'let the caller pass in what is needed',
  },
  {
    name: 'receipts',
    holds: /^src\/receipts\//,
    may: { domain: 'values' },
    instead: 'formats of receipts know no import and no core; let the caller pass in what is needed',
  },
  {
    name: 'metrics',
    holds: /^src\/process\/metrics\//,
    may: { domain: 'values', process: 'values' },
    instead: 'let the caller pass in what is needed',
  },
  {
    name: 'process',
    holds: /^src\/process\//,
    may: { domain: 'values' },
    instead: 'let the caller pass in what is needed',
  },
  {
    name: 'config',
    holds: /^src\/config\//,
    may: { domain: 'values', process: 'values' },
    instead: 'let the caller pass in what is needed',
  },
  {
    name: 'verify',
    holds: /^src\/hashes\/verify\//,
    may: { hashes: 'values', ...foundation },
    instead: 'take what is needed as an argument',
  },
  {
    name: 'hashes',
    holds: /^src\/hashes\//,
    may: { ...foundation },
    instead: 'parse and bound here; computing belongs to workers/, where it does not block the event loop',
  },
  {
    name: 'schema',
    holds: /^src\/schema\//,
    may: { ...foundation },
    instead: 'give the request its types here and let the others import those',
  },
  {
    name: 'ports',
    holds: /^src\/operations\/ports\//,
    may: { domain: 'types', config: 'types' },
    instead: 'say it in the nouns of domain/model.ts and config/tenant-settings.ts',
  },
  {
    name: 'sources',
    holds: /^src\/exports\/sources\//,
    may: { exports: 'values', database: 'values', ...foundation },
    instead: 'reads the tables that a provider describes; exports convert them, and the command writes them',
  },
  {
    name: 'exports',
    holds: /^src\/exports\//,
    may: { imports: 'values', hashes: 'values', ...foundation },
    instead: 'a provider is a pure function of its record; the command reads files and talks to the core',
  },
  {
    name: 'imports',
    holds: /^src\/imports\//,
    may: { ports: 'types', schema: 'values', hashes: 'values', receipts: 'values', ...foundation },
    instead: 'declare what is needed in imports/ports.ts and have core.ts pass it in',
  },
  {
    name: 'operations',
    holds: /^src\/operations\//,
    may: { ports: 'types', schema: 'types', hashes: 'values', ...foundation },
    instead: 'declare what is needed in operations/ports and have core.ts pass it in',
  },
  {
    name: 'database',
    holds: /^src\/database\//,
    may: { ...foundation },
    instead: 'connections, transactions and tables belong here; what a table holds belongs to the store',
  },
  {
    name: 'embedded',
    holds: /^src\/embedded\//,
    may: { ...foundation },
    instead: 'start and stop PostgreSQL here; the database speaks to it',
  },
  {
    name: 'store',
    holds: /^src\/store\//,
    may: { database: 'values', ports: 'types', imports: 'types', ...foundation },
    instead: 'implement an interface of operations/ports and let the operations call it',
  },
  {
    name: 'http',
    holds: /^src\/http\//,
    may: { operations: 'types', ports: 'types', imports: 'types', schema: 'values', ...foundation },
    instead: 'call an operation, or declare what is needed in http/ports.ts and have core.ts pass it in',
  },
  {
    name: 'features',
    holds: /^src\/features\//,
    may: {
      http: 'values',
      operations: 'values',
      ports: 'types',
      imports: 'values',
      store: 'values',
      database: 'values',
      schema: 'values',
      hashes: 'values',
      receipts: 'values',
      ...foundation,
    },
    instead: 'declare what is needed in FeatureParts and have core/server.ts pass it in',
  },
  {
    name: 'workers',
    holds: /^workers\//,
    may: {
      imports: 'values',
      exports: 'values',
      schema: 'values',
      hashes: 'values',
      verify: 'values',
      ...foundation,
    },
    instead: 'put it into the task that tasks.ts of hashes/, imports/ or exports/ describes',
  },
  {
    name: 'threads',
    holds: /^src\/threads\//,
    may: { imports: 'types', exports: 'types', hashes: 'values', ...foundation },
    instead: 'implement PasswordHasher of operations/ports and have core.ts pass in the rest',
  },
  {
    name: 'core',
    holds: /^src\/core\//,
    may: {
      features: 'values',
      threads: 'values',
      http: 'values',
      store: 'values',
      database: 'values',
      embedded: 'values',
      operations: 'values',
      ports: 'types',
      imports: 'values',
      ...foundation,
    },
    instead: 'compose it from the layers; hashes are computed behind threads/',
  },
  {
    name: 'load',
    holds: /^src\/load\//,
    may: {},
    instead: 'take what is needed as an argument: the command and the benchmarks share this',
  },
  {
    name: 'page',
    holds: /^src\/page\//,
    may: {},
    instead: 'take what is shown as an argument: the command and the benchmarks share this',
  },
  {
    name: 'cli',
    holds: /^src\/cli\//,
    may: {
      load: 'values',
      page: 'values',
      threads: 'values',
      imports: 'values',
      exports: 'values',
      sources: 'values',
      hashes: 'values',
      receipts: 'values',
      ...foundation,
    },
    instead: 'the command talks to a core over HTTP, and converts in threads',
  },
  {
    name: 'main',
    holds: /^src\/(main|cli)\.ts$/,
    may: { core: 'values', cli: 'values', ...foundation },
    instead: 'let core/core.ts compose it, or a file of cli/ do it',
  },
];

interface Door {
  readonly through: RegExp;
  /** If its types may be imported more widely than its values. */
  readonly types?: RegExp;
  readonly instead: string;
}

const doors: Readonly<Record<string, Door>> = {
  'uWebSockets.js': {
    through: /^src\/http\/front-ends\/uwebsockets\.ts$/,
    instead: 'use the shapes of native.ts',
  },
  'node:http': {
    through: /^src\/(http\/front-ends\/node-http|http\/outgoing\/exchange|cli\/client\/http|load\/wire)\.ts$/,
    types:
      /^src\/(http\/front-ends\/node-(connection|response)|cli\/client\/(core-client|tus)|load\/answer)\.ts$/,
    instead: 'use the shapes of native.ts, or the client of cli/client/http.ts',
  },
  piscina: {
    through: /^(src\/threads\/piscina|workers\/hand-over)\.ts$/,
    instead: 'ask the PasswordHasher, or another pool; in a thread, use hand-over.ts',
  },
  commander: { through: /^src\/cli(\.ts|\/)/, instead: 'take options as an argument' },
  'cli-progress': {
    through: /^src\/cli\/output\/progress\.ts$/,
    instead: 'report to a Progress of cli/output/progress.ts',
  },
  tinyglobby: {
    through: /^src\/cli\/input\/files\/expand\.ts$/,
    instead: 'use expandFiles of cli/input/files/expand.ts',
  },
  yauzl: { through: /^src\/exports\/readers\/bytes\/zip\.ts$/, instead: 'use the reader of files' },
  'xz-decompress': { through: /^src\/exports\/readers\/bytes\/xz\.ts$/, instead: 'use the reader of files' },
  'csv-parse': { through: /^src\/exports\/readers\/csv\.ts$/, instead: 'use the CSV reader' },
  postgres: {
    through: /^src\/(database\/driver|exports\/sources\/engines\/postgres)\.ts$/,
    instead: 'use Database of database/database.ts',
  },
  'pg-connection-string': {
    through: /^src\/database\/connection\/uri\.ts$/,
    instead: 'take a UriTarget',
  },
  mysql2: {
    through: /^src\/exports\/sources\/engines\/mysql\.ts$/,
    types: /^src\/exports\/sources\/engines\/mysql-tls\.ts$/,
    instead: 'ask an Engine of exports/sources/engines',
  },
  'libphonenumber-js': {
    through: /^src\/(operations\/users\/phone|exports\/fields\/national-phones)\.ts$/,
    instead: 'call spellPhone, or nationalPhone for what an export writes',
  },
  'lru-cache': {
    through:
      /^src\/(store\/recent-cache|features\/(old-systems\/(asking|wrong-pairs)|sessions\/keys\/keys|session-carry\/(jwt\/key-sets|redeem))|operations\/(sign-in\/guess-tables|users\/activity))\.ts$/,
    instead: 'ask the tenant store, the tables of the throttle, or the keys of sessions',
  },
  jose: {
    through: /^src\/features\/session-carry\/(jwt\/signature|cookies\/authjs)\.ts$/,
    types: /^src\/features\/session-carry\/jwt\//,
    instead:
      'open tokens of old systems in features/session-carry; our own are signed by features/sessions/access-token.ts',
  },
  ldapts: {
    through: /^src\/http\/outgoing\/directory\.ts$/,
    instead: 'ask a directory through inDirectory of operations/ports/outgoing.ts',
  },
  bcrypt: { through: /^src\/hashes\/verify\/bcrypt\.ts$/, instead: 'ask the PasswordHasher' },
  '@node-rs/argon2': {
    through: /^src\/hashes\/verify\/argon2\.ts$/,
    instead: 'ask the PasswordHasher',
  },
  'json-schema-to-ts': {
    through: /^$/,
    types: /^src\/schema\/input\.ts$/,
    instead: 'import the types that schema/input.ts derives',
  },
  yaml: { through: /^src\/(config\/load|cli\/load\/yaml)\.ts$/, instead: 'take a Config' },
  'prom-client': {
    through: /^src\/(process\/metrics\/|features\/[^/]+\/metrics\.ts$)/,
    instead: 'use Metrics of process/metrics/metrics.ts',
  },
  pino: { through: /^src\/process\/log\.ts$/, instead: 'use Logger of process/log.ts' },
  uuid: { through: /^src\/domain\/ids\.ts$/, instead: 'take the id that the operation made' },
  'node:child_process': {
    through:
      /^src\/(embedded\/|cli\/plan\/calibrate\/private-core\.ts$|features\/console\/command-process\.ts$)/,
    instead: 'spawn nothing',
  },
};

/**
 * The environment belongs to main.ts; PostgreSQL's own programs need only the PATH. The name by which the command was started is
 * not a setting.
 */
const environmentDoor = /^src\/(main|cli|process\/called|embedded\/command|http\/front-ends\/front-end)\.ts$/;
/** Programs act when they are run; node-20 extends the language when it is imported. */
const programs = /^src\/(main|cli|process\/node-20)\.ts$/;

export interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** One line for each breach: where, what, and the alternative. */
export function breaches(modules: readonly Module[], packages: Dependencies): string[] {
  return [
    ...modules.flatMap((module) => [
      ...module.imports.flatMap((each) => breachOf(module.path, each, packages) ?? []),
      ...breachesOfFile(module),
    ]),
    ...findCycles(modules).map(
      (files) => `a cycle: ${files.join(' → ')}: move what they share into a file of its own`,
    ),
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
  if (from === to) return from.name === 'features' ? featureBreach(file, target) : undefined;
  const strength = from.may[to.name];
  if (strength === 'values' || (strength === 'types' && typeOnly)) return undefined;
  const allowed = Object.entries(from.may).map(([name, how]) =>
    how === 'types' ? `types of ${name}` : name,
  );
  return `${from.name} may import ${allowed.join(', ') || 'nothing else'}. Instead, ${from.instead}`;
}

/** A feature may import from another one only the exports of its feature.ts; all may import feature.ts of the folder above. */
function featureBreach(file: string, target: string): string | undefined {
  const own = featureOf(file);
  const other = featureOf(target);
  if (other === undefined || other === own || target === `src/features/${other}/feature.ts`) return undefined;
  return `a feature may import of another what that exports in feature.ts. Instead, export it there`;
}

/** The folder of a feature; undefined for code that all features share. */
export function featureOf(file: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(file)?.[1];
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

function breachesOfFile({ path: file, effects, readsEnvironment }: Module): string[] {
  const found: string[] = [];
  if (readsEnvironment && !environmentDoor.test(file))
    found.push(`${file} reads process.env: take a setting of Config instead`);
  if (!programs.test(file))
    for (const line of effects)
      found.push(`${file}:${line} does something when imported: put it into a function that core.ts calls`);
  return found;
}
