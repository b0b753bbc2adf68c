import type { RowOf } from '../../domain/columns.ts';
import type { ChangedBy, Conflict, ConflictOutcome, DifferenceGroup, JobRef } from '../../imports/model.ts';
import type { ConflictPlace, PlacedConflict } from '../../imports/ports.ts';
import type { Query } from '../../database/database.ts';
import { insertOfJob, readFrom, rowsOfJob } from '../../database/relation.ts';

/** Fields that were changed here and at the source, as jobs found them. */

const columns = {
  line: { name: 'line', type: 'bigint', isNullable: false },
  place: { name: 'place', type: 'smallint', isNullable: false },
  externalUserId: { name: 'external_user_id', type: 'text', isNullable: true },
  methodId: { name: 'user_id', type: 'uuid', isNullable: true },
  userId: { name: 'seen_id', type: 'text', isNullable: false },
  group: { name: 'field_group', type: 'text', isNullable: false },
  field: { name: 'field', type: 'text', isNullable: false },
  here: { name: 'here', type: 'text', isNullable: false },
  source: { name: 'source', type: 'text', isNullable: false },
  done: { name: 'done', type: 'text', isNullable: false },
  changed: { name: 'changed', type: 'text', isNullable: true },
} as const;

const keep = insertOfJob('import_conflicts', columns);

/** The job belongs to its app: guessing an id does not give access to another app's conflicts. */
const list = `
  select ${readFrom('c', columns)}
  from import_jobs j
  join import_conflicts c
    on c.app_no = j.app_no and c.job_id = j.job_id and c.line >= $3::bigint and (c.line > $3 or c.place > $4::smallint)
  where j.app_no = $1 and j.job_id = $2
  order by c.line, c.place limit $5::int`;

/** @param conflicts in the order of their lines */
export async function keepConflicts(
  query: Query,
  job: JobRef,
  conflicts: readonly Conflict[],
): Promise<void> {
  await query(keep, rowsOfJob(job, columns, placed(conflicts)));
}

function placed(conflicts: readonly Conflict[]): PlacedConflict[] {
  let place = 0;
  return conflicts.map((conflict, n) => {
    place = conflicts[n - 1]?.line === conflict.line ? place + 1 : 0;
    return { ...conflict, place };
  });
}

interface Row extends RowOf<typeof columns, null> {
  readonly group: DifferenceGroup;
  readonly done: ConflictOutcome;
  readonly changed: ChangedBy | null;
}

/** @param after the last conflict of the previous page; line 0 for the first page */
export async function conflictsOf(
  read: Query,
  { appNo, id }: JobRef,
  after: ConflictPlace,
  limit: number,
): Promise<PlacedConflict[]> {
  const rows = await read<Row>(list, [appNo, id, after.line, after.place, limit]);
  return rows.map(({ externalUserId, methodId, changed, ...row }) => ({
    ...row,
    methodId: methodId ?? undefined,
    ...(externalUserId !== null && { externalUserId }),
    ...(changed !== null && { changed }),
  }));
}
