/** Second factors of users who are restored after a job removed them. $1 is the app, $2 the job, $3 heads. */

import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { FactorSeals, KeptRestrictions } from '../../../operations/ports/ports.ts';
import { ownBaseBytes } from '../../../domain/user-columns.ts';
import type { Query } from '../../../database/database.ts';
import {
  type ImagedFactors,
  lostOf,
  type LostFactor,
  putFactorRows,
  putStaged,
  sortFactors,
} from '../undo/imaged-factors.ts';
import { imagesOfRemoved } from './images.ts';

/** For each login method. */
const imaged = `
  select b.head, b.user_id as "userId", b.factors from (${imagesOfRemoved}) b`;

interface Imaged {
  readonly head: string;
  readonly userId: string;
  readonly factors: ImagedFactors;
}

/** The image's statement about factors holds only for factors that exist. */
const forgetStated = `
  update user_details t set totp_devices = null where t.app_no = $1::int and t.user_id = any($2::uuid[])`;

/** So that the next import of their record treats factors and restrictions as stated for the first time. */
const forgetBases = `
  update users u set line_mark = null,
    base = case when octet_length(u.base) >= 42 and get_byte(u.base, ${ownBaseBytes}) & 1 = 1
      then overlay(u.base placing '\\x000000000000000000000000'::bytea from 31) else u.base end
  where u.app_no = $1::int and u.user_id = any($2::uuid[])`;

const findRestrictions = `
  select h.user_id as head, t.restrictions from unnest($2::uuid[]) h (user_id)
  left join lateral (
    select t.restrictions from user_details t where t.app_no = $1::int and t.user_id = h.user_id offset 0
  ) t on true`;

const hold = `
  insert into user_details as t (app_no, user_id, restrictions)
  select $1::int, w.user_id, w.restrictions::jsonb from unnest($2::uuid[], $3::text[]) w (user_id, restrictions)
  on conflict (app_no, user_id) do update set restrictions = excluded.restrictions`;

/**
 * Restores the factors of users who were restored before.
 * @param those app, job and heads, as an array literal
 * @returns the number of users who are held, because no key opens a factor of theirs
 */
export async function bringBackFactors(
  query: Query,
  those: readonly [appNo: number, jobId: string, heads: string],
  seals: FactorSeals,
): Promise<number> {
  const [appNo] = those;
  const all = (await query<Imaged>(imaged, those)).map((image) => judge(image, seals));
  const whole = all.filter(({ rows }) => rows.length > 0);
  if (whole.length > 0)
    await query(putFactorRows, [
      appNo,
      plainArray(whole, ({ userId }) => userId),
      textArray(whole, ({ rows }) => JSON.stringify(rows)),
    ]);
  const broken = all.filter(({ lost }) => lost.length > 0);
  if (broken.length > 0)
    await forgetStatements(
      query,
      appNo,
      plainArray(broken, ({ userId }) => userId),
    );
  const staged = all.filter(({ staged: each }) => each !== undefined);
  if (staged.length > 0)
    await query(putStaged, [
      appNo,
      plainArray(staged, ({ userId }) => userId),
      textArray(staged, (image) => JSON.stringify(image.staged)),
    ]);
  if (broken.length === 0) return 0;
  const lostOfHead = Map.groupBy(broken, ({ head }) => head);
  await holdUsers(
    query,
    appNo,
    new Map(Array.from(lostOfHead, ([head, of]) => [head, of.flatMap(({ lost }) => lost)])),
  );
  return lostOfHead.size;
}

async function forgetStatements(query: Query, appNo: number, methods: string): Promise<void> {
  await query(forgetStated, [appNo, methods]);
  await query(forgetBases, [appNo, methods]);
}

function judge({ head, userId, factors }: Imaged, seals: FactorSeals) {
  const { usable, lost } = sortFactors(factors.rows ?? [], seals);
  const lostStaged = lostOf(factors.staged, seals);
  const staged = lostStaged.length === 0 ? (factors.staged ?? undefined) : undefined;
  return {
    head,
    userId,
    rows: usable,
    staged,
    lost: [...lost, ...lostStaged],
  };
}

/** An import that states these factors holds its user, whatever a request had lifted before. */
async function holdUsers(
  query: Query,
  appNo: number,
  lost: ReadonlyMap<string, readonly LostFactor[]>,
): Promise<void> {
  const heads = plainArray([...lost.keys()], (head) => head);
  const found = await query<{ head: string; restrictions: KeptRestrictions | null }>(findRestrictions, [
    appNo,
    heads,
  ]);
  const held = found.map(({ head, restrictions }) => heldFor(lost.get(head) ?? [], restrictions ?? {}));
  await query(hold, [
    appNo,
    plainArray(found, ({ head }) => head),
    textArray(held, (each) => JSON.stringify(each)),
  ]);
}

function heldFor(
  lost: readonly LostFactor[],
  { stated, here, ...flags }: KeptRestrictions,
): KeptRestrictions {
  const secondFactors = [...new Set([...(stated?.secondFactors ?? []), ...lost])].sort();
  return {
    ...flags,
    isHeld: true,
    stated: { ...stated, isHeld: true, secondFactors },
    ...(here?.isDisabled === true && { here: { isDisabled: true } }),
  };
}
