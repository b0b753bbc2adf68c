import type { Field, Fields, Purpose } from '../src/exports/fields/declare.ts';
import { providers } from '../src/exports/providers/index.ts';
import type { Provider, Table } from '../src/exports/providers/provider.ts';
import { generatedNote } from './page.ts';

const introduction = `# What happens to each column

${generatedNote('src/exports/providers')}

Of each format. Letter case, underscores, hyphens and blanks in a name do not matter. \`inspect\` and \`import\` count
each column of a file: used, empty, not readable, or not in this list.

| purpose    | a value that cannot be read                                                             |
| ---------- | --------------------------------------------------------------------------------------- |
| identifies | the record is rejected                                                                  |
| guards     | the user is imported and disabled, with the action \`CHECK_AT_SOURCE\`, until you lift it |
| carries    | the user is imported without it                                                         |
| hash       | the user is imported without the password, as \`--without-password\` says                 |
| left out   | known, and not imported                                                                 |

An empty cell is spelt \`\\N\`, \`NULL\`, \`null\`, \`(null)\`, \`[NULL]\`, \`#N/A\`, \`None\`, \`nil\`, \`NaN\`, \`NaT\` or \`-\`, too. A flag is \`true\`, \`t\`, \`1\`, \`yes\` or the
word of Excel in your language. A time is that of ISO 8601, SQL, RFC 2822, Oracle or SQL Server, \`31.12.2024\`, seconds to microseconds since
1970, .NET ticks or a number of Excel. Years 1, 1900 and 9999 mean an absent value.
`;

/** @returns the text of docs/reference/columns.md. */
export function columnsPage(): string {
  return [introduction, ...providers.map(sectionOf)].join('\n');
}

function sectionOf({ title, tables }: Provider): string {
  return [`## ${title}\n`, ...tables.map(tableOf)].join('\n');
}

function tableOf({ name, fields }: Table): string {
  const rows = rowsOf(fields, '');
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`);
  const [head = '', ...body] = lines;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return `Table \`${name}\`:\n\n${[head, rule, ...body].join('\n')}\n`;
}

type Row = readonly [string, string, string, string];

function rowsOf(fields: Fields, path: string): readonly Row[] {
  const own = Object.values(fields).flatMap((field) => rowOf(field, path));
  return path === '' ? [['column', 'purpose', 'holds', 'about'], ...own] : own;
}

const types: Readonly<Record<Field['type'], string>> = {
  id: 'an id',
  text: 'a text',
  flag: 'a flag',
  time: 'a time',
  evidence: 'a time or a flag',
  until: 'the end of a lock',
  number: 'a number',
  phone: 'a phone number',
  hash: 'a hash',
  salt: 'a salt',
  list: 'a list',
  object: 'an object',
  objects: 'a list of objects',
  any: 'anything',
  word: 'a word',
  state: 'a state in words',
  others: 'all other columns',
};

function rowOf({ names, purpose, type, inner, words, about = '' }: Field, path: string): readonly Row[] {
  const shown = names.map((name) => `\`${path}${name}\``).join(', ');
  const holds = isLeftOut(purpose) ? '' : (words?.map((word) => `\`${word}\``).join(' ') ?? types[type]);
  const within = inner === undefined ? [] : rowsOf(inner, `${path}${names[0] ?? ''}.`);
  return [[shown, purpose, holds, about], ...within];
}

function isLeftOut(purpose: Purpose): boolean {
  return purpose === 'left out';
}

/**
 * Known columns that a format does not import, by the reason: names, after that of the record or the further table that they
 * belong to.
 */
export function leftOutOf({ tables }: Provider): ReadonlyMap<string, readonly string[]> {
  const reasons = new Map<string, Set<string>>();
  for (const [place, { name, fields }] of tables.entries())
    for (const { about, column } of leftOutIn(fields, place === 0 ? '' : `${name}.`)) {
      const columns = reasons.get(about) ?? new Set();
      reasons.set(about, columns.add(column));
    }
  return new Map(Array.from(reasons, ([about, columns]) => [about, [...columns]]));
}

function leftOutIn(
  fields: Fields,
  of: string,
): readonly { readonly about: string; readonly column: string }[] {
  return Object.values(fields).flatMap(({ names, purpose, about = '', inner = {} }) => [
    ...(isLeftOut(purpose) ? names.map((name) => ({ about, column: of + name })) : []),
    ...leftOutIn(inner, `${names[0] ?? ''}.`),
  ]);
}
