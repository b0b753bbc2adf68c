import type { KnownChunk, Recognised } from '../../../imports/ports.ts';
import type { Columns } from '../../../domain/columns.ts';
import { identityKind } from '../../../domain/identity.ts';
import {
  lineMarkBits,
  markedColumns,
  markedHereColumns,
  ownBaseBytes,
} from '../../../domain/user-columns.ts';
import type { Query, Savepoint } from '../../../database/database.ts';
import { arraysIn, namesOf, unnested } from '../../../database/relation.ts';
import { isUniqueViolation } from '../../../database/sqlstate.ts';
import { idsOf, isAsMarked, remember } from './simple-rows.ts';

/** That this job has seen those of `same`, in one row. In the order of the file, not of the ids, which needs no sort. */
const gather = `
    insert into import_met (app_no, job_id, lines_before, tenant_no, user_ids, lines)
    select $1, $2, $3::bigint, $4, g.user_ids, g.lines
    from (select array_agg(s.user_id) as user_ids, array_agg(s.line) as lines from same s) g
    where g.user_ids is not null`;

/**
 * A record known by the mark of its line states the same as the last import: none of its columns is needed. Users that this job
 * created are not among them. A login method that was linked since may have restrictions as well as its base, as in
 * simple-rows.ts. $1 is the app, $2 the job, $3 the lines before, $4 the public tenant, $5 the number of lines.
 * @param isHere a further condition on the user `u` and the line `p`
 */
const recogniseBy = (remembering: string, columns: Columns, isHere: string): string => `
  with same as materialized (
    select p.line, p.tenant_no, true as with_external, u.user_id, u.kind
    from (
      select i.*, $4::int as tenant_no, ${identityKind.email}::smallint as kind
      from ${unnested(columns, 6)} as i (${namesOf(columns)})
    ) p
    cross join lateral (
      select u.user_id, u.line_mark >> ${lineMarkBits} as kind from users u
      where u.app_no = $1::int and u.external_id = p.external_id
        and u.line_mark & ${2 ** lineMarkBits - 1} = p.line_mark and u.import_job is distinct from $2::uuid
        and (octet_length(u.base) > ${ownBaseBytes} or coalesce(u.primary_user_id, u.user_id) = u.user_id)
        and ${isHere}
      offset 0
    ) u
  ),
  remembered as (${remembering})
  select k.count, k.kinds, ${idsOf('same')} as users,
    case when k.count < $5::int then to_json(array(select s.line from same s)) else '[]' end as lines
  from (
    select coalesce(sum(k.count), 0)::int as count, json_object_agg(k.kind, k.count) as kinds
    from (select s.kind, count(*) from same s group by s.kind) k
  ) k`;
const recogniseInRow = recogniseBy(gather, markedColumns, 'true');
const recogniseInRows = recogniseBy(remember, markedColumns, 'true');
const comparedHere = { ...markedColumns, ...markedHereColumns };
/** The search for absent users needs a row for each. */
const recogniseHere = recogniseBy(remember, comparedHere, isAsMarked);

interface RecognisedRow {
  readonly count: number;
  /** See Recognised. */
  readonly users: Uint8Array;
  /** By the kind's index. */
  readonly kinds: Readonly<Record<string, number>> | null;
  readonly lines: readonly number[];
}

/** @returns undefined when one of them was seen by an earlier record of the job: then nothing is written */
export async function recogniseLines(
  savepoint: Savepoint,
  { job, linesBefore, tenantNo, lines, seenInOneRow }: KnownChunk,
): Promise<Recognised | undefined> {
  const { here } = lines;
  const columns = here ? arraysIn(comparedHere, { ...lines, ...here }) : arraysIn(markedColumns, lines);
  const recognise = seenInOneRow ? recogniseInRow : recogniseInRows;
  const statement = here ? recogniseHere : recognise;
  try {
    const [row] = await savepoint((query: Query) =>
      query<RecognisedRow>(statement, [job.appNo, job.id, linesBefore, tenantNo, lines.count, ...columns]),
    );
    if (!row) throw new Error('looking for known lines gave no result');
    const kinds = Object.entries(row.kinds ?? {}).map(([kind, count]) => [Number(kind), count] as const);
    const { count, users } = row;
    return { count, kinds: new Map(kinds), users, lines: count < lines.count ? row.lines : lines.linesOf };
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}
