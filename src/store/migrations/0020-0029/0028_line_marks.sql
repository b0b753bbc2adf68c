-- The mark of the line that made a login method's base, by which the same line is known again: see imports/parse/line-mark.ts.
-- Null where it cannot be told by its line alone, or the base was made by something else.
alter table users add column line_mark bigint;

-- An image of a login method without what imports stated of it: that is no change of the user.
create or replace function own_image(image jsonb) returns jsonb language sql immutable parallel safe
return image #- '{user,base}' #- '{user,line_mark}';

-- Written anew, because it returns all columns of users.
create or replace function user_of(app integer, id text) returns setof users language sql stable parallel safe
begin atomic
  select u.* from users u where u.app_no = app and u.user_id = as_core_id(id)
  union all
  select e.* from users e
  where e.app_no = app and e.external_id = id
    and not exists (select from users u where u.app_no = app and u.user_id = as_core_id(id));
end;
