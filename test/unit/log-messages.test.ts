/** The messages of a PostgreSQL's log, by hand: those of a real one are in test/cli/follow-log.test.ts. */
import { describe, expect, it } from 'vitest';
import { LogChanges } from '../../src/exports/sources/log/log-changes.ts';
import { namingColumns } from '../../src/exports/sources/log/named.ts';
import { lsnText, parseLsn, PgOutput } from '../../src/exports/sources/log/pgoutput.ts';
import type { FoundTable } from '../../src/exports/sources/statements.ts';

const usersTable: FoundTable = {
  name: 'users',
  schema: 'public',
  table: 'users',
  key: 'id',
  hasIntegerKey: true,
  takes: { id: 'id' },
  joins: [],
};
const columns = namingColumns([usersTable]);

const text = (value: string) => Buffer.from(`${value}\0`);
const int = (bytes: 1 | 2 | 4 | 8, value: number) => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigInt64BE(BigInt(value));
  return buffer.subarray(8 - bytes);
};
const message = (letter: string, ...parts: readonly Buffer[]) =>
  Buffer.concat([Buffer.from(letter), ...parts]);
const cell = (value: string | null | undefined) =>
  typeof value === 'string'
    ? Buffer.concat([Buffer.from('t'), int(4, Buffer.byteLength(value)), Buffer.from(value)])
    : Buffer.from(value === null ? 'n' : 'u');
const row = (letter: string, ...cells: readonly (string | null | undefined)[]) =>
  Buffer.concat([Buffer.from(letter), int(2, cells.length), ...cells.map(cell)]);
const relation = (id: number, table: string, ...names: readonly string[]) =>
  message(
    'R',
    ...[int(4, id), text('public'), text(table), Buffer.from('d'), int(2, names.length)],
    ...names.flatMap((name) => [int(1, 0), text(name), int(4, 20), int(4, -1)]),
  );
const begin = (xid: number) => message('B', int(8, 5), int(8, 6), int(4, xid));
const commit = (end: number) => message('C', int(1, 0), int(8, end - 1), int(8, end), int(8, 7));

/** What is named by these messages, after those of two relations. */
function named(...messages: readonly Buffer[]): unknown[] {
  const reader = new PgOutput(new Map([[7, columns]]));
  reader.read(relation(7, 'users', 'email', 'id'));
  reader.read(relation(8, 'orders', 'id'));
  return messages.map((each) => {
    const read = reader.read(each);
    return read.kind === 'change' ? read.cells.map(({ value }) => value) : read;
  });
}

describe('messages of the log', () => {
  it('name users before and after a change, and no other column or table', () => {
    expect(
      named(
        message('I', int(4, 7), row('N', 'ä@example.com', '1')),
        message('U', int(4, 7), row('N', undefined, '2')),
        message('U', int(4, 7), row('K', null, '2'), row('N', 'b@example.com', '3')),
        message('D', int(4, 7), row('K', null, '3')),
        message('I', int(4, 8), row('N', '9')),
        message('T', int(4, 2), int(1, 0), int(4, 7), int(4, 8)),
        message('O', int(8, 1), text('elsewhere')),
      ),
    ).toEqual([
      ['1'],
      ['2'],
      ['2', '3'],
      ['3'],
      [],
      { kind: 'truncate', tables: ['users'] },
      { kind: 'other' },
    ]);
  });

  it('of a table that is not described are refused: no user would be named', () => {
    const reader = new PgOutput(new Map([[7, columns]]));
    const change = message('I', int(4, 7), row('N', 'a@example.com', '1'));
    for (const each of [change, message('T', int(4, 1), int(1, 0), int(4, 7))])
      expect(() => reader.read(each)).toThrow('does not describe');
    reader.read(relation(7, 'users', 'email', 'id'));
    expect(reader.read(change)).toMatchObject({ kind: 'change', cells: [{ value: '1' }] });
  });

  it('that are cut off are refused at every byte', () => {
    const reader = new PgOutput(new Map([[7, columns]]));
    reader.read(relation(7, 'users', 'email', 'id'));
    for (const whole of [
      message('I', int(4, 7), row('N', 'a', '1')),
      begin(1),
      commit(9),
      relation(9, 'users', 'id'),
    ])
      for (let length = 0; length < whole.length; length++)
        // A change without rows.
        if (whole[0] !== 'I'.charCodeAt(0) || length !== 5)
          expect(() => reader.read(whole.subarray(0, length))).toThrow('cut off');
  });

  it('have positions as the server writes them', () => {
    for (const position of ['0/0', '16/B374D848', 'FFFFFFFF/FFFFFFFF', '1/5'])
      expect(lsnText(parseLsn(position))).toBe(position);
  });
});

describe('changes of a look', () => {
  const change = (value: string, isDelete = false) => ({
    kind: 'change' as const,
    isDelete,
    cells: columns.map((column) => ({ of: column, value })),
  });
  /** Transactions with these numbers, each of which changes the user of its number. */
  const of = (xids: readonly number[], most = 100) => {
    const changes = new LogChanges({ start: 10n, flushed: 1000n, most });
    for (const [place, xid] of xids.entries()) {
      changes.add({ kind: 'begin', xid });
      changes.add(change(String(xid)));
      changes.add({ kind: 'commit', end: BigInt(100 + place) });
    }
    return changes;
  };
  const keys = ({ named: found }: ReturnType<LogChanges['visibleIn']>) => [...found.values()].flat();

  it('end before the first transaction that the snapshot does not show', () => {
    const changes = of([5, 7, 6]);
    const seen = changes.visibleIn('7:9:7');
    expect([keys(seen), seen.end, seen.isAll, seen.isMore]).toEqual([['5'], 100n, false, false]);
    const none = changes.visibleIn('5:6:5');
    expect([keys(none), none.end]).toEqual([[], 10n]);
    const all = changes.visibleIn('9:9:');
    expect([keys(all), all.end, all.isAll]).toEqual([['5', '7', '6'], 1000n, true]);
  });

  it('know transactions across an overflow of their numbers', () => {
    const changes = of([0xffff_fffe, 3]);
    expect(keys(changes.visibleIn('8589934595:8589934595:'))).toEqual(['4294967294']);
    expect(keys(changes.visibleIn('8589934596:8589934596:'))).toEqual(['4294967294', '3']);
  });

  it('that stopped at a number of messages end with their last transaction, and more follow', () => {
    const seen = of([5, 6], 6).visibleIn('9:9:');
    expect([seen.end, seen.isAll, seen.isMore]).toEqual([101n, false, true]);
  });

  it('end with a commit that is after what was the end of the log', () => {
    const changes = new LogChanges({ start: 10n, flushed: 50n, most: 100 });
    changes.add({ kind: 'begin', xid: 5 });
    changes.add(change('1', true));
    changes.add({ kind: 'commit', end: 60n });
    expect(changes.visibleIn('9:9:')).toMatchObject({ end: 60n, isAll: true, removed: 1 });
  });
});
