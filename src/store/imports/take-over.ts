/**
 * Accounts that were signed up here, without proof of who owns them, and are taken over by a record: their links end, and data
 * created here for them is removed. Restrictions remain: the operator set them. $1 is the app.
 */

import { plainArray } from '../../domain/pg-array.ts';
import type { TakenOver } from '../../imports/parse/types.ts';
import type { Query } from '../../database/database.ts';
import { forgetTotp } from '../removal/forget-traces.ts';
import { sessionKeysOf } from '../users/end-sessions.ts';
import { part } from '../users/linking/unlink.ts';

const idsOf = (rows: string): string =>
  `(select m.user_id::text from ${rows} m union all select m.external_id from ${rows} m where m.external_id is not null)`;

/** $2 the record's login methods, $3 all whose sessions and reset links end, each with its id from before the record. */
const drop = `
  with taken as materialized (
    select u.user_id, u.external_id, u.email from users u where u.app_no = $1::int and u.user_id = any($2::uuid[])
  ),
  ended as materialized (
    select u.user_id, u.external_id from users u where u.app_no = $1 and u.user_id = any($3::uuid[])
  ),
  no_sessions as (
    delete from sessions s where s.app_no = $1 and s.user_key = any(array(
      select k.key from ended e cross join ${sessionKeysOf('e')}
    ))
  ),
  no_links as (
    delete from tokens t where t.app_no = $1 and t.purpose = 2 and t.user_id = any(array${idsOf('ended')})
  ),
  no_tokens as (
    delete from tokens t where t.app_no = $1 and t.purpose <> 2 and t.user_id = any(array${idsOf('taken')})
  ),
  no_verified as (
    delete from verified_emails v where v.app_no = $1 and v.user_id = any(array${idsOf('taken')})
  ),
  no_info as (
    delete from external_id_info e where e.app_no = $1 and e.user_id = any(array(select m.user_id from taken m))
  ),
  no_sign_in_codes as (
    delete from passwordless_devices p where p.app_no = $1 and p.email = any(array(select m.email from taken m))
  ),
  no_roles as (
    delete from user_roles r where r.app_no = $1 and r.user_key = any(array(select m.user_id::text from taken m))
  ),
  ${forgetTotp('taken')}
  update user_details d set metadata = null, totp_devices = null
  where d.app_no = $1 and d.user_id = any(array(select m.user_id from taken m))`;

/** Ends the links, before images are kept: an undo does not restore links. */
export async function partTaken(query: Query, appNo: number, taken: readonly TakenOver[]): Promise<void> {
  for (const { head, parted, isLast } of taken)
    for (const id of parted) await part(query, { appNo, head, id, isLast });
}

/** Removes data created here for the accounts, after the images from which an undo restores it. */
export async function dropTaken(query: Query, appNo: number, taken: readonly TakenOver[]): Promise<void> {
  if (taken.length === 0) return;
  const idsIn = (name: 'methods' | 'ended'): string =>
    plainArray(
      taken.flatMap((each) => each[name]),
      (id) => id,
    );
  await query(drop, [appNo, idsIn('methods'), idsIn('ended')]);
}
