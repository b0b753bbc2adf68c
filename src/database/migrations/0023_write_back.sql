-- What writing back to an old system needs to know of hashes and of linked users: see docs/design/moves.md.

-- From before the step into leading on, until changes here need not go back any more: no hash is upgraded, and passwords are hashed
-- a second time if second_hash says how.
alter table moves add column keeps_hashes boolean not null default false;
update moves set keeps_hashes = true where stage = 3 or second_hash is not null;

-- move_changes.was has thirdPartyId and thirdPartyUserId, and storedMark, which differs from passwordMark if a sign-in had replaced the
-- hash. Of a login method that joins another user it is one without anything, with isNew: the user did not have it. The user that it
-- leaves is first, so its email is free before the other one gets it.
create or replace function note_change_of_login_method() returns trigger
language plpgsql set search_path from current as $$
declare
  head uuid := coalesce(new.primary_user_id, new.user_id);
  former_head uuid := coalesce(old.primary_user_id, old.user_id);
  replaced bytea;
  former jsonb;
begin
  -- An undo removes whom an import created; requests leave tombstones of imported users in the same transaction.
  if tg_op = 'DELETE' and old.import_job is not null
    and not exists (select from tombstones t where t.made_in = pg_current_xact_id())
  then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    select s.upgraded_from into replaced from sign_ins s
    where s.app_no = old.app_no and s.user_id = old.user_id and s.upgraded_to = hash_mark(old.password_hash);
    former := jsonb_build_object(
      'id', old.user_id, 'externalId', old.external_id, 'email', old.email, 'isVerified', old.email_verified,
      'passwordMark', encode(coalesce(replaced, hash_mark(old.password_hash)), 'hex'),
      'storedMark', encode(hash_mark(old.password_hash), 'hex'),
      'thirdPartyId', old.third_party_id, 'thirdPartyUserId', old.third_party_user_id
    );
  end if;
  insert into move_changes (app_no, move_no, user_id, was, is_removal)
  select coalesce(new.app_no, old.app_no), tg_argv[0]::integer, h.id, h.was, tg_op = 'DELETE'
  from (
    values
      (1, former_head, former),
      (2, nullif(head, former_head), case when tg_op = 'UPDATE' then jsonb_build_object(
        'id', new.user_id, 'externalId', new.external_id, 'email', null, 'isVerified', false, 'passwordMark', null,
        'isNew', true
      ) end)
  ) h (place, id, was)
  where h.id is not null
  order by h.place;
  return null;
end $$;
