-- Roles of an app and what they permit.
create table roles (
  app_no integer not null,
  role text not null,
  primary key (app_no, role)
);

create table role_permissions (
  app_no integer not null,
  role text not null,
  permission text not null,
  primary key (app_no, role, permission),
  foreign key (app_no, role) references roles on delete cascade
);

create index role_permissions_by_permission on role_permissions (app_no, permission);

-- Metadata that was given for ids of nobody. That of login methods is in user_details.
create table text_metadata (
  app_no integer not null,
  user_key text not null,
  metadata jsonb not null,
  primary key (app_no, user_key)
);

-- Under which key roles and metadata are kept of whom an id means: the core's id of the login method; where an heir bears
-- the external id of a head that is gone, or where the id is that of such a head, the head's; else the id itself.
create function details_key(app integer, id text) returns text language sql stable parallel safe
begin atomic
  select coalesce(
    (
      select coalesce(
        (
          select f.user_id from former_heads f
          where f.app_no = app and f.user_id = u.primary_user_id and f.heir = u.user_id and u.external_id = id
        ),
        u.user_id
      )::text
      from user_of(app, id) u
    ),
    (
      select l.primary_user_id::text from users l
      where l.app_no = app and l.primary_user_id = as_core_id(id) and l.primary_user_id <> l.user_id limit 1
    ),
    id
  );
end;
