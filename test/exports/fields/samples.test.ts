/** Sample exports have declared columns, and each declared column has a sample: in an export, or made from it. */

import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/exports/convert/convert-record.ts';
import { type Account, imbalanceOf } from '../../../src/exports/fields/account.ts';
import type { Fields } from '../../../src/exports/fields/declare.ts';
import { RowReader } from '../../../src/exports/fields/read.ts';
import { providers } from '../../../src/exports/providers/index.ts';
import type { SourceRow, Table } from '../../../src/exports/providers/provider.ts';
import { declaredProviders, exampleRecord } from '../../helpers/declared-fields.ts';

const declared = await declaredProviders();

const tables = providers.flatMap((provider) =>
  provider.tables.map((table) => [`${provider.name}: ${table.name}`, table] as const),
);

/** Columns by outcome. */
function readIn(fields: Fields, row: SourceRow) {
  const reader = new RowReader(fields);
  const reading = reader.read(row, 0);
  return { ...reading, columns: Object.entries(reader.account().columns) };
}

describe.each(tables)('%s', (_name, { fields, idOf }: Table) => {
  it('reads each of its fields in a record made of them', () => {
    const row = exampleRecord(fields);
    const { columns, unreadable } = readIn(fields, row);
    expect(unreadable).toEqual([]);
    const missed = columns.filter(([, { used, field }]) => used !== 1 || field === undefined);
    expect(missed.map(([name]) => name)).toEqual([]);
    expect(columns.length).toBeGreaterThanOrEqual(Object.keys(row).length);
    expect(idOf(row)).toBeDefined();
  });
});

describe.each(declared.map((each) => [each.provider.name, each] as const))('%s', (_name, each) => {
  const { provider, fields, user, related } = each;

  it('has a sample export of declared columns alone', () => {
    const unknown = readIn(fields, user).columns.filter(([, { field }]) => field === undefined);
    expect(unknown.map(([name]) => name)).toEqual([]);
  });

  it('converts or refuses a record of all fields, and accounts for each', () => {
    const options = provider.prepare?.({}) ?? {};
    const rules = { provider: provider.name, options, tenant: undefined };
    const converter = new RecordConverter(provider, rules);
    const row = exampleRecord(fields);
    if (provider.whole?.is(row) === true) return;
    const { user: converted, reject } = converter.convert({ is: 'row', row }, related, 0);
    expect(converted ?? reject).toBeDefined();
    const account: Account = converter.account();
    expect(imbalanceOf(account)).toBeUndefined();
    expect(Object.keys(account.tables.users ?? {})).toEqual(expect.arrayContaining(Object.keys(row)));
  });
});
