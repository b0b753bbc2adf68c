-- Every key begins with the app, also of what a job keeps: so an app's rows can be told by it alone, wherever they are.
-- These tables hold what jobs keep for a limited time. An older core that serves meanwhile cannot write to them: its
-- imports are rolled back and answered with an error, and are resumed at a core of this version.
alter table import_rejects add column app_no integer;
update import_rejects r set app_no = j.app_no from import_jobs j where j.job_id = r.job_id;
delete from import_rejects where app_no is null;
alter table import_rejects
  drop constraint import_rejects_pkey,
  alter column app_no set not null,
  add primary key (app_no, job_id, line);

drop index import_rejects_of_person;
create index import_rejects_of_person on import_rejects (app_no, external_user_id) where external_user_id is not null;

alter table import_conflicts add column app_no integer;
update import_conflicts c set app_no = j.app_no from import_jobs j where j.job_id = c.job_id;
delete from import_conflicts where app_no is null;
alter table import_conflicts
  drop constraint import_conflicts_pkey,
  alter column app_no set not null,
  add primary key (app_no, job_id, line, place);

drop index import_conflicts_of_user;
create index import_conflicts_of_user on import_conflicts (app_no, user_id);

alter table import_claims add column app_no integer;
update import_claims c set app_no = j.app_no from import_jobs j where j.job_id = c.job_id;
delete from import_claims where app_no is null;
alter table import_claims
  drop constraint import_claims_pkey,
  alter column app_no set not null,
  add primary key (app_no, job_id, kind, key, tenant_no);

alter table import_before_images
  drop constraint import_before_images_pkey,
  add primary key (app_no, job_id, user_id);

-- As before, with the app beside: whoever calls it names the app of all that is read.
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

create or replace function image_of(app integer, id uuid) returns jsonb language sql stable parallel safe
begin atomic
  select jsonb_build_object(
    'user', to_jsonb(u),
    'identities', (
      select coalesce(jsonb_agg(to_jsonb(i) order by i.kind, i.key, i.tenant_no), '[]') from identities_of(app, u) i
    ),
    'details', (
      select case when t.restrictions is null then to_jsonb(t) - 'restrictions' else to_jsonb(t) end
      from user_details t where t.app_no = app and t.user_id = id
    )
  )
  from users u where u.app_no = app and u.user_id = id;
end;

drop function identities_of(users);
