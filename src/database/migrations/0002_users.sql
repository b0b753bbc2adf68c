-- Login methods, their keys, and the functions that find a user by an id.

-- One row for each login method; linked methods have the id of their user. user_id is a UUIDv7 of the join date, so the primary
-- key is also the order of lists. There is no foreign key to apps: it would cost a look-up for each row, and writers lock their
-- tenant's row instead.
create table users (
  app_no integer not null,
  recipe smallint not null, -- 1 emailpassword, 2 thirdparty, 3 passwordless
  email_verified boolean not null,
  user_id uuid not null,
  primary_user_id uuid, -- null: neither linked nor primary; equal to user_id: the head of a linked user
  time_joined bigint not null, -- ms since the epoch
  email text,
  password_hash text, -- or the mark of an old system that knows the password: see domain/legacy-mark.ts
  third_party_id text,
  third_party_user_id text,
  phone text,
  external_id text,
  import_job uuid, -- the job that created the row
  -- Short digests of what the last import of the login method stated, after a byte of flags: see imports/parse/base.ts. Null:
  -- never imported. A repeated import is a three-way merge of this, the record and what is stored.
  base bytea,
  -- The mark that recognises the line that made `base`: see imports/parse/line-mark.ts. Null if the line alone does not determine
  -- the result, or something else made `base`.
  line_mark bigint,
  primary key (app_no, user_id)
);

create unique index users_external_id on users (app_no, external_id) where external_id is not null;
create index users_linked on users (app_no, primary_user_id) where primary_user_id <> user_id;
create index users_third_party_email on users (app_no, email) where recipe = 2;
-- Counts users whose password only an old system knows. Other users have no entry.
create index users_legacy on users (app_no, password_hash) where password_hash ^@ '$legacy$';

-- The unique look-up: which login method has this email, provider identity or phone number in this tenant. The tenant is last in
-- the key, so that all tenants of a login method are neighbours.
create table identities (
  app_no integer not null,
  tenant_no integer not null,
  kind smallint not null, -- see identity_kind
  key uuid not null, -- see identity_key
  user_id uuid not null,
  primary key (app_no, kind, key, tenant_no)
);

-- Paging through a small tenant must not scan the app. The public tenant, where imports write, has no entries.
create index identities_of_tenant on identities (app_no, tenant_no, user_id) where tenant_no <> 0;
-- The neighbour of a key in a tenant. The public tenant uses the primary key.
create index identities_of_tenant_by_key on identities (app_no, tenant_no, key) where tenant_no <> 0 and kind = 1;

-- Keys that an import stated and the user has changed here: a record that still states one finds its user by it. A row counts
-- only while the user's base states the key, so a leftover has no effect.
create table former_identities (
  app_no integer not null,
  tenant_no integer not null,
  kind smallint not null, -- as in identities
  key uuid not null,
  user_id uuid not null,
  primary key (app_no, kind, key, tenant_no)
);
create index former_identities_of_user on former_identities (user_id);

-- Linked users whose head's own login method was removed while others stayed. The user keeps the head's id.
create table former_heads (
  app_no integer not null,
  user_id uuid not null, -- of the head
  heir uuid not null, -- the login method that carries the user's external id from then on
  primary key (app_no, user_id)
);

create table external_id_info (
  app_no integer not null,
  user_id uuid not null,
  info text not null,
  primary key (app_no, user_id)
);

-- External ids of heirs (see former_heads), whose users.external_id is the user's. An heir is shown with its own id and found by
-- both. If another user has the id by now, it means that user.
create table own_external_ids (
  app_no integer not null,
  external_id text not null,
  user_id uuid not null, -- the login method
  info text, -- as in external_id_info, of this id
  primary key (app_no, external_id)
);
create unique index own_external_ids_of_user on own_external_ids (app_no, user_id);

-- Keys

create function identity_kind(recipe smallint, email text) returns smallint
language sql immutable parallel safe
return case when recipe = 3 and email is null then 4 else recipe end;

-- The first 16 bytes of SHA-256 over what identifies the login method; src/domain/identity.ts computes the same. The leading
-- length in bytes distinguishes ('a', 'bc') from ('ab', 'c').
create function identity_key(recipe smallint, email text, third_party_id text, third_party_user_id text, phone text)
returns uuid language sql immutable parallel safe
return substring(
  encode(
    sha256(
      convert_to(
        case
          when recipe = 2 then octet_length(third_party_id) || ':' || third_party_id || third_party_user_id
          else coalesce(email, phone)
        end,
        'UTF8'
      )
    ),
    'hex'
  ) for 32
)::uuid;

-- Distinguishes stored hashes without revealing them: the first 16 bytes of SHA-256.
create function hash_mark(password_hash text) returns bytea language sql immutable parallel safe
return substring(sha256(convert_to(password_hash, 'UTF8')) for 16);

-- Whether a base states a key: for a passwordless login method the phone number comes after the email.
create function base_states(base bytea, kind smallint, key uuid) returns boolean language sql immutable parallel safe
return substring(base from case when kind = 4 then 12 else 6 end for 6) = substring(uuid_send(key) for 6);

-- Null for text that is not a core id, so that external ids can be compared without an error.
create function as_core_id(id text) returns uuid language sql immutable parallel safe
return case when id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then id::uuid end;

-- Look-ups. Functions that return users must be created again when the table gets a column.

-- The login method of an id: a core id first, then an external id, then one of own_external_ids. At most one row. The order by
-- leaves the planner no index but that of the whole key.
create function user_of(app integer, id text) returns setof users language sql stable parallel safe
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

-- The login method that has this external id. At most one row.
create function user_called(app integer, id text) returns setof users language sql stable parallel safe
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

-- The id by which callers know the user of a login method: the head's, or the heir's where the head is gone.
create function seen_user_id(app integer, method users) returns text language sql stable parallel safe
begin atomic
  select case
    when coalesce(method.primary_user_id, method.user_id) = method.user_id
      then coalesce(method.external_id, method.user_id::text)
    else coalesce(
      (select h.external_id from users h where h.app_no = app and h.user_id = method.primary_user_id),
      (
        select b.external_id from former_heads f join users b on b.app_no = f.app_no and b.user_id = f.heir
        where f.app_no = app and f.user_id = method.primary_user_id
      ),
      method.primary_user_id::text
    )
  end;
end;

-- The ids by which callers know a linked user and its login methods; no rows for a head that is null. The head's id stays
-- the user's after the head's own login method is gone.
create function linked_ids(app integer, head uuid) returns setof text language sql stable parallel safe
begin atomic
  select coalesce(h.external_id, h.user_id::text) from users h where h.app_no = app and h.user_id = head
  union all
  select coalesce(l.external_id, l.user_id::text) from users l
  where l.app_no = app and l.primary_user_id = head and l.primary_user_id <> l.user_id
  union all
  select head::text where head is not null;
end;

-- All look-up rows of a login method: one for each tenant, and for both email and phone of a passwordless one.
create function identities_of(app integer, method users) returns setof identities language sql stable parallel safe
begin atomic
  select i.* from identities i
  where i.app_no = app
    and i.kind = identity_kind(method.recipe, method.email)
    and i.key = identity_key(
      method.recipe, method.email, method.third_party_id, method.third_party_user_id, method.phone
    )
    and i.user_id = method.user_id
  union all
  select i.* from identities i
  where method.recipe = 3 and method.email is not null and method.phone is not null
    and i.app_no = app
    and i.kind = 4
    and i.key = identity_key(3::smallint, null, null, null, method.phone)
    and i.user_id = method.user_id;
end;
