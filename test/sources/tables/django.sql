create table auth_user (
  id serial primary key,
  password varchar(128) not null,
  last_login timestamptz,
  is_superuser boolean not null,
  username varchar(150) not null unique,
  first_name varchar(150) not null,
  last_name varchar(150) not null,
  email varchar(254) not null,
  is_staff boolean not null,
  is_active boolean not null,
  date_joined timestamptz not null
);

create table account_emailaddress (
  id serial primary key,
  email varchar(254) not null,
  verified boolean not null,
  "primary" boolean not null,
  user_id integer not null references auth_user (id)
);

create table social_auth_usersocialauth (
  id bigserial primary key,
  provider varchar(32) not null,
  uid varchar(255) not null,
  extra_data jsonb not null,
  created timestamptz not null,
  user_id integer not null references auth_user (id)
);

insert into auth_user values
  (42, 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=', '2024-07-01 12:00:00.123+00', false, 'ada', 'Ada', 'Lovelace', 'ada@example.com', false, true, '2024-01-01 00:00:00+00'),
  (43, 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=', null, false, 'bob', '', '', 'inactive@example.com', false, false, '2024-01-01 00:00:00+00'),
  (44, '!2uxZ1fYfJ8wWz6RtqBQXkTHjv7mEnYpLd0c3S', null, false, 'eve', '', '', '', false, true, '2024-01-01 00:00:00+00');

insert into account_emailaddress (email, verified, "primary", user_id) values ('ada@example.com', true, true, 42);
insert into social_auth_usersocialauth (provider, uid, extra_data, created, user_id) values
  ('google-oauth2', 'ada@example.com', '{"sub": "109876543210987654321"}', '2024-01-02 00:00:00+00', 42);
