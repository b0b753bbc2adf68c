/** Each field of each provider, with any value: the effect of its purpose, and every value counted. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordConverter } from '../../../src/exports/convert/convert-record.ts';
import { type Account, imbalanceOf } from '../../../src/exports/fields/account.ts';
import { type Fields, folded } from '../../../src/exports/fields/declare.ts';
import { RowReader } from '../../../src/exports/fields/read.ts';
import { ExportFault, type SourceRow } from '../../../src/exports/providers/provider.ts';
import {
  allFields,
  declaredProviders,
  type DeclaredProvider,
  spellingsOf,
  unparsableFor,
  withValue,
} from '../../helpers/declared-fields.ts';

const declared = await declaredProviders();

const absents = [
  undefined,
  null,
  '',
  '  ',
  'NULL',
  'null',
  '(null)',
  '\\N',
  'None',
  'nil',
  'NaN',
  'NaT',
  '-',
];
const zeroDates = ['0000-00-00', '0000-00-00 00:00:00', '0001-01-01T00:00:00Z', '1900-01-01', 0];

function converted({ provider, related }: DeclaredProvider, row: SourceRow) {
  const options = provider.prepare?.({}) ?? {};
  const converter = new RecordConverter(provider, { provider: provider.name, options, tenant: undefined });
  const { user, reject } = converter.convert({ is: 'row', row }, related, 0);
  const account = converter.account();
  expect(imbalanceOf(account)).toBeUndefined();
  return { user, reject, account };
}

/** For a column in the users' table, which the report names by its path. */
function columnOf({ tables }: Account, path: readonly string[]) {
  return tables.users?.[path.join('.')];
}

describe.each(declared.map((each) => [each.provider.name, each] as const))('%s', (_, each) => {
  const { fields, user } = each;

  it('has a sample of a user who comes over', () => {
    expect(converted(each, user)).toMatchObject({ reject: undefined, account: { restricted: 0 } });
  });

  it('has no two fields of the same name', () => {
    expect(repeatedNames(fields)).toEqual([]);
  });

  it('takes names in any spelling', () => {
    const expected = new RowReader(fields).read(user, 0).values;
    for (const [name, value] of Object.entries(user)) {
      if (!isDeclared(fields, name)) continue;
      for (const spelling of spellingsOf(name)) {
        const renamed = { ...user, [name]: undefined, [spelling]: value };
        expect(new RowReader(fields).read(renamed, 0).values, spelling).toEqual(expected);
      }
    }
  });

  it.each(allFields(fields).map((field) => [field.path.join('.'), field] as const))(
    '%s',
    (_path, declaredField) => {
      const { field, path } = declaredField;
      const nothing = converted(each, withValue(user, declaredField, path.at(-1) ?? '', null));
      for (const name of field.names) {
        const at = [...path.slice(0, -1), name];
        for (const absent of absents) {
          const found = converted(each, withValue(user, declaredField, name, absent));
          expect([found.user, found.reject], JSON.stringify(absent)).toEqual([nothing.user, nothing.reject]);
          expect(columnOf(found.account, at)).toMatchObject({ used: 0, absent: 1, unparsable: 0 });
          expect(found.account.restricted).toBe(0);
        }
        for (const value of unparsableFor(field)) {
          const found = converted(each, withValue(user, declaredField, name, value));
          expect(columnOf(found.account, at), JSON.stringify(value)).toMatchObject({ unparsable: 1 });
          expectOutcome(found, field.purpose, at.join('.'));
        }
      }
      if (['time', 'evidence', 'until'].includes(field.type))
        for (const zero of zeroDates) {
          const found = converted(each, withValue(user, declaredField, path.at(-1) ?? '', zero));
          expect(found, JSON.stringify(zero)).toMatchObject({ account: { restricted: 0 } });
          expect(columnOf(found.account, path)).toMatchObject({ unparsable: 0 });
        }
    },
  );

  it('balances, whatever the columns and values', () => {
    const names = [
      ...new Set([...Object.keys(user), ...Object.values(fields).flatMap((field) => field.names)]),
    ];
    const name = fc.oneof(fc.constantFrom(...names.flatMap(spellingsOf)), fc.string({ maxLength: 12 }));
    const value = fc.oneof(
      fc.constantFrom<unknown>(...absents, ...zeroDates, ...Object.values(user), 'perhaps', true, 1.5, {}, [
        {},
      ]),
      fc.anything(),
    );
    const cells = fc.array(fc.tuple(name, value), { maxLength: 8 });
    fc.assert(
      fc.property(cells, fc.boolean(), (changes, isReal) => {
        const row = { ...(isReal && user), ...Object.fromEntries(changes) };
        // The core checks such records by its schema.
        if (each.provider.whole?.is(row) === true) return;
        const account = accountOf(each, row);
        if (account === undefined || account.skipped > 0) return;
        const columns = new Map(Object.entries(account.tables.users ?? {}));
        for (const name of Object.keys(row)) {
          const column = columns.get(name === '__proto__' ? '(__proto__)' : name);
          expect(column && column.used + column.absent + column.unparsable, name).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** undefined if the provider refuses the whole run. */
function accountOf(each: DeclaredProvider, row: SourceRow): Account | undefined {
  try {
    return converted(each, row).account;
  } catch (error) {
    if (error instanceof ExportFault) return undefined;
    throw error;
  }
}

function expectOutcome(
  { user, reject, account }: ReturnType<typeof converted>,
  purpose: string,
  column: string,
): void {
  if (purpose === 'identifies') {
    expect(reject).toMatchObject({ code: 'INVALID_FIELD', field: column });
    return;
  }
  expect(reject).toBeUndefined();
  const isGuard = purpose === 'guards';
  expect(account.restricted).toBe(isGuard ? 1 : 0);
  if (isGuard)
    expect(user).toMatchObject({
      isDisabled: true,
      requiredActions: expect.arrayContaining(['CHECK_AT_SOURCE']) as unknown,
    });
  // Without a part, such as the name of its kind, a hash may still be readable.
  if (purpose === 'hash') expect(account.passwords.absent).toBe(0);
}

function isDeclared(fields: Fields, column: string): boolean {
  return Object.values(fields).some(({ names }) => names.some((name) => folded(name) === folded(column)));
}

function repeatedNames(fields: Fields): readonly string[] {
  const names = Object.values(fields).flatMap((field) => [...new Set(field.names.map(folded))]);
  const within = Object.values(fields).flatMap(({ inner }) =>
    inner === undefined ? [] : repeatedNames(inner),
  );
  return [...names.filter((name, place) => names.indexOf(name) !== place), ...within];
}
