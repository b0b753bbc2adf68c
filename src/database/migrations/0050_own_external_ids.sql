-- External ids of login methods that carry the external id of their user in place of a head that is gone: users.external_id is that
-- one then. A login method is shown by its own, and found by both. Where a user has the id by now, that user is meant.
create table own_external_ids (
  app_no integer not null,
  external_id text not null,
  user_id uuid not null, -- the login method
  info text, -- as in external_id_info, of this id
  primary key (app_no, external_id)
);
create unique index own_external_ids_of_user on own_external_ids (app_no, user_id);

-- The order leaves the planner no index but that of the whole key.
create or replace function user_of(app integer, id text) returns setof users language sql stable parallel safe
begin atomic
  select u.* from users u where u.app_no = app and u.user_id = as_core_id(id)
  union all
  select e.* from users e
  where e.app_no = app and e.external_id = id
    and not exists (select from users u where u.app_no = app and u.user_id = as_core_id(id))
  union all
  select m.* from users m
  where m.app_no = app
    and m.user_id = (
      select o.user_id from (
        select o.external_id, o.user_id from own_external_ids o
        where o.app_no = app and o.external_id >= id order by o.external_id limit 1
      ) o where o.external_id = id
    )
    and not exists (select from users e where e.app_no = app and e.external_id = id);
end;

create or replace function user_called(app integer, id text) returns setof users language sql stable parallel safe
begin atomic
  select e.* from users e where e.app_no = app and e.external_id = id
  union all
  select m.* from users m
  where m.app_no = app
    and m.user_id = (
      select o.user_id from (
        select o.external_id, o.user_id from own_external_ids o
        where o.app_no = app and o.external_id >= id order by o.external_id limit 1
      ) o where o.external_id = id
    )
    and not exists (select from users e where e.app_no = app and e.external_id = id);
end;

-- Devices of the user are under the head's id: a login method that carries the user's external id in place of a head that is gone
-- has them by that id, and by every id where it has none of its own. By its own ids it has its own.
create or replace function totp_key(app integer, method users, id text) returns text language sql stable parallel safe
begin atomic
  select coalesce(
    (
      select f.user_id from former_heads f
      where f.app_no = app and f.user_id = method.primary_user_id and f.heir = method.user_id
        and (method.external_id = id or not exists (
          select from own_external_ids o where o.app_no = app and o.user_id = method.user_id
        ))
    )::text,
    method.user_id::text,
    id
  );
end;
