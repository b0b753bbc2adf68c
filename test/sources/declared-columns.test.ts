import { describe, expect, it } from 'vitest';
import { folded } from '../../src/exports/fields/declare.ts';
import type { DatabaseTable } from '../../src/exports/providers/database.ts';
import { databaseProviders } from '../../src/exports/providers/index.ts';
import type { CatalogColumn } from '../../src/exports/sources/engines/engine.ts';
import { Catalog, findTable } from '../../src/exports/sources/find.ts';
import type { DatabaseProvider } from '../../src/exports/providers/provider.ts';

const schema = 'public';
const naming = { schema, prefix: '', usersTable: undefined };

function fieldsOf(provider: DatabaseProvider, { name, as = name }: DatabaseTable) {
  const fields = provider.tables.find((table) => table.name === as)?.fields;
  return fields && Object.values(fields);
}

/** A database that has the table with these columns, and everything that is joined to it. */
function catalogOf({ tables, joins = [] }: DatabaseTable, names: readonly string[]): Catalog {
  const column = (table: string, name: string): CatalogColumn => ({
    schema,
    table,
    column: name,
    isInteger: false,
    type: 'text',
    ignoresCase: false,
  });
  const own = names.map((name) => column(tables[0] ?? '', name));
  return new Catalog([...own, ...joins.map(({ table, column: name }) => column(table, name))], schema);
}

const tables = databaseProviders.flatMap((provider) =>
  provider.database.tables.flatMap((table) => {
    const fields = fieldsOf(provider, table);
    return fields === undefined
      ? []
      : [[`${provider.name}: ${table.name}`, { provider, table, fields }] as const];
  }),
);

describe.each(tables)('%s', (_name, { provider, table, fields }) => {
  const required = [table.id, ...table.columns];
  const taken = (names: readonly string[]) =>
    Object.values(findTable(table, provider, catalogOf(table, [...required, ...names]), naming)?.takes ?? {});

  it('selects each column that the provider reads', () => {
    const read = fields.filter(({ purpose }) => purpose !== 'left out').flatMap(({ names }) => names);
    const known = new Set(required.map(folded));
    const columns = read.filter((name) => !known.has(folded(name)));
    expect(taken(columns)).toEqual(expect.arrayContaining([...required, ...columns]));
  });

  it('selects none that is left out, and none that is of the app alone', () => {
    const known = new Set(required.map(folded));
    const leftOut = fields
      .filter(({ purpose }) => purpose === 'left out')
      .flatMap(({ names }) => names)
      .filter((name) => !known.has(folded(name)));
    expect(taken([...leftOut, 'loyalty_points'])).toEqual(required);
  });
});
