/** Dates such as 3/4/2023: read by the order of the whole column, or refused. */

import { describe, expect, it } from 'vitest';
import { AmbiguousDates } from '../../src/exports/convert/dates.ts';
import type { ConvertedBatch, ConvertPool, ConvertSource } from '../../src/exports/convert/convert.ts';
import { convert } from '../../src/exports/convert/convert.ts';
import { addAccount, emptyAccount, type Column } from '../../src/exports/fields/account.ts';
import { DateColumns } from '../../src/exports/fields/date-columns.ts';
import { carries, guards } from '../../src/exports/fields/declare.ts';
import { orderShownBy, parseEvidence, parseMoment, parseUntil } from '../../src/exports/fields/times.ts';
import { ambiguous, unparsable } from '../../src/exports/fields/parsed.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { ConvertTask } from '../../src/exports/tasks.ts';
import { createConvertPool } from '../../src/threads/convert-pool.ts';
import { textOf, useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, converted, pool } = useExportFiles(2);

const header = 'id,name,email,email_verified_at,password,remember_token,created_at\n';
const rowOf = (date: string, place: number): string => `${place},n,u${place}@example.com,,,,${date}\n`;
const tableOf = (dates: readonly string[], first = 1): string =>
  header + dates.map((date, place) => rowOf(date, first + place)).join('');

function joinedIn(batches: readonly ConvertedBatch[]): readonly (string | undefined)[] {
  return textOf(batches)
    .trimEnd()
    .split('\n')
    .map((line) => {
      const time = (JSON.parse(line) as NativeUser).loginMethods[0]?.timeJoinedInMSSinceEpoch;
      return time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);
    });
}

function columnIn(batches: readonly ConvertedBatch[], name: string, table = 'users'): Column | undefined {
  const sum = emptyAccount();
  for (const { account } of batches) addAccount(sum, account, 0);
  return sum.tables[table]?.[name];
}

const laravel = async (...dates: readonly string[]): Promise<ConvertSource> =>
  sourceOf(fileOf(tableOf(dates)), { from: 'laravel' });

describe('a column with dates that may have the day or the month first', () => {
  it.each([
    ['dmy', ['3/4/2023', '25/4/2023', '1-2-2024'], ['2023-04-03', '2023-04-25', '2024-02-01']],
    ['mdy', ['3/4/2023', '4/25/2023', '7/7/2023'], ['2023-03-04', '2023-04-25', '2023-07-07']],
  ])('is read as a later date of it shows: %s', async (order, dates, expected) => {
    const batches = await converted(await laravel(...dates));
    expect(joinedIn(batches)).toEqual(expected);
    expect(columnIn(batches, 'created_at')).toMatchObject({ order, used: 3, unparsable: 0 });
  });

  it('is decided across files, whatever the number of threads, by the last record of the last file', async () => {
    const many = Array.from({ length: 4200 }, (_, place) => `${(place % 12) + 1}/4/2023`);
    const more = [
      fileOf(tableOf(many.slice(0, 10), 20_000)),
      fileOf(tableOf(['1/1/2023', '25/4/2023'], 30_000)),
    ];
    const source = { ...(await sourceOf(fileOf(tableOf(many)), { from: 'laravel' })), more };
    const batches = await converted(source);
    expect(joinedIn(batches).slice(0, 3)).toEqual(['2023-04-01', '2023-04-02', '2023-04-03']);
    expect(columnIn(batches, 'created_at')).toMatchObject({ order: 'dmy', used: 4212, unparsable: 0 });
    const one = createConvertPool({ threads: 1 });
    const alone: ConvertedBatch[] = [];
    for await (const batch of convert(source, one)) alone.push(batch);
    await one.close();
    expect(textOf(alone)).toBe(textOf(batches));
  });

  it('with dates of both orders is read where a date says its own, and counted where not', async () => {
    const batches = await converted(await laravel('3/4/2023', '25/4/2023', '4/26/2023', '9/9/2023'));
    expect(joinedIn(batches)).toEqual([undefined, '2023-04-25', '2023-04-26', '2023-09-09']);
    const examples = [{ record: 1, text: '9/9/9999' }];
    expect(columnIn(batches, 'created_at')).toMatchObject({
      order: 'mixed',
      used: 3,
      unparsable: 1,
      examples,
    });
  });

  it('in which none shows it is refused with the flags that decide, before any line', async () => {
    const batches: unknown[] = [];
    const source = await laravel('2023-01-01', '3/4/2023', '5/6/2023');
    const all = (async () => {
      for await (const batch of convert(source, pool)) batches.push(batch);
    })();
    const error = await all.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AmbiguousDates);
    expect((error as AmbiguousDates).message).toMatch(
      /in column created_at \(first in record 2\): say it with --dates dmy .* or --dates mdy/,
    );
    expect((error as AmbiguousDates).choices.map(({ flags }) => flags.join(' '))).toEqual([
      '--dates dmy',
      '--dates mdy',
    ]);
    expect(batches).toEqual([]);
  });

  it('is counted where the source is only looked at, also after it was refused', async () => {
    const source = { ...(await laravel('3/4/2023')), dates: {} };
    await expect(converted(source)).rejects.toThrow(AmbiguousDates);
    const batches = await converted({ ...source, countsAmbiguousDates: true });
    expect(columnIn(batches, 'created_at')).toMatchObject({ order: 'unknown', unparsable: 1 });
    await expect(converted(source)).rejects.toThrow(AmbiguousDates);
  });

  it('is read as was stated, and values that cannot be so are counted', async () => {
    const source = { ...(await laravel('3/4/2023', '25/4/2023')), options: { dates: 'mdy' } };
    const batches = await converted(source);
    expect(joinedIn(batches)).toEqual(['2023-03-04', '2023-04-25']);
    expect(columnIn(batches, 'created_at')).toMatchObject({ order: 'mdy', otherOrder: 1, unparsable: 0 });
  });

  it('of a table that is joined is decided by itself', async () => {
    const user = (id: number, createdAt: string) => ({
      id: `u${id}`,
      name: 'n',
      email: `u${id}@example.com`,
      emailVerified: true,
      image: '',
      createdAt,
      updatedAt: createdAt,
    });
    const account = (id: number, createdAt: string) => ({
      id: `a${id}`,
      userId: `u${id}`,
      accountId: `g${id}`,
      providerId: 'google',
      createdAt,
    });
    const document = (ofAccount: string) =>
      JSON.stringify({
        user: [user(1, '3/4/2023'), user(2, '25/4/2023')],
        account: [account(1, '3/4/2023'), account(2, ofAccount)],
      });
    const batches = await converted(await sourceOf(fileOf(document('4/25/2023')), { from: 'better-auth' }));
    expect(columnIn(batches, 'createdAt')).toMatchObject({ order: 'dmy', unparsable: 0 });
    expect(columnIn(batches, 'createdAt', 'accounts')).toMatchObject({ order: 'mdy', unparsable: 0 });
    const open = await sourceOf(fileOf(document('5/6/2023')), { from: 'better-auth' });
    await expect(converted(open)).rejects.toThrow('in column createdAt of accounts (first in record 1)');
  });

  it('of a table of your own is decided under the name that it is mapped to', async () => {
    const text = 'id,mail,since,ban\n1,a@example.com,3/4/2023,1/2/2999\n2,b@example.com,3/31/2023,\n';
    const names = {
      externalUserId: 'id',
      email: 'mail',
      timeJoinedInMSSinceEpoch: 'since',
      bannedUntil: 'ban',
    };
    const source = await sourceOf(fileOf(text), { from: 'native', reading: { names } });
    await expect(converted(source)).rejects.toThrow(/column bannedUntil \(first in record 1\): say/);
  });
});

describe('a source without such dates', () => {
  it.each([
    ['other dates', ['2023-04-03', '25/4/2023', '', '7/7/2023', '1/1/1900', '31/12/9999'], {}],
    ['an order that was stated', ['3/4/2023'], { dates: 'dmy' }],
  ])('is read once: %s', async (_, dates, options) => {
    const tasks = new Set<string>();
    const counting: ConvertPool = {
      threads: pool.threads,
      close: () => Promise.resolve(),
      run: <Task extends ConvertTask>(task: Task) => {
        tasks.add(task.type);
        return pool.run(task);
      },
    };
    for await (const batch of convert({ ...(await laravel(...dates)), options }, counting))
      expect(batch.account.tables.users?.created_at?.unparsable).toBe(0);
    expect([...tasks]).toEqual(['convert']);
  });
});

describe('a date', () => {
  it.each([
    ['3/4/2023', 'either'],
    ['3-4-2023 10:00', 'either'],
    ['25/4/2023', 'dmy'],
    ['4/25/2023, 9:07 PM', 'mdy'],
    // The same in both orders, or the same day everywhere.
    ...['4/4/2023', '04/4/2023', '3.4.2023', '25.4.2023', '2023/3/4', '3/4/9999', '1/2/1900'].map((each) => [
      each,
    ]),
    // Not dates.
    ...['25/26/2023', '32/1/2023', '3/4/23', 'x', '', null, 1_680_480_000].map((each) => [each]),
  ])('%j shows the order %s', (value, order) => {
    expect(orderShownBy(value)).toBe(order);
  });

  it('is ambiguous only where its day matters', () => {
    expect(parseMoment('3/4/2023')).toBe(ambiguous);
    expect(parseMoment('3/4/2023', 'mixed')).toBe(unparsable);
    expect(parseUntil('3/4/2023')).toBe(ambiguous);
    expect(parseUntil('1/2/9999')).toBe(Infinity);
    expect(parseEvidence('3/4/2023')).toBe(true);
    expect(parseEvidence('1/2/1900')).toBe(false);
  });
});

it('looks at records within records, and at no column that is used elsewhere', () => {
  const fields = {
    at: carries.time('created_at'),
    gone: guards.evidence('deleted_at'),
    phones: carries.objects({ until: guards.until('until') }, 'phones'),
    owner: carries.record({ since: carries.time('since') }, 'owner'),
  };
  const columns = new DateColumns(fields, ['CreatedAt']);
  columns.read({ created_at: '3/4/2023', CreatedAt: '25/4/2023', deleted_at: '3/4/2023' }, 0);
  columns.read({ phones: '[{"until":"3/4/2023"},{"until":"4/25/2023"}]', owner: { since: '25/4/2023' } }, 7);
  columns.read({ phones: 'no list', owner: null, created_at: { $date: '5/6/2023' } }, 8);
  expect(columns.shown().columns).toEqual({
    created_at: { dmy: 0, mdy: 0, either: 2, firstEither: 0 },
    'phones.until': { dmy: 0, mdy: 1, either: 1, firstEither: 7 },
    'owner.since': { dmy: 1, mdy: 0, either: 0, firstEither: 7 },
  });
});
