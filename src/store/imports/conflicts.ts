import type { ConflictGroup, ConflictOutcome, JobRef } from '../../imports/model.ts';
import type { ConflictPlace, PlacedConflict } from '../../imports/ports.ts';
import type { Conflict } from '../../imports/model.ts';
import { plainArray, textArray } from '../../domain/pg-array.ts';
import type { Query } from '../database/database.ts';

/** Fields that were changed here and at the source, as jobs found them. */

const keep = `
  insert into import_conflicts (
    app_no, job_id, line, place, external_user_id, user_id, seen_id, field_group, field, here, source, done
  )
  select $1::int, $2::uuid, c.* from unnest(
    $3::bigint[], $4::smallint[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
    $12::text[]
  ) c (line, place, external_user_id, user_id, seen_id, field_group, field, here, source, done)`;

/** The job stands in its app: nobody reads another app's conflicts by guessing an id. */
const list = `
  select c.line, c.place, c.external_user_id as "externalUserId", c.user_id as "methodId", c.seen_id as "userId",
    c.field_group as "group", c.field, c.here, c.source, c.done
  from import_jobs j
  join import_conflicts c
    on c.app_no = j.app_no and c.job_id = j.job_id and c.line >= $3::bigint and (c.line > $3 or c.place > $4::smallint)
  where j.app_no = $1 and j.job_id = $2
  order by c.line, c.place limit $5::int`;

/** @param conflicts in the order of their lines */
export async function keepConflicts(
  query: Query,
  { appNo, id }: JobRef,
  conflicts: readonly Conflict[],
): Promise<void> {
  const rows = placed(conflicts);
  await query(keep, [
    appNo,
    id,
    plainArray(rows, ({ line }) => line),
    plainArray(rows, ({ place }) => place),
    textArray(rows, ({ externalUserId }) => externalUserId),
    plainArray(rows, ({ methodId }) => methodId),
    textArray(rows, ({ userId }) => userId),
    textArray(rows, ({ group }) => group),
    textArray(rows, ({ field }) => field),
    textArray(rows, ({ here }) => here),
    textArray(rows, ({ source }) => source),
    textArray(rows, ({ done }) => done),
  ]);
}

function placed(conflicts: readonly Conflict[]): PlacedConflict[] {
  let place = 0;
  return conflicts.map((conflict, n) => {
    place = conflicts[n - 1]?.line === conflict.line ? place + 1 : 0;
    return { ...conflict, place };
  });
}

interface Row extends ConflictPlace {
  readonly externalUserId: string | null;
  readonly methodId: string;
  readonly userId: string;
  readonly group: ConflictGroup;
  readonly field: string;
  readonly here: string;
  readonly source: string;
  readonly done: ConflictOutcome;
}

/** @param after the last one of the page before; line 0 for the first page */
export async function conflictsOf(
  read: Query,
  { appNo, id }: JobRef,
  after: ConflictPlace,
  limit: number,
): Promise<PlacedConflict[]> {
  const rows = await read<Row>(list, [appNo, id, after.line, after.place, limit]);
  return rows.map(({ externalUserId, ...row }) => ({
    ...row,
    ...(externalUserId !== null && { externalUserId }),
  }));
}
