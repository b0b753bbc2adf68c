-- Sign-ins and changes of login methods, and the tokens of emails.

-- One row for each login method that was used or changed here. Times by clock_ms() hold the latest event of their kind: an undo
-- of an import skips users who were active since.
create table sign_ins (
  app_no integer not null,
  user_id uuid not null,
  last_at bigint not null default 0, -- the last sign-in, by the clock of a core; 0: never signed in
  -- Use of the password, by the clocks of cores.
  proven_at bigint, -- the last time that the right password was given, with or without a sign-in
  proven_hash bytea, -- hash_mark of the hash that was proven then: a new hash is unproven
  refused_at bigint, -- the last wrong password
  refusals integer not null default 0, -- wrong passwords since the last right one
  upgraded_at bigint, -- when a sign-in replaced the hash by one of the policy
  upgraded_from bytea, -- hash_mark of the hash that it replaced: an import of that hash changes nothing
  upgraded_to bytea, -- hash_mark of the hash that it wrote, while the user still has that one
  -- By clock_ms().
  signed_in_at bigint,
  reset_at bigint, -- a link to reset the password was followed
  password_changed_at bigint, -- by a request, not by an import
  email_changed_at bigint, -- by a request or a social sign-in, not by an import
  verified_at bigint, -- a link to verify an email was followed
  imported_at bigint, -- replaced by an import without a job: of a single hash, or of the queue
  restricted_at bigint, -- a request set or lifted restrictions
  linked_at bigint, -- a request linked or unlinked the login method, or put it into a tenant or out of it
  signed_out_at bigint, -- a request ended all sessions of the user
  active_at bigint, -- last used in any way, a refresh of a session included, to the nearest five minutes
  details_changed_at bigint, -- a request changed metadata or roles
  primary key (app_no, user_id)
);

-- Does not begin with the app: on an empty table it would look as good as the primary key for other look-ups, and plans are
-- cached.
create index sign_ins_active on sign_ins (active_at) include (app_no, user_id);

-- Verified pairs other than the present (id, email) of a login method: unknown ids, former emails.
create table verified_emails (
  app_no integer not null,
  user_id text not null, -- as callers know it
  email text not null,
  primary key (app_no, user_id, email)
);

create table tokens (
  app_no integer not null,
  purpose smallint not null, -- 1 email verification, 2 password reset
  token_hash bytea not null, -- SHA-256: the token itself is not stored
  tenant_no integer not null,
  user_id text not null, -- as callers know it
  email text not null,
  expires_at bigint not null,
  primary key (app_no, purpose, token_hash)
);

-- Includes the purpose, or the primary key would look as good for one user's tokens while there are no statistics.
create index tokens_of_user on tokens (app_no, user_id, purpose);
