/** Every field that a provider declares, and a valid record of each provider to try it in. */

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Field, type Fields, folded } from '../../src/exports/fields/declare.ts';
import { isAbsent, unparsable } from '../../src/exports/fields/parsed.ts';
import { providers } from '../../src/exports/providers/index.ts';
import type { Provider, Related, SourceRow, Table } from '../../src/exports/providers/provider.ts';
import { readSamples } from '../../src/exports/readers/sample.ts';

const folder = fileURLToPath(new URL('../exports/files/', import.meta.url));

/** A provider whose users' table declares its fields, with one of its users as the declared columns. */
export interface DeclaredProvider {
  readonly provider: Provider;
  readonly fields: Fields;
  readonly user: SourceRow;
  /** Further tables without rows. */
  readonly related: Related;
}

/** @throws Error for a provider without a sample export */
export async function declaredProviders(): Promise<readonly DeclaredProvider[]> {
  const samples: Awaited<ReturnType<typeof readSamples>>[number][] = [];
  for (const file of readdirSync(folder)) samples.push(...(await readSamples(`${folder}${file}`)));
  // For CSV without a header row and with one record the sample has only names.
  const filled = samples.filter(({ first }) => Object.values(first).some((value) => !isAbsent(value)));
  return providers.flatMap((provider) => {
    const [users, ...others] = provider.tables;
    if (users === undefined) return [];
    const { fields } = users;
    // Of equally likely forms of a file, the one whose first record has most of the columns counts.
    const known = new Set(Object.values(fields).flatMap(({ names }) => names.map(folded)));
    const scored = filled.map((sample) => {
      const columns = Object.keys(users.columnsOf?.(sample.first) ?? sample.first);
      const held = columns.filter((name) => known.has(folded(name))).length;
      return { sample, held, score: provider.recognises(sample) };
    });
    const best = scored.toSorted((one, other) => other.score - one.score || other.held - one.held)[0];
    if (best === undefined || best.score === 0)
      throw new Error(`test/exports/files has no sample export of ${provider.name}`);
    const { first } = best.sample;
    const user = users.columnsOf?.(first) ?? first;
    const related = Object.fromEntries(others.map(({ name }) => [name, []]));
    return [{ provider: withPlainTables(provider), fields, user, related }];
  });
}

/** Its users are given as columns already. */
function withPlainTables(provider: Provider): Provider {
  const plain = (table: Table): Table => {
    const { columnsOf, holds, ...rest } = table;
    return columnsOf === undefined && holds === undefined ? table : rest;
  };
  return { ...provider, tables: provider.tables.map(plain) };
}

/** A field with its path. */
export interface DeclaredField {
  /** Names of the fields around it, the outer first, and its own: each in the source's spelling. */
  readonly path: readonly string[];
  readonly field: Field;
  /** For the records around it: whether each is in a list. */
  readonly around: readonly Field[];
}

/** All fields, including those within records, without those that collect columns and have no name. */
export function allFields(fields: Fields, around: readonly Field[] = []): readonly DeclaredField[] {
  return Object.values(fields)
    .filter(({ prefix }) => prefix === undefined)
    .flatMap((field) => {
      const path = [...around, field].map(({ names }) => names[0] ?? '');
      return [{ path, field, around }, ...allFields(field.inner ?? {}, [...around, field])];
    });
}

/** The record with `value` in the field, under `name`, and no other column of the same field. Lists around it have one element. */
export function withValue(
  row: SourceRow,
  { field, around }: DeclaredField,
  name: string,
  value: unknown,
): SourceRow {
  const [outer, ...inner] = around;
  const own = outer ?? field;
  const rest = Object.fromEntries(Object.entries(row).filter(([column]) => !isNamed(own, column)));
  if (outer === undefined) return { ...rest, [name]: value };
  const [known] = Object.entries(row).filter(([column]) => isNamed(outer, column));
  const parsed = known === undefined ? undefined : outer.parse(known[1], {});
  const records = Array.isArray(parsed) ? (parsed as readonly SourceRow[]) : [parsed];
  const [first = {}] = records as readonly (SourceRow | undefined)[];
  const changed = withValue(isRecord(first) ? first : {}, { field, around: inner, path: [] }, name, value);
  return { ...rest, [outer.names[0] ?? '']: outer.type === 'objects' ? [changed] : changed };
}

function isRecord(value: unknown): value is SourceRow {
  return typeof value === 'object' && value !== null;
}

function isNamed({ names }: Field, column: string): boolean {
  return names.some((name) => folded(name) === folded(column));
}

/** `created_at` as other tools write it. */
export function spellingsOf(name: string): readonly string[] {
  const words = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const camel = words.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [
    ...new Set([
      name,
      words,
      words.toUpperCase(),
      camel,
      words.replaceAll('_', ' '),
      words.replaceAll('_', '-'),
    ]),
  ];
}

/** Values of every type, some of which each field refuses. */
const values: readonly unknown[] = [
  {},
  [],
  [[]],
  { a: 1 },
  [1.5],
  1.5,
  -7.5,
  true,
  'Y?!',
  'perhaps',
  '31.31.2024',
  '3/4/2024',
  '0049 (0)',
  '+1',
  '{"a":',
  "[{'a': x}]",
  '9'.repeat(40),
  Number.NaN,
];

/** Those that the field cannot read. */
export function unparsableFor(field: Field): readonly unknown[] {
  return values.filter((value) => field.parse(value, {}) === unparsable);
}

const examples: Readonly<Record<Exclude<Field['type'], 'object' | 'objects' | 'word' | 'others'>, unknown>> =
  {
    id: 'a-42',
    text: 'a text',
    any: 'a text',
    hash: 'a hash',
    salt: 'a salt',
    list: [],
    flag: false,
    evidence: false,
    state: 'active',
    number: 5,
    phone: '+4915112345678',
    time: '2024-01-05T10:30:00Z',
    until: '2024-01-05T10:30:00Z',
  };

/** A value that the field can read, made from its declaration. */
export function exampleFor({ type, inner, words, parse }: Field): unknown {
  if (type === 'objects') return [exampleRecord(inner ?? {})];
  if (type === 'object') return exampleRecord(inner ?? {});
  if (type === 'word') return words?.[0];
  if (type === 'others') return undefined;
  // For a provider whose field has a special parser.
  return [examples[type], '5'].find((value) => parse(value, {}) !== unparsable);
}

/** A record that has each of the fields under its usual name, and in each record within it, too. */
export function exampleRecord(fields: Fields): SourceRow {
  const named = Object.values(fields).filter(({ prefix }) => prefix === undefined);
  return Object.fromEntries(named.map((field) => [field.names[0] ?? '', exampleFor(field)]));
}
