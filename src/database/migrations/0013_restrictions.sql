-- Who may not sign in, and what of the source's protection is kept, under the id of the user's head:
--   isDisabled, isHeld  true, or absent: either refuses the sign-in
--   stated              what the last import said: isDisabled, isHeld, secondFactors, requiredActions
--   here                which of the two were set by a request: an import leaves these alone
alter table user_details add column restrictions jsonb;

-- For lists of them, and to see at once that an app has none.
create index user_details_restricted on user_details (app_no, user_id) where restrictions is not null;

-- Restrictions were set or lifted by a request: an undo leaves who was judged here.
alter table sign_ins add column restricted_at bigint;

-- Whether an import of a record that states these restrictions would change nothing: all of it was stated last.
create function is_stated(stated jsonb, restrictions jsonb) returns boolean language sql immutable parallel safe
return '{"isDisabled": false}'::jsonb || coalesce(restrictions -> 'stated', '{}') || stated
  = '{"isDisabled": false}'::jsonb || coalesce(restrictions -> 'stated', '{}');

-- What is kept of a new user; nothing of one who is not disabled and has no more to tell.
create function restrictions_of(stated jsonb) returns jsonb language sql immutable parallel safe
return case when stated <> '{"isDisabled": false}' then jsonb_strip_nulls(jsonb_build_object(
  'isDisabled', nullif(stated -> 'isDisabled', 'false'),
  'isHeld', nullif(stated -> 'isHeld', 'false'),
  'stated', stated
)) end;

-- Images of before have no restrictions, so where there are none an image does not name them.
create or replace function image_of(app integer, id uuid) returns jsonb language sql stable parallel safe
begin atomic
  select jsonb_build_object(
    'user', to_jsonb(u),
    'identities', (
      select coalesce(jsonb_agg(to_jsonb(i) order by i.kind, i.key, i.tenant_no), '[]') from identities_of(u) i
    ),
    'details', (
      select case when t.restrictions is null then to_jsonb(t) - 'restrictions' else to_jsonb(t) end
      from user_details t where t.app_no = app and t.user_id = id
    )
  )
  from users u where u.app_no = app and u.user_id = id;
end;
