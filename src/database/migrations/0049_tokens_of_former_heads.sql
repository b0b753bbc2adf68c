-- The ids by which callers know a linked user and its login methods; none for a head that is null. That of the head stays the
-- user's while the head's own login method is gone.
create or replace function linked_ids(app integer, head uuid) returns setof text language sql stable parallel safe
begin atomic
  select coalesce(h.external_id, h.user_id::text) from users h where h.app_no = app and h.user_id = head
  union all
  select coalesce(l.external_id, l.user_id::text) from users l
  where l.app_no = app and l.primary_user_id = head and l.primary_user_id <> l.user_id
  union all
  select head::text where head is not null;
end;
