-- When a login method was last used in any way, to the nearest five minutes; ms since the epoch. Sessions count, which are
-- refreshed without a sign-in.
alter table sign_ins add column active_at bigint;

-- Without the app as a key: on an empty table it would look as good as the primary key for other look-ups, and stay.
create index sign_ins_active on sign_ins (active_at) include (app_no, user_id);
