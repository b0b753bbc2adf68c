create table apps (app_id varchar(64) not null default 'public' primary key, created_at_time bigint);

create table app_id_to_user_id (
  app_id varchar(64) not null default 'public',
  user_id char(36) not null,
  recipe_id varchar(128) not null,
  primary_or_recipe_user_id char(36) not null,
  is_linked_or_is_a_primary_user boolean not null default false,
  primary key (app_id, user_id)
);

create table all_auth_recipe_users (
  app_id varchar(64) default 'public',
  tenant_id varchar(64) default 'public',
  user_id char(36) not null,
  primary_or_recipe_user_id char(36) not null,
  is_linked_or_is_a_primary_user boolean not null default false,
  recipe_id varchar(128) not null,
  time_joined bigint not null,
  primary_or_recipe_user_time_joined bigint not null,
  primary key (app_id, tenant_id, user_id)
);

create table emailpassword_users (app_id varchar(64) default 'public', user_id char(36) not null, email varchar(256) not null, password_hash varchar(256) not null, time_joined bigint not null, primary key (app_id, user_id));
create table thirdparty_users (app_id varchar(64) default 'public', third_party_id varchar(28) not null, third_party_user_id varchar(256) not null, user_id char(36) not null, email varchar(256) not null, time_joined bigint not null, primary key (app_id, user_id));
create table passwordless_users (app_id varchar(64) default 'public', user_id char(36) not null, email varchar(256), phone_number varchar(256), time_joined bigint not null, primary key (app_id, user_id));
create table emailverification_verified_emails (app_id varchar(64) default 'public', user_id varchar(128) not null, email varchar(256) not null, primary key (app_id, user_id, email));
create table userid_mapping (app_id varchar(64) default 'public', supertokens_user_id char(36) not null, external_user_id varchar(128) not null, external_user_id_info text, primary key (app_id, supertokens_user_id, external_user_id));
create table user_metadata (app_id varchar(64) default 'public', user_id varchar(128) not null, user_metadata text not null, primary key (app_id, user_id));
create table user_roles (app_id varchar(64) default 'public', tenant_id varchar(64) default 'public', user_id varchar(128) not null, role varchar(255) not null, primary key (app_id, tenant_id, user_id, role));
create table totp_user_devices (app_id varchar(64) default 'public', user_id varchar(128) not null, device_name varchar(256) not null, secret_key varchar(256) not null, period integer not null, skew integer not null, verified boolean not null, created_at bigint, primary key (app_id, user_id, device_name));

insert into apps (app_id) values ('public'), ('other');
insert into app_id_to_user_id values
  ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', 'emailpassword', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', true),
  ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12', 'thirdparty', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', true),
  ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c13', 'passwordless', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c13', false),
  ('other', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14', 'passwordless', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14', false);
insert into all_auth_recipe_users select app_id, 'public', user_id, primary_or_recipe_user_id, is_linked_or_is_a_primary_user, recipe_id, 1704067200000, 1704067200000 from app_id_to_user_id;
insert into emailpassword_users values ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', 'ada@example.com', '$argon2id$v=19$m=16384,t=2,p=1$e6ZcptTFvz2TDYAsWrDWPw$mkB5t4femJDgvJPpIGl1A/s4l9cCjouMj3wHFZrjy0U', 1704067200000);
insert into thirdparty_users values ('public', 'google', '109876543210987654321', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12', 'ada@example.com', 1704070800000);
insert into passwordless_users values
  ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c13', null, '+15555550100', 1704067200000),
  ('other', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14', 'root@example.com', null, 1704067200000);
insert into userid_mapping values ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', 'legacy-42', null);
insert into emailverification_verified_emails values
  ('public', 'legacy-42', 'ada@example.com'),
  ('public', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12', 'ada@example.com');
insert into user_metadata values ('public', 'legacy-42', '{"plan": "pro"}');
insert into user_roles values ('public', 'public', 'legacy-42', 'editor');
