import type { CreatedChunk } from '../../../imports/ports.ts';
import type { JobRef } from '../../../imports/model.ts';
import type { FinishedRows } from '../../../imports/parse/types.ts';
import { identityColumns, methodColumns, storedDetails } from '../../../domain/user-columns.ts';
import type { Copy, Query, Savepoint } from '../../../database/database.ts';
import { arraysIn, namesOf, storedFrom, unnested } from '../../../database/relation.ts';
import { createStatedRoles } from '../stated-roles.ts';
import { hasCreatedFormer, hasFormer, keysOfRows } from './former.ts';
import { isAborted, isUniqueViolation } from '../../../database/sqlstate.ts';

/**
 * Creates users that are all new, which is the usual case of an import: COPY of finished rows takes less than half the time of
 * inserts that check for conflicts first (bench bulk). The unique keys decide: any conflict rolls everything back. Neither table
 * has a trigger or a default that would make COPY insert its rows individually.
 */

/** All tenants in one look-up: for each alone, a plan made while there were few would read all of the app's. */
const holdTenants = `
  with wanted as materialized (
    select w.tenant_no from unnest($2::int[]) w (tenant_no)
  ),
  held as materialized (
    select t.tenant_no from tenants t
    where t.app_no = $1::int and t.tenant_no = any(array(select w.tenant_no from wanted w))
    for key share
  )
  select ((select count(*) from wanted) - (select count(*) from held))::int as missing`;

/** No external id may be a user's core id. */
const findCoreIds = `
  select exists (
    select 1 from unnest($2::uuid[]) c (id)
    cross join lateral (select 1 from users u where u.app_no = $1::int and u.user_id = c.id offset 0) u
  ) as found`;

const findAnyPair = 'select exists (select 1 from verified_emails v where v.app_no = $1::int) as found';

const findPairs = `
  select exists (
    select 1 from unnest($2::text[], $3::text[]) p (external_id, email)
    cross join lateral (
      select 1 from verified_emails v
      where v.app_no = $1::int and v.user_id = p.external_id and v.email = p.email
      offset 0
    ) v
  ) as found`;

const copyIdentities = `copy identities (app_no, ${namesOf(identityColumns)}) from stdin (format binary)`;

const copyUsers = `copy users (app_no, import_job, ${namesOf(methodColumns)}) from stdin (format binary)`;

const createDetails = `
  insert into user_details (app_no, ${namesOf(storedDetails)})
  select $1::int, ${storedFrom('d', storedDetails, { restrictions: 'd.kept' })}
  from (
    select d.*, restrictions_of(d.restrictions::jsonb) as kept
    from ${unnested(storedDetails, 2)} as d (${namesOf(storedDetails)})
  ) d
  where d.metadata is not null or d.totp_devices is not null or d.kept is not null`;

/** A tenant was removed, or a row would differ from its record: no row of the chunk is tried. */
class NotAllNew extends Error {
  override readonly name = 'NotAllNew';
}

/** @returns whether all rows were new and are created; otherwise nothing is changed */
export async function createRows(savepoint: Savepoint, { job, rows }: CreatedChunk): Promise<boolean> {
  try {
    await savepoint((query, copy) => createAll(query, copy, job, rows));
    return true;
  } catch (error) {
    // Why a COPY failed is not always known; if it was not a conflict, the slower way will report it.
    if (isUniqueViolation(error) || isAborted(error) || error instanceof NotAllNew) return false;
    throw error;
  }
}

async function createAll(query: Query, copy: Copy, job: JobRef, rows: FinishedRows): Promise<void> {
  const { appNo } = job;
  const [held] = await query<{ missing: number }>(holdTenants, [appNo, rows.tenants]);
  if (held?.missing !== 0 || (await isInDoubt(query, appNo, rows))) throw new NotAllNew();
  await copy(copyIdentities, rows.identities);
  await copy(copyUsers, rows.users);
  if ((await hasFormer(query, appNo)) && (await hasCreatedFormer(query, job, keysOfRows(rows))))
    throw new NotAllNew();
  if (rows.details.userId === '{}') return;
  await query(createDetails, [appNo, ...arraysIn(storedDetails, rows.details)]);
  await createStatedRoles(query, { ...rows.details, appNo, dryRun: false });
}

/** Most chunks have no such rows, and most apps no pair. */
async function isInDoubt(query: Query, appNo: number, rows: FinishedRows): Promise<boolean> {
  const { coreIds, unverified } = rows;
  const isFound = async (text: string, ...columns: string[]): Promise<boolean> => {
    const [row] = await query<{ found: boolean }>(text, [appNo, ...columns]);
    return row?.found ?? true;
  };
  if (coreIds !== '{}' && (await isFound(findCoreIds, coreIds))) return true;
  if (unverified.email === '{}' || !(await isFound(findAnyPair))) return false;
  return isFound(findPairs, unverified.externalId, unverified.email);
}
