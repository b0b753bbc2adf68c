-- The mark of the line that made a login method's base, by which the same line is known again: see imports/parse/line-mark.ts.
-- Null where it cannot be told by its line alone, or the base was made by something else.
alter table users add column line_mark bigint;

-- An image of a login method without what imports stated of it: that is no change of the user. Nor is sealing devices.
create or replace function own_image(image jsonb) returns jsonb language sql immutable parallel safe
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

-- Written anew, because it returns all columns of users.
create or replace function user_of(app integer, id text) returns setof users language sql stable parallel safe
begin atomic
  select u.* from users u where u.app_no = app and u.user_id = as_core_id(id)
  union all
  select e.* from users e
  where e.app_no = app and e.external_id = id
    and not exists (select from users u where u.app_no = app and u.user_id = as_core_id(id));
end;
