import type { JobRef } from '../../../imports/model.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Database, Query } from '../../../database/database.ts';
import { endSessionsOfDisabled } from '../../users/end-sessions.ts';
import { removeLocked } from '../../removal/remove-user.ts';
import { completeImages, keepImages } from '../change.ts';
import { factorsOfRemoved } from '../undo/imaged-factors.ts';

/** Users in one transaction: short enough that no request waits long for a lock. */
const usersAtOnce = 500;

/** A cancellation waits for the page, and the next page sees it. */
const holdReceiving = `
  select 1 from import_jobs j where j.app_no = $1 and j.job_id = $2 and j.state = 1 for share`;

/** Another core may do the same: the second one waits, and finds the page done. */
const nextPage = `
  select a.user_id from import_absent a
  where a.app_no = $1 and a.job_id = $2 and a.done = 1
  order by a.user_id limit ${usersAtOnce} for update`;

const findMembers = `
  select u.user_id, h.user_id as head from unnest($2::uuid[]) h (user_id)
  cross join lateral (
    select u.user_id from users u where u.app_no = $1 and u.user_id = h.user_id
    union all
    select u.user_id from users u
    where u.app_no = $1 and u.primary_user_id = h.user_id and u.primary_user_id <> u.user_id
  ) u`;

const lockMembers = `
  select u.user_id from users u
  where u.app_no = $1 and u.user_id = any($2::uuid[])
  order by u.user_id
  for update`;

/** Without users whose restriction a request has lifted, and those who are disabled already. */
const findEnabled = `
  select h.user_id from unnest($2::uuid[]) h (user_id)
  where not exists (
    select 1 from user_details t
    where t.app_no = $1 and t.user_id = h.user_id
      and (t.restrictions -> 'isDisabled' = 'true' or t.restrictions -> 'here' -> 'isDisabled' = 'true')
    offset 0
  )`;

const disable = `
  insert into user_details as t (app_no, user_id, restrictions)
  select $1::int, h.user_id, '{"isDisabled": true, "stated": {"isDisabled": true}}'
  from unnest($2::uuid[]) h (user_id)
  on conflict (app_no, user_id) do update set
    restrictions = coalesce(t.restrictions, '{}') || jsonb_build_object(
      'isDisabled', true, 'stated', coalesce(t.restrictions -> 'stated', '{}') || '{"isDisabled": true}'
    )`;

/** So that a record that states the same as before is not treated as unchanged: it enables its user again. */
const markAbsent = `
  update users u set base = set_byte(u.base, 0, get_byte(u.base, 0) | 8), line_mark = null
  where u.app_no = $1 and u.user_id = any($2::uuid[]) and u.base is not null`;

const readImages = `
  select i.user_id, i.image::text as image,
    ${factorsOfRemoved('i.user_id', "(i.image #> '{details,totp_devices}')")}::text as factors
  from images_of($1::int, $2::uuid[]) i`;

/** After the removal, which deletes all images of the removed users. `removed`: an undo creates the login method again. */
const keepOfRemoved = `
  insert into import_before_images (app_no, job_id, user_id, before, after, factors)
  select $1::int, $2::uuid, w.user_id, image_without_secrets(w.image::jsonb), '{"removed": true}', w.factors::jsonb
  from unnest($3::uuid[], $4::text[], $5::text[]) w (user_id, image, factors)`;

const mark = `
  update import_absent a set done = w.done, members = case when w.done = 3 then w.members::uuid[] end
  from unnest($3::uuid[], $4::smallint[], $5::text[]) w (user_id, done, members)
  where a.app_no = $1 and a.job_id = $2 and a.user_id = w.user_id`;

/** `rebased` shows that the job has images. */
const count = `
  update import_jobs j set absent_done = j.absent_done + $3::bigint, rebased = j.rebased + $3::bigint
  where j.app_no = $1 and j.job_id = $2`;

interface Member {
  readonly user_id: string;
  readonly head: string;
}

/** Disables or removes the absent users, page by page; after a crash it continues from the last page. */
export async function actOnAbsent(
  database: Database,
  job: JobRef,
  rule: 'disable' | 'remove',
): Promise<void> {
  while (await database.transaction((query) => actOnPage(query, job, rule)));
}

async function actOnPage(query: Query, job: JobRef, rule: 'disable' | 'remove'): Promise<boolean> {
  const key = [job.appNo, job.id] as const;
  if ((await query(holdReceiving, key)).length === 0) return false;
  const page = (await query<{ user_id: string }>(nextPage, key)).map((row) => row.user_id);
  if (page.length === 0) return false;
  const members = await lock(query, job.appNo, page);
  const byHead = Map.groupBy(members, ({ head }) => head);
  const there = page.filter((head) => byHead.get(head)?.some(({ user_id: id }) => id === head));
  const acted = rule === 'remove' ? there : await enabled(query, job.appNo, there);
  const methods = acted.flatMap((head) => byHead.get(head) ?? []).map((row) => row.user_id);
  const isActed = new Set(acted);
  await query(mark, [
    ...key,
    idArray(page),
    plainArray(page, (head) => (isActed.has(head) ? (rule === 'remove' ? 3 : 2) : 4)),
    textArray(page, (head) => idArray((byHead.get(head) ?? []).map((row) => row.user_id))),
  ]);
  // After the mark: a removal leaves the rows of users that it can restore.
  if (acted.length > 0) await (rule === 'remove' ? removeAll : disableAll)(query, job, acted, methods);
  await query(count, [...key, acted.length]);
  return true;
}

/** Twice: a linking may have held the lock until now, and the first look is from before that. */
async function lock(query: Query, appNo: number, heads: readonly string[]): Promise<readonly Member[]> {
  const find = () => query<Member>(findMembers, [appNo, idArray(heads)]);
  const lockThose = async (found: readonly Member[]): Promise<void> => {
    await query(lockMembers, [appNo, idArray(found.map((row) => row.user_id))]);
  };
  await lockThose(await find());
  const members = await find();
  await lockThose(members);
  return members;
}

async function enabled(query: Query, appNo: number, heads: readonly string[]): Promise<string[]> {
  const rows = await query<{ user_id: string }>(findEnabled, [appNo, idArray(heads)]);
  return rows.map((row) => row.user_id);
}

async function disableAll(
  query: Query,
  { appNo, id }: JobRef,
  heads: readonly string[],
  methods: readonly string[],
): Promise<void> {
  await query(keepImages, [appNo, id, idArray(methods)]);
  const disabled = textArray(heads, () => '{"isDisabled": true}');
  await query(endSessionsOfDisabled, [appNo, idArray(heads), disabled]);
  await query(disable, [appNo, idArray(heads)]);
  await query(markAbsent, [appNo, idArray(methods)]);
  await query(completeImages, [appNo, id, idArray(methods)]);
}

/** Without a tombstone: a user who is in the source again is imported again. */
async function removeAll(
  query: Query,
  { appNo, id }: JobRef,
  _heads: readonly string[],
  methods: readonly string[],
): Promise<void> {
  const images = await query<{ user_id: string; image: string; factors: string }>(readImages, [
    appNo,
    idArray(methods),
  ]);
  await query(removeLocked, [appNo, idArray(methods)]);
  const columns = [
    plainArray(images, (row) => row.user_id),
    textArray(images, (row) => row.image),
    textArray(images, (row) => row.factors),
  ];
  await query(keepOfRemoved, [appNo, id, ...columns]);
}

function idArray(ids: readonly string[]): string {
  return plainArray(ids, (each) => each);
}
