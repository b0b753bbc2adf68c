-- Whom a chunk of an import found unchanged, in one row: what claims of kind 6 say one by one. They are made of it once one of
-- the users may be met again, and it goes with the job's end, as claims do.
create table import_met (
  app_no integer not null,
  job_id uuid not null,
  lines_before bigint not null, -- physical lines of the upload in front of the chunk
  tenant_no integer not null,
  user_ids uuid[] not null,
  lines integer[] not null, -- of each user, within the chunk, from 1
  primary key (app_no, job_id, lines_before)
);
-- Random bytes do not become shorter.
alter table import_met alter user_ids set storage external;

-- As image_of, of many: planned once for all of them, where a function that is called for each is planned by each statement.
create function images_of(app integer, ids uuid[]) returns table (user_id uuid, image jsonb)
language sql stable parallel safe
begin atomic
  select u.user_id, jsonb_build_object(
    'user', to_jsonb(u.method),
    'identities', (
      select coalesce(jsonb_agg(to_jsonb(i) order by i.kind, i.key, i.tenant_no), '[]')
      from identities_of(app, u.method) i
    ),
    'details', (
      select case
        when t.metadata is null and t.totp_devices is null and t.restrictions is null and r.roles is null then null
        else jsonb_build_object(
          'app_no', app, 'user_id', u.user_id, 'metadata', t.metadata, 'roles', r.roles, 'totp_devices', t.totp_devices
        ) || case when t.restrictions is null then '{}' else jsonb_build_object('restrictions', t.restrictions) end
      end
      from (
        select case
          when exists (select from user_roles o where o.app_no = app and o.user_key = u.user_id::text)
          then roles_of(app, u.user_id::text) end as roles
      ) r
      left join user_details t on t.app_no = app and t.user_id = u.user_id
    )
  )
  from unnest(ids) w (user_id)
  cross join lateral (
    select u.user_id, u as method from users u where u.app_no = app and u.user_id = w.user_id offset 0
  ) u;
end;

create or replace function image_of(app integer, id uuid) returns jsonb language sql stable parallel safe
begin atomic
  select i.image from images_of(app, array[id]) i;
end;
