-- Of a reject whose key somebody has: who that is, as callers know the user.
alter table import_rejects
  add column other_user_id text;
