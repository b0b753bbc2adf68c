-- Metadata, roles and restrictions of users.

-- Rare data that no request searches, under the id of the user's head.
create table user_details (
  app_no integer not null,
  user_id uuid not null,
  metadata jsonb,
  -- Imported devices, until the first request for them makes rows of totp_devices. Afterwards {"mark", "digest"} while they are
  -- unchanged, {"changed"} once they are not.
  totp_devices jsonb,
  -- isDisabled  refuses the sign-in: true, or until when, in ms since the epoch; absent if not disabled
  -- isHeld      refuses the sign-in: true, or absent
  -- stated      what the last import stated: isDisabled, isHeld, secondFactors, requiredActions
  -- here        which of isDisabled and isHeld a request set: an import leaves these alone
  restrictions jsonb,
  primary key (app_no, user_id)
);

-- For lists of restricted users, and to find quickly that an app has none.
create index user_details_restricted on user_details (app_no, user_id) where restrictions is not null;
create index user_details_unsealed on user_details (app_no, user_id) where jsonb_typeof(totp_devices) = 'array';

-- Metadata of ids without a user. That of login methods is in user_details.
create table text_metadata (
  app_no integer not null,
  user_key text not null,
  metadata jsonb not null,
  primary key (app_no, user_key)
);

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

-- Which user has which role in which tenant.
create table user_roles (
  app_no integer not null,
  user_key text not null, -- see details_key
  tenant_no integer not null,
  role text not null,
  foreign key (app_no, role) references roles on delete cascade
);

create index user_roles_by_role on user_roles (app_no, role, tenant_no);
-- Created after the other index: of equal costs, as on an empty table, the planner takes the later index, and plans are cached.
alter table user_roles add primary key (app_no, user_key, tenant_no, role);
-- Roles of ids without a user, which an import of the user takes over. The index shows quickly that an app has none. The core's
-- own ids are UUIDv7.
create index user_roles_bare on user_roles (app_no) where length(user_key) <> 36 or substr(user_key, 15, 1) <> '7';

-- The key of an id's roles and metadata: the core id of its login method; the head's if an heir has the external id of a removed
-- head, or the id is that head's; otherwise the id itself.
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

-- Roles in the form and order of records; null if there are none.
create function roles_of(app integer, key text) returns jsonb language sql stable parallel safe
begin atomic
  select jsonb_agg(
    case when r.tenants = '{public}' then jsonb_build_object('role', r.role)
      else jsonb_build_object('role', r.role, 'tenantIds', to_jsonb(r.tenants)) end
    order by r.role collate "C"
  )
  from (
    select u.role, array_agg(t.tenant_id order by t.tenant_id collate "C") as tenants
    from user_roles u join tenants t on t.app_no = u.app_no and t.tenant_no = u.tenant_no
    where u.app_no = app and u.user_key = key
    group by u.role
  ) r;
end;

-- End of a disablement: a time that never comes if it has no end, null if not disabled.
create function disabled_until(restrictions jsonb) returns bigint language sql immutable parallel safe
return case jsonb_typeof(restrictions -> 'isDisabled')
  when 'number' then (restrictions -> 'isDisabled')::bigint
  when 'boolean' then 9223372036854775807
end;

-- Whether importing these restrictions would change nothing, because the last import stated them all.
create function is_stated(stated jsonb, restrictions jsonb) returns boolean language sql immutable parallel safe
return '{"isDisabled": false}'::jsonb || coalesce(restrictions -> 'stated', '{}') || stated
  = '{"isDisabled": false}'::jsonb || coalesce(restrictions -> 'stated', '{}');

-- The restrictions of a new user; null for one who is not disabled and whose record states nothing else.
create function restrictions_of(stated jsonb) returns jsonb language sql immutable parallel safe
return case when stated <> '{"isDisabled": false}' then jsonb_strip_nulls(jsonb_build_object(
  'isDisabled', nullif(stated -> 'isDisabled', 'false'),
  'isHeld', nullif(stated -> 'isHeld', 'false'),
  'stated', stated
)) end;
