import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addAccount, emptyAccount, imbalanceOf } from '../../../src/exports/fields/account.ts';
import { carries, guards, hash, identifies } from '../../../src/exports/fields/declare.ts';
import { laravel } from '../../../src/exports/providers/laravel.ts';
import { RecordConverter } from '../../../src/exports/convert/convert-record.ts';
import { RowReader } from '../../../src/exports/fields/read.ts';

const bcrypt = '$2b$10$BphBYvY.AAYKQlfvAwowIuUAvJXAsZBmHLwYn4x37tbrnFjh1QSZu';

const fields = {
  id: identifies.id('id'),
  password: hash.text('password'),
  deleted: guards.evidence('deleted_at'),
  joined: carries.time('created_at'),
  accounts: carries.objects(
    { provider: carries.text('provider'), banned: guards.flag('is_banned') },
    'accounts',
  ),
} as const;

describe('reading a record', () => {
  it('takes names in any spelling, and values in many', () => {
    const { values, unreadable } = new RowReader(fields).read(
      { ID: 7, PassWord: ' $2b$x ', 'Deleted At': 'FALSCH', createdAt: { $date: '2023-01-05T00:00:00Z' } },
      0,
    );
    expect(values).toEqual({
      id: '7',
      password: '$2b$x',
      deleted: false,
      joined: Date.UTC(2023, 0, 5),
      accounts: undefined,
    });
    expect(unreadable).toEqual([]);
  });

  it('says which guard and which id could not be read, within records too', () => {
    const row = {
      id: 1.5,
      deleted_at: 'gone',
      created_at: 'once',
      accounts: [{ provider: 'x', is_banned: 'Y?' }],
    };
    const { values, unreadable } = new RowReader(fields).read(row, 0);
    expect(values).toEqual({ accounts: [{ provider: 'x' }] });
    expect(unreadable).toEqual([
      { column: 'id', purpose: 'identifies', type: 'id' },
      { column: 'deleted_at', purpose: 'guards', type: 'evidence' },
      { column: 'accounts.is_banned', purpose: 'guards', type: 'flag' },
    ]);
  });

  it('is the same in whatever order its columns stand, and counts each cell of it once', () => {
    const reader = new RowReader(fields);
    const rows = Array.from({ length: 40 }, (_, place) => {
      const cells = Object.entries({ id: String(place), deleted_at: '', created_at: '2024-01-01 00:00:00' });
      // More orders and more columns than are remembered.
      const turned = [...cells.slice(place % 3), ...cells.slice(0, place % 3), [`extra${place % 20}`, 'x']];
      return Object.fromEntries(turned) as Record<string, string>;
    });
    for (const [place, row] of rows.entries())
      expect(reader.read(row, place).values).toEqual({
        id: String(place),
        deleted: false,
        joined: Date.UTC(2024, 0, 1),
      });
    const { columns } = reader.account();
    expect(columns.id).toMatchObject({ used: 40, absent: 0, unparsable: 0 });
    expect(columns.deleted_at).toMatchObject({ used: 0, absent: 40, unparsable: 0 });
    expect(columns.extra7).toMatchObject({ used: 2, absent: 0 });
  });

  it('accounts for each column, masks examples, and sees what unknown ones look like', () => {
    const reader = new RowReader(fields);
    reader.read(
      {
        id: '1',
        password: 7.5,
        created_at: '99.13.2023',
        legacy_pwd: 'x',
        is_active2: 1,
        code: '5f4dcc3b5aa765d61d8327deb882cf99',
      },
      4,
    );
    reader.read({ id: '2', password: null, created_at: '2023-01-01', shoe_size: 43 }, 5);
    const { columns } = reader.account();
    expect(columns).toMatchObject({
      id: { used: 2, absent: 0, unparsable: 0, field: 'id', purpose: 'identifies' },
      password: { used: 0, absent: 1, unparsable: 1, examples: [{ record: 4, text: '(masked)' }] },
      created_at: { used: 1, unparsable: 1, examples: [{ record: 4, text: '99.99.9999' }] },
      legacy_pwd: { used: 1, looksLike: 'hash' },
      is_active2: { looksLike: 'guard' },
      code: { looksLike: 'hash' },
    });
    expect(columns.shoe_size).not.toHaveProperty('looksLike');
  });
});

it('columns are gathered by the beginning of their names, where no other field has them', () => {
  const reader = new RowReader({
    name: carries.text('custom:name'),
    custom: carries.others('custom:'),
    rest: carries.others(''),
  });
  const row = { 'custom:name': 'x', 'custom:a': 'A', 'Custom:b': 2, 'custom:c': null, z: [1] };
  expect(reader.read(row, 0).values).toEqual({
    name: 'x',
    custom: { 'custom:a': 'A', 'Custom:b': 2 },
    rest: { z: [1] },
  });
  expect(reader.read({ 'custom:name': 'y' }, 1).values).toEqual({
    name: 'y',
    custom: undefined,
    rest: undefined,
  });
  expect(reader.account().columns).toMatchObject({
    'custom:a': { used: 1, field: 'custom' },
    'custom:c': { used: 0, absent: 1 },
    z: { used: 1, field: 'rest' },
  });
});

it('every cell of every record is counted once, however batches are cut', () => {
  const names = ['id', 'ID', 'password', 'deleted_at', 'created_at', 'x', 'y z', '__proto__', 'constructor'];
  const cell = fc.oneof(
    fc.constantFrom(null, '', 'NULL', '0000-00-00', 't', 'maybe', '2023-01-01', '$2b$10$x', 1, 0, 1.5, true),
    fc.string(),
    fc.anything(),
  );
  const rows = fc.array(
    fc.array(fc.tuple(fc.constantFrom(...names), cell), { maxLength: 9 }).map((cells) => new Map(cells)),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(rows, fc.nat({ max: 12 }), (given, cut) => {
      const sum = emptyAccount();
      const parsed = given.map((row) => Object.fromEntries(row));
      let first = 0;
      for (const batch of [parsed.slice(0, cut), parsed.slice(cut)]) {
        const reader = new RowReader(fields);
        for (const [place, row] of batch.entries()) reader.read(row, place);
        const { columns, isCut } = reader.account();
        addAccount(sum, { ...emptyAccount(), tables: { users: columns }, isCut }, first);
        first += batch.length;
      }
      const cells = parsed.reduce((all, row) => all + Object.keys(row).length, 0);
      const counted = Object.values(sum.tables.users ?? {});
      const total = counted.reduce(
        (all, { used, absent, unparsable }) => all + used + absent + unparsable,
        0,
      );
      expect(total).toBe(cells);
    }),
    { numRuns: 300 },
  );
});

it('says where totals do not add up', () => {
  const account = { ...emptyAccount(), records: 3, converted: 1, rejected: 1, skipped: 1 };
  expect(imbalanceOf({ ...account, passwords: { verifiable: 1, unknown: 0, absent: 0 } })).toBeUndefined();
  expect(imbalanceOf(account)).toMatch(/passwords of 0/);
  expect(imbalanceOf({ ...account, records: 4 })).toMatch(/4 records were read/);
});

describe('a record whose guard cannot be read', () => {
  const convert = (row: Record<string, unknown>) => {
    const converter = new RecordConverter(laravel, { provider: 'laravel', options: {}, tenant: undefined });
    return { ...converter.convert({ is: 'row', row }, {}, 0), account: converter.account() };
  };
  const ada = { id: 1, email: 'ada@example.com', password: bcrypt };

  it('is of a user who is disabled, and marked for a look at the source', () => {
    const { user, account } = convert({ ...ada, is_active: 'perhaps', banned_at: '' });
    expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
    const locked = convert({ ...ada, is_active: 'perhaps', banned_until: '2999-01-01' });
    // Without the end of the lock only the action would state the reason.
    expect(locked.user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
    expect(locked.user).not.toHaveProperty('disabledUntil');
    // Lifting the check of others enables no user that another guard disables permanently.
    const banned = convert({ ...ada, is_active: 'perhaps', banned_at: '2024-01-01' });
    expect(banned.user).toMatchObject({ isDisabled: true });
    expect(banned.user).not.toHaveProperty('requiredActions');
    expect(convert({ ...ada, banned_until: '2999-01-01' }).user).toHaveProperty('disabledUntil');
    expect(account).toMatchObject({ restricted: 1, converted: 1 });
    expect(account.tables.users?.is_active).toMatchObject({ unparsable: 1, purpose: 'guards' });
    expect(imbalanceOf(account)).toBeUndefined();
  });

  it('differs from one that is absent, from one that says no, and from what only carries', () => {
    expect(convert({ ...ada, banned_at: 'NULL', created_at: 'once' }).user).toMatchObject({
      isDisabled: false,
    });
    expect(convert({ ...ada, is_active: 'FALSCH' }).user).toMatchObject({ isDisabled: true });
    expect(convert({ ...ada, is_active: 'FALSCH' }).user).not.toHaveProperty('requiredActions');
    expect(convert(ada).user).not.toHaveProperty('isDisabled');
  });

  it('is rejected where the id cannot be read', () => {
    expect(convert({ ...ada, id: 1.5 }).reject).toMatchObject({ code: 'INVALID_FIELD', field: 'id' });
  });

  it('comes without a password that cannot be verified, which is counted', () => {
    const { user, account } = convert({ ...ada, password: '$9$what' });
    expect(user).toMatchObject({ loginMethods: [{ recipeId: 'passwordless' }] });
    expect(account.passwords).toEqual({ verifiable: 0, unknown: 1, absent: 0 });
    expect(Object.values(account.lostPasswords)).toEqual([{ count: 1, records: [0] }]);
  });
});
