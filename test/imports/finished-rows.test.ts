import { describe, expect, it } from 'vitest';
import { type ColumnType, mapColumns } from '../../src/domain/columns.ts';
import {
  methodColumns,
  type StatedTexts,
  statedTexts,
  statedTextsOf,
} from '../../src/domain/user-columns.ts';
import type { SimpleRow } from '../../src/imports/parse/columns.ts';
import { RowFinisher } from '../../src/imports/parse/copy-rows.ts';
import type { FinishedRows } from '../../src/imports/parse/types.ts';
import type { BulkMethod, BulkRecord } from '../../src/imports/record/parse-record.ts';
import { now } from '../helpers/bulk-records.ts';
import { randomNumbers } from '../helpers/mutations.ts';

const job = { appNo: 7, id: '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001' };
const key = (start: string, end = '0') => start + end.repeat(32 - start.length);

interface Stated extends Partial<BulkRecord>, Partial<Pick<BulkMethod, 'isVerified' | 'email'>> {
  readonly key?: string;
  readonly kind?: 1 | 2 | 3 | 4;
  readonly tenantNo?: number;
}

function row({ key: ownKey = key('a'), kind = 1, tenantNo = 0, ...rest }: Stated): SimpleRow {
  const { externalUserId, metadata, roles, totpDevices, isVerified = true, email } = rest;
  const identity = { kind, key: ownKey };
  const method: BulkMethod = {
    recipe: 1,
    tenantNos: [tenantNo],
    identities: [identity],
    isVerified,
    isPrimary: false,
    timeJoined: now,
    isDateOdd: false,
    ...statedTextsOf({ recipeId: 'emailpassword', ...(email !== undefined && { email }) }, undefined),
    hashKind: undefined,
    plainTextPassword: undefined,
  };
  const record = {
    externalUserId,
    metadata,
    roles,
    totpDevices,
    secondFactors: undefined,
    restrictions: undefined,
    methods: [method],
  };
  return { line: 1, record, method, tenantNo, identity, base: '50', lineMark: undefined };
}

/** @param expectedBytes 0: less than the actual size */
function finish(rows: readonly Stated[], expectedBytes = 0) {
  const finisher = new RowFinisher(job, { placeSecret: { low: 1, high: 2 } }, expectedBytes);
  for (const each of rows) finisher.add(row(each));
  return finisher.parsed().rows;
}

/** Of each row, with its user's id in its fifth cell. */
function userIdsOf({ users, count }: FinishedRows): string[] {
  const all = Buffer.from(users);
  const ids: string[] = [];
  let at = 19;
  for (let cells = all.readInt16BE(at); cells >= 0; cells = all.readInt16BE(at)) {
    at += 2;
    for (let cell = 0; cell < cells; cell++) {
      const length = Math.max(all.readInt32BE(at), 0);
      if (cell === 4) ids.push(all.toString('hex', at + 4, at + 4 + length));
      at += 4 + length;
    }
  }
  expect(all).toHaveLength(at + 2);
  expect(ids).toHaveLength(count);
  return ids;
}

/** Kind, key and tenant of each row, and its user: five cells of fixed lengths. */
function identitiesOf(bytes: Uint8Array) {
  const all = Buffer.from(bytes);
  expect(all.length % 64).toBe(19 + 2);
  return Array.from({ length: (all.length - 21) / 64 }, (_, n) => {
    const at = all.subarray(19 + n * 64);
    const identity = [at.readInt16BE(22), at.toString('hex', 28, 44), at.readInt32BE(14)] as const;
    expect(at.readInt32BE(6)).toBe(job.appNo);
    return { identity, userId: at.toString('hex', 48, 64) };
  });
}

const orderOf = (bytes: Uint8Array) => identitiesOf(bytes).map(({ identity }) => identity);

describe('finished identities', () => {
  it('stand in the order of their kinds, keys and tenants, however alike these are', () => {
    const close = key('ffffffff', '1');
    const rows: Stated[] = [
      { kind: 4, key: key('0') },
      { kind: 1, key: close, tenantNo: 2 },
      { kind: 1, key: key('ffffffff', 'f') },
      { kind: 1, key: close, tenantNo: 1 },
      { kind: 2, key: key('0') },
      { kind: 1, key: key('ffffffff'), tenantNo: 9 },
      { kind: 1, key: key('7fffffff') },
      { kind: 1, key: key('80000000') },
      { kind: 1, key: key('0', '3') },
    ];
    expect(orderOf(finish(rows).identities)).toEqual([
      [1, key('0', '3'), 0],
      [1, key('7fffffff'), 0],
      [1, key('80000000'), 0],
      [1, key('ffffffff'), 9],
      [1, close, 1],
      [1, close, 2],
      [1, key('ffffffff', 'f'), 0],
      [2, key('0'), 0],
      [4, key('0'), 0],
    ]);
  });

  it.each([0, 1_000_000])('are sorted at any number, with room for %i bytes', (expectedBytes) => {
    const random = randomNumbers(5);
    const digits = () =>
      random(16 ** 6)
        .toString(16)
        .padStart(6, '0');
    const rows = Array.from({ length: 5000 }, () => ({ key: key(digits() + digits()), kind: 1 as const }));
    const finished = finish(rows, expectedBytes);
    const { identities, count } = finished;
    const found = identitiesOf(identities);
    expect(found.map(({ identity: [, each] }) => each)).toEqual(rows.map((each) => each.key).sort());
    expect(count).toBe(5000);
    const ids = userIdsOf(finished);
    const keyOf = new Map(ids.map((id, n) => [id, rows[n]?.key]));
    expect(keyOf.size).toBe(5000);
    for (const { identity, userId: id } of found) expect(keyOf.get(id)).toBe(identity[1]);
  });
});

/** The format of a cell in COPY, by the type of its column. */
const cellReaders: Readonly<Partial<Record<ColumnType, (cell: Buffer) => unknown>>> = {
  uuid: (cell) => cell.toString('hex'),
  smallint: (cell) => cell.readInt16BE(),
  bigint: (cell) => Number(cell.readBigInt64BE()),
  bool: (cell) => cell.readInt8() === 1,
  text: (cell) => cell.toString(),
  bytea: (cell) => cell.toString('hex'),
};

/** The one user of some rows, read by the table of columns. */
function userOf({ users }: FinishedRows) {
  const all = Buffer.from(users);
  let at = 21;
  const next = (read: (cell: Buffer) => unknown): unknown => {
    const length = all.readInt32BE(at);
    const cell = all.subarray(at + 4, at + 4 + length);
    at += 4 + Math.max(length, 0);
    return length < 0 ? undefined : read(cell);
  };
  expect(all.readInt16BE(19)).toBe(2 + Object.keys(methodColumns).length);
  const [appNo, jobId] = [next((cell) => cell.readInt32BE()), next((cell) => cell.toString('hex'))];
  const cells = mapColumns(methodColumns, ({ type }) => {
    const read = cellReaders[type];
    if (!read) throw new Error(`no reader of ${type}`);
    return next(read);
  });
  expect(all.length - at).toBe(2);
  return { appNo, jobId, cells };
}

/** Another text in each. */
const texts = Object.fromEntries(statedTexts.map((each) => [each, `the ${each}`])) as StatedTexts;

describe('a finished user', () => {
  it('has its cells as the table of columns says', () => {
    const method = { ...texts, recipe: 2 as const, isVerified: true, timeJoined: now };
    const finisher = new RowFinisher(job, { placeSecret: { low: 1, high: 2 } }, 0);
    const simple = row({ externalUserId: 'x', kind: 2 });
    finisher.add({ ...simple, method: { ...simple.method, ...method }, base: '5012' });
    const finished = finisher.parsed().rows;
    const [userId] = userIdsOf(finished);
    expect(userOf(finished)).toEqual({
      appNo: job.appNo,
      jobId: job.id.replaceAll('-', ''),
      cells: { ...method, userId, primaryUserId: undefined, externalId: 'x', base: '5012' },
    });
  });

  it('has no cell where nothing is stated, and its own id where it is primary', () => {
    const finisher = new RowFinisher(job, { placeSecret: { low: 1, high: 2 } }, 0);
    const simple = row({ kind: 4, isVerified: false });
    finisher.add({ ...simple, method: { ...simple.method, recipe: 3, isPrimary: true } });
    const finished = finisher.parsed().rows;
    const [userId] = userIdsOf(finished);
    expect(userOf(finished).cells).toEqual({
      recipe: 3,
      isVerified: false,
      timeJoined: now,
      base: '50',
      userId,
      primaryUserId: userId,
    });
  });
});

describe('finished rows', () => {
  it('name what has to be asked for, and details of those who have any', () => {
    const coreId = '018cc251-f400-7abc-8def-0123456789ab';
    const rows = finish([
      { externalUserId: coreId },
      { externalUserId: coreId.toUpperCase() },
      { externalUserId: '018cc251-f400-4abc-8def-0123456789ab' },
      { externalUserId: 'a', isVerified: false, email: '"a"@b' },
      { externalUserId: 'b', isVerified: false },
      { isVerified: false, email: 'c@d', tenantNo: 3 },
      { externalUserId: 'd', email: 'e@f', metadata: { a: '"' }, tenantNo: 3 },
    ]);
    const seventh = userIdsOf(rows)[6];
    expect(rows).toMatchObject({
      count: 7,
      tenants: '{0,3}',
      coreIds: `{${coreId}}`,
      unverified: { externalId: '{"a"}', email: '{"\\"a\\"@b"}' },
      details: {
        userId: `{${seventh}}`,
        metadata: '{"{\\"a\\":\\"\\\\\\"\\"}"}',
        roles: '{NULL}',
        totpDevices: '{NULL}',
      },
    });
  });

  it('may be none', () => {
    const none = finish([]);
    expect(none).toMatchObject({ count: 0, coreIds: '{}', details: { userId: '{}' } });
    expect(userIdsOf(none)).toEqual([]);
    expect(orderOf(none.identities)).toEqual([]);
  });
});
