-- People who operate an app by the dashboard. They are no users of the app.
create table dashboard_users (
  app_no integer not null,
  user_id uuid not null, -- random: where a decoy is drawn from
  email text not null,
  password_hash text not null,
  time_joined bigint not null, -- ms since the epoch
  primary key (app_no, user_id),
  constraint dashboard_users_email unique (app_no, email)
);

create table dashboard_sessions (
  app_no integer not null,
  handle uuid not null, -- the first half of SHA-256 of the session's id, which is not kept
  user_id uuid not null,
  created_at bigint not null, -- ms since the epoch
  expires_at bigint not null,
  primary key (app_no, handle),
  foreign key (app_no, user_id) references dashboard_users on delete cascade
);

create index dashboard_sessions_of_user on dashboard_sessions (app_no, user_id);
create index dashboard_sessions_expired on dashboard_sessions (expires_at);
