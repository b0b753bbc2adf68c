/** The rare keys of an app: see imports/parse/rare-keys.ts and migrations/0012_rare_keys.sql. */

import type { FoundRareKeys } from '../../imports/ports.ts';
import type { Query } from '../../database/database.ts';

/** $1 is the app. Each look returns the oldest transaction that had not ended: all before it are in the snapshot. */
const findRareKeysBy = (isSought: (row: string) => string): string => `
  select pg_snapshot_xmin(s.now)::text as since, d.secret, (
    select coalesce(string_agg(int8send(k.mark), ''), '') from (
      select t.mark from tombstones t where ${isSought('t')}
      union all
      select a.mark from awaited_ids a where ${isSought('a')}
    ) k
  ) as marks
  from (select pg_current_snapshot() as now) s
  cross join decoy_secret d
  limit 1`;

const findAll = findRareKeysBy((row) => `${row}.app_no = $1::int`);

/**
 * $2 is `since` of an earlier look. Ids from xmax on are those of another server, from which the rows were copied: a look at all
 * keys has read them. The sum prevents a plan made on empty tables from using an index that begins with the app.
 */
const findSince = findRareKeysBy(
  (row) =>
    `${row}.made_in >= $2::xid8 and ${row}.made_in < pg_snapshot_xmax(s.now) and ${row}.app_no + 0 = $1::int`,
);

const bytesOfMark = 8;

/** @param since of an earlier look; without it, all keys are read */
export async function findRareKeys(query: Query, appNo: number, since?: string): Promise<FoundRareKeys> {
  const [row] = await (since === undefined
    ? query<FoundRow>(findAll, [appNo])
    : query<FoundRow>(findSince, [appNo, since]));
  if (!row) throw new Error("the database's table 'decoy_secret' is empty");
  const { marks } = row;
  const read = (_: unknown, n: number): number => Number(marks.readBigInt64BE(n * bytesOfMark));
  return { ...row, marks: Float64Array.from({ length: marks.length / bytesOfMark }, read) };
}

interface FoundRow extends Pick<FoundRareKeys, 'since' | 'secret'> {
  readonly marks: Buffer;
}
