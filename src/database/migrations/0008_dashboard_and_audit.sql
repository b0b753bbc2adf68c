-- People who operate an app with the dashboard, which are not users of the app, and the log of what was done with the core.
create table dashboard_users (
  app_no integer not null,
  user_id uuid not null, -- random: decoys are drawn from it
  email text not null,
  password_hash text not null,
  time_joined bigint not null, -- ms since the epoch
  primary key (app_no, user_id),
  constraint dashboard_users_email unique (app_no, email)
);

create table dashboard_sessions (
  app_no integer not null,
  handle uuid not null, -- the first half of SHA-256 of the session's id, which is not stored
  user_id uuid not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (app_no, handle),
  foreign key (app_no, user_id) references dashboard_users on delete cascade
);

create index dashboard_sessions_of_user on dashboard_sessions (app_no, user_id);
create index dashboard_sessions_expired on dashboard_sessions (expires_at);

-- Without the app's number: what was done to an app stays when the app is removed.
create table audit (
  id uuid primary key, -- UUIDv7 of the beginning: entries are listed, searched since a time and removed by it
  begun_at bigint not null,
  ended_at bigint, -- null: in progress, or its end is not known
  app_id text not null,
  tenant_id text not null,
  who text not null, -- the name of the key
  what text not null,
  address text, -- of the connection
  outcome text,
  count bigint,
  details text not null -- JSON
);
