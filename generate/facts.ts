/** Blocks of pages that are otherwise written by hand: their text is generated from the tables in the code. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { kindNames, rowOf } from '../src/hashes/registry.ts';
import { constructions, desCrypt, unsupported, unsupportedSchemes } from '../src/hashes/unsupported.ts';
import { stepKinds, stepNames } from '../src/hashes/transforms/steps.ts';
import { providers, requireProvider } from '../src/exports/providers/index.ts';
import type { Place, Provider, Table, WayBack } from '../src/exports/providers/provider.ts';
import { anchorOf } from '../site/markdown.ts';
import { leftOutOf } from './columns.ts';
import { measuredBlocks } from './measured.ts';
import { table } from './table.ts';
import { session } from '../src/database/connection/settings.ts';

/** The text of each block, by its name and an argument: `<!-- facts: provider firebase -->`. */
const blocks: Readonly<Record<string, (argument: string) => string>> = {
  provider: (name) => aboutProvider(requireProvider(name)),
  'left-out': (name) => aboutLeftOut(requireProvider(name)),
  formats: () => aboutFormats(),
  hashes: () => aboutHashes(),
  'unsupported-hashes': () => aboutUnsupported(),
  'password-transforms': () => aboutTransforms(),
  pgbouncer: () => aboutPgBouncer(),
  'way-back': () => aboutWayBack(),
  ...measuredBlocks,
};

const root = path.resolve(import.meta.dirname, '..');

/** Generates the text of each page with such blocks: the page itself, with its blocks updated. */
export const pagesWithFacts: Readonly<Record<string, () => string>> = Object.fromEntries(
  [
    'docs/reference/formats.md',
    'docs/reference/hashes.md',
    'docs/operate/postgres.md',
    'docs/guide/leaving.md',
    'README.md',
    'ARCHITECTURE.md',
    'docs/measured.md',
    ...providers.map(({ name }) => `docs/from/${name}.md`),
  ].map((file) => [file, () => withCounts(withFacts(readFileSync(path.join(root, file), 'utf8')))]),
);

const marks = /(<!-- facts: .* -->\n)[\s\S]*?(<!-- \/facts -->)/g;

/** The page with each of its blocks updated. */
function withFacts(page: string): string {
  return page.replaceAll(
    marks,
    (_all, begin: string, end: string) => `${begin}\n${factsOf(begin)}\n\n${end}`,
  );
}

/** Numbers in prose, in the middle of a sentence or of a table. */
function withCounts(page: string): string {
  return page
    .replaceAll(/\b\d+(?= kinds, from bcrypt)/g, String(kindNames.length))
    .replaceAll(/\b\d+(?= formats \(providers)/g, String(providers.length));
}

function factsOf(mark: string): string {
  const [, name = '', argument = ''] = /facts: (\S+) ?(\S*) -->/.exec(mark) ?? [];
  const write = blocks[name];
  if (write === undefined) throw new Error(`there are no facts called ${name}`);
  return write(argument);
}

function aboutProvider(provider: Provider): string {
  const tables = provider.tables.map((table) => [code(table.name), formsOf(table), flagOf(table)]);
  const known = (provider.options ?? []).filter(({ name }) => name !== 'include-disabled');
  const options = known.map(({ name, about, isSwitch }) => [
    code(`--${name}${isSwitch === true ? '' : ' VALUE'}`),
    plain(about),
  ]);
  return [
    `The command calls this format \`${provider.name}\` (\`--from ${provider.name}\`). It reads:`,
    table(['table', 'forms', 'separate file'], tables),
    ...(options.length === 0 ? [] : [table(['flag', 'meaning'], options)]),
    columnsLink(provider),
    `\`carryover providers\` prints: ${plain(provider.about)}`,
  ].join('\n\n');
}

/** Under "What is lost": the prose before it adds what is not in the declarations. */
function aboutLeftOut(provider: Provider): string {
  const columns = Array.from(
    leftOutOf(provider),
    ([why, names]) => `- ${names.map(code).join(', ')}: ${plain(why)}.`,
  );
  return ['Columns that are known and not imported:', columns.join('\n')].join('\n\n');
}

/** A link to the provider's section of the page that columns.ts generates. */
function columnsLink({ title }: Provider): string {
  return `[What happens to each column](../reference/columns.md#${anchorOf(title)}) lists what it reads.`;
}

function aboutFormats(): string {
  const rows = providers.map((provider) => [
    `[${code(provider.name)}](../from/${provider.name}.md)`,
    provider.title,
    provider.tables.map(({ name }) => code(name)).join(', '),
    provider.tables.flatMap((each) => flagOf(each) || []).join(', '),
  ]);
  return table(['`--from`', 'system', 'tables', 'separate files'], rows);
}

function aboutWayBack(): string {
  const rows = providers.flatMap(({ name, wayBack }) =>
    wayBack === undefined
      ? []
      : [[`[${code(name)}](../from/${name}.md)`, plain(wayBack.reads), settingsOf(wayBack)]],
  );
  return table(['system', 'reads', 'settings of the core'], rows);
}

function settingsOf({ settings }: WayBack): string {
  const all = Object.entries(settings ?? {}).map(([name, value]) => code(`${name}: ${value}`));
  return all.length === 0 ? 'none would do' : all.join(', ');
}

/** Settings of a connection, for a pooler that cannot pass them on. */
function aboutPgBouncer(): string {
  const all = Object.entries(session);
  const lines = all.map(([name, value]) => `alter role core in database auth set ${name} = '${value}';`);
  return [
    `\`\`\`sql\n${lines.join('\n')}\n\`\`\``,
    'In `pgbouncer.ini`, on one line each:',
    `\`\`\`ini\n[databases]\nauth = host=10.0.0.5 dbname=auth pool_mode=session pool_size=40\n\n[pgbouncer]\nignore_startup_parameters = ${all.map(([name]) => name).join(',')}\n\`\`\``,
  ].join('\n\n');
}

const secretNames = { pepper: 'the pepper', signerKey: 'the signer key' } as const;

function aboutHashes(): string {
  const rows = kindNames.map((kind) => {
    const row = rowOf(kind);
    const names = [kind, ...(row.aliases ?? [])].map(code).join(', ');
    const marks = row.spellings.map(([mark]) => code(mark)).join(' ');
    return [row.label, names, marks, naming(row), row.secret === undefined ? '' : secretNames[row.secret]];
  });
  return table(['kind', '`hashingAlgorithm`', 'begins with', 'to be named', 'needs'], rows);
}

function aboutUnsupported(): string {
  const all = [...constructions, ...unsupported, ...unsupportedSchemes, desCrypt];
  return table(
    ['begins with', 'what it is', 'why it is not verified'],
    all.map(({ mark, name, why }) => [code(mark), plain(name), why]),
  );
}

function aboutTransforms(): string {
  const rows = stepNames.map((name) => {
    const { about, takesText } = stepKinds[name];
    return [code(takesText === true ? `${name}=TEXT` : name), plain(about)];
  });
  return table(['step', 'what it makes of the password'], rows);
}

/** Whether `hashingAlgorithm` has to be given next to the hash. */
function naming(row: ReturnType<typeof rowOf>): string {
  if (row.mustBeNamed !== undefined || row.spellings.length === 0) return 'always';
  return row.parseUnmarked === undefined ? 'no' : 'without a mark';
}

function flagOf({ flag }: Table): string {
  return flag === undefined ? '' : code(`--${flag} FILE`);
}

function formsOf({ places, sqlNames = [] }: Table): string {
  const names = sqlNames.map((name) => code(name)).join(', ');
  return [...places.map(formOf), ...(names === '' ? [] : [`in a dump ${names}`])].join('; ');
}

function formOf(place: Place): string {
  if (place.format === 'ndjson') return 'NDJSON';
  if (place.format === 'csv') return csvForm(place);
  return place.path.length === 0 ? 'a JSON array' : `the JSON array ${code(place.path.join('.'))}`;
}

function csvForm({ columns, skipTo }: Extract<Place, { format: 'csv' }>): string {
  if (columns !== undefined) return 'CSV without a header row';
  return skipTo === undefined ? 'CSV' : `CSV, with rows above its header (${code(skipTo)}, …)`;
}

/** Markdown's characters escaped. */
function plain(text: string): string {
  return text.replaceAll(/[|*<>]/g, String.raw`\$&`).replaceAll(/(?<!\w)_|_(?!\w)/g, String.raw`\_`);
}

function code(text: string): string {
  return `\`${text}\``;
}
