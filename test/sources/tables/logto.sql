create table tenants (
  id varchar(21) not null primary key,
  db_user varchar(128),
  db_user_password varchar(128)
);

create type users_password_encryption_method as enum ('Argon2i', 'Argon2id', 'Argon2d', 'SHA1', 'SHA256', 'MD5', 'Bcrypt', 'Legacy');

create table users (
  tenant_id varchar(21) not null references tenants (id),
  id varchar(12) not null primary key,
  username varchar(128),
  primary_email varchar(128),
  primary_phone varchar(128),
  password_encrypted varchar(256),
  password_encryption_method users_password_encryption_method,
  name varchar(128),
  avatar varchar(2048),
  profile jsonb not null default '{}'::jsonb,
  application_id varchar(21),
  identities jsonb not null default '{}'::jsonb,
  custom_data jsonb not null default '{}'::jsonb,
  logto_config jsonb not null default '{}'::jsonb,
  mfa_verifications jsonb not null default '[]'::jsonb,
  is_suspended boolean not null default false,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default (now()),
  updated_at timestamptz not null default (now())
);

insert into tenants (id) values ('default'), ('admin');
insert into users (tenant_id, id, username, primary_email, password_encrypted, password_encryption_method, name, identities, is_suspended, created_at) values
  ('default', 'k3jxqm4vt7nh', 'ada', 'ada@example.com', '$argon2i$v=19$m=8192,t=8,p=1$6j2SeTyS8E3WTpe8jrrPpA$qHTrdjc2/Vd0Xcb0Rvp+lqCW4ZGfe6p64n4kzwD328A', 'Argon2i', 'Ada Lovelace', '{"google": {"userId": "109876543210987654321", "details": {"email": "ada@example.com"}}}', false, '2024-01-01 00:00:00+00'),
  ('default', 'k3jxqm4vt7ni', null, 'suspended@example.com', '$argon2i$v=19$m=8192,t=8,p=1$6j2SeTyS8E3WTpe8jrrPpA$qHTrdjc2/Vd0Xcb0Rvp+lqCW4ZGfe6p64n4kzwD328A', 'Argon2i', null, '{}', true, '2024-01-01 00:00:00+00'),
  ('admin', 'k3jxqm4vt7nj', 'root', 'root@example.com', null, null, null, '{}', false, '2024-01-01 00:00:00+00');
