import { textArray } from '../../../domain/pg-array.ts';
import type { Database } from '../../../database/database.ts';
import type { Metadata } from '../../../operations/ports/ports.ts';
import { noteActivity } from '../../../store/users/activity.ts';
import type { MetadataChange, MetadataStore } from '../model.ts';

/**
 * The user who has the key, with the lock of an import on users that it changes, so that neither overwrites what the other has
 * read; and if the key is a head's without a login method of its own, the others of the user.
 */
const owner = `
  meant as materialized (select details_key($1::int, $2::text) as key),
  owner as materialized (
    select u.user_id from users u
    where u.app_no = $1 and u.user_id = any(array(
      select as_core_id(m.key) from meant m
      union all
      select l.user_id from meant m
      join users l on l.app_no = $1 and l.primary_user_id = as_core_id(m.key) and l.primary_user_id <> l.user_id
    ))
    order by u.user_id
    for no key update
  ),
  owned as materialized (select as_core_id(m.key) as user_id from meant m where exists (select 1 from owner)),
  noted as (${noteActivity('details_changed_at', '(select $1::int as app_no, o.user_id from owner o)')})`;

const merged = (kept: string): string => `(coalesce(${kept}, '{}'::jsonb) || $3::text::jsonb) - $4::text[]`;

/** The upsert's own lock serialises changes of one user. An app that is being removed gets no more rows. */
const merge = `
  with ${owner},
  of_user as (
    insert into user_details as d (app_no, user_id, metadata)
    select $1, o.user_id, ${merged('null')} from owned o
    on conflict (app_no, user_id) do update set metadata = ${merged('d.metadata')}
    returning d.metadata
  ),
  app as materialized (select a.app_no from apps a where a.app_no = $1 for key share),
  of_text as (
    insert into text_metadata as t (app_no, user_key, metadata)
    select a.app_no, m.key, ${merged('null')} from app a, meant m where not exists (select 1 from owned)
    on conflict (app_no, user_key) do update set metadata = ${merged('t.metadata')}
    returning t.metadata
  )
  select metadata from of_user union all select metadata from of_text`;

const remove = `
  with ${owner},
  of_user as (
    update user_details d set metadata = null from owned o where d.app_no = $1 and d.user_id = o.user_id
  )
  delete from text_metadata t using meant m where t.app_no = $1 and t.user_key = m.key`;

/** Top-level keys of metadata are set and removed; nested values are stored unchanged. */
export function metadataStore({ write }: Database): MetadataStore {
  return {
    merge: async ({ appNo, userId, set, removed }: MetadataChange) => {
      const keys = textArray(removed, (key) => key);
      const [row] = await write<{ metadata: Metadata }>(merge, [appNo, userId, JSON.stringify(set), keys]);
      return row?.metadata ?? {};
    },
    remove: async (appNo, userId) => {
      await write(remove, [appNo, userId]);
    },
  };
}
