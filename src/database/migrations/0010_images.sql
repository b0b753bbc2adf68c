-- Images of users before and after an import, for its undo.

-- A user's rows as a job found and left them, as image_of returns them.
create table import_before_images (
  job_id uuid not null,
  app_no integer not null,
  user_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  -- Second factors as the job found them, sealed as they are stored:
  --   rows    of totp_devices, as to_jsonb returns them
  --   staged  what user_details still has of them
  -- All of them for users that the job removed, otherwise imported ones only.
  factors jsonb,
  primary key (app_no, job_id, user_id)
);

-- All that an import may change of login methods, to be compared and restored. For many at once: the query is planned once for
-- all, where a function for each would be planned by each statement. Empty details are null, and an image names restrictions only
-- if there are any.
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

create function image_of(app integer, id uuid) returns jsonb language sql stable parallel safe
begin atomic
  select i.image from images_of(app, array[id]) i;
end;

-- An image without what imports stated, which is not a change of the user. Sealing devices is not a change either: a mark that is
-- the same before and after it replaces them.
create function own_image(image jsonb) returns jsonb language sql immutable parallel safe
return case jsonb_typeof(image #> '{details,totp_devices}')
  when 'array' then jsonb_set(
    image #- '{user,base}' #- '{user,line_mark}', '{details,totp_devices}',
    to_jsonb(encode(hash_mark((image #> '{details,totp_devices}')::text), 'hex'))
  )
  when 'object' then jsonb_set(
    image #- '{user,base}' #- '{user,line_mark}', '{details,totp_devices}',
    coalesce(image #> '{details,totp_devices,mark}', 'true')
  )
  else image #- '{user,base}' #- '{user,line_mark}'
end;

-- Images outlive the sealing of devices, so they contain no secrets: {"mark"} replaces devices that were not sealed yet, by which
-- own_image recognises them.
create function image_without_secrets(image jsonb) returns jsonb language sql immutable parallel safe
return case when jsonb_typeof(image #> '{details,totp_devices}') = 'array'
  then jsonb_set(
    image, '{details,totp_devices}',
    jsonb_build_object('mark', encode(hash_mark((image #> '{details,totp_devices}')::text), 'hex'))
  )
  else image
end;

-- For a removed user: the devices are removed too.
create function image_without_devices(image jsonb) returns jsonb language sql immutable parallel safe
return case when jsonb_typeof(image -> 'details') = 'object'
  then jsonb_set(image, '{details,totp_devices}', 'null') else image
end;

-- Whether the devices were not sealed yet, and are not in the image.
create function has_left_devices(image jsonb) returns boolean language sql immutable parallel safe
return coalesce(
  (image #> '{details,totp_devices}') ? 'mark' and not (image #> '{details,totp_devices}') ? 'digest', false
);
