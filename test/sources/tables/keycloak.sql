create table realm (id varchar(36) not null primary key, name varchar(255) unique, enabled boolean not null default false, default_role varchar(255));

create table user_entity (
  id varchar(36) not null primary key,
  email varchar(255),
  email_constraint varchar(255),
  email_verified boolean not null default false,
  enabled boolean not null default false,
  federation_link varchar(255),
  first_name varchar(255),
  last_name varchar(255),
  realm_id varchar(255),
  username varchar(255),
  created_timestamp bigint,
  service_account_client_link varchar(255),
  not_before integer not null default 0,
  unique (realm_id, email_constraint),
  unique (realm_id, username)
);

create table credential (
  id varchar(36) not null primary key,
  salt bytea,
  type varchar(255),
  user_id varchar(36) references user_entity (id),
  created_date bigint,
  user_label varchar(255),
  secret_data text,
  credential_data text,
  priority integer
);

create table user_attribute (
  name varchar(255) not null,
  value varchar(255),
  user_id varchar(36) not null references user_entity (id),
  id varchar(36) not null default 'sybase-needs-something-here' primary key,
  long_value_hash bytea,
  long_value_hash_lower_case bytea,
  long_value text
);

create table federated_identity (
  identity_provider varchar(255) not null,
  realm_id varchar(36),
  federated_user_id varchar(255),
  federated_username varchar(255),
  token text,
  user_id varchar(36) not null references user_entity (id),
  primary key (identity_provider, user_id)
);

create table client (id varchar(36) not null primary key, client_id varchar(255), realm_id varchar(36));

create table keycloak_role (
  id varchar(36) not null primary key,
  client_realm_constraint varchar(255),
  client_role boolean not null default false,
  description varchar(255),
  name varchar(255),
  realm_id varchar(255),
  client varchar(36),
  realm varchar(36)
);

create table user_role_mapping (role_id varchar(255) not null, user_id varchar(36) not null references user_entity (id), primary key (role_id, user_id));
create table keycloak_group (id varchar(36) not null primary key, name varchar(255), parent_group varchar(36) not null, realm_id varchar(36));
create table user_group_membership (group_id varchar(36) not null, user_id varchar(36) not null, membership_type varchar(255), primary key (group_id, user_id));
create table realm_default_groups (realm_id varchar(36) not null, group_id varchar(36) not null unique, primary key (realm_id, group_id));
create table user_consent (id varchar(36) not null primary key, client_id varchar(255), user_id varchar(36) not null references user_entity (id), created_date bigint);
create table user_consent_client_scope (user_consent_id varchar(36) not null references user_consent (id), scope_id varchar(36) not null, primary key (user_consent_id, scope_id));
create table offline_user_session (user_session_id varchar(36) not null, user_id varchar(255) not null, realm_id varchar(36) not null, created_on integer not null, offline_flag varchar(4) not null, data text, primary key (user_session_id, offline_flag));
create table offline_client_session (user_session_id varchar(36) not null, client_id varchar(255) not null, offline_flag varchar(4) not null, data text, primary key (user_session_id, client_id, offline_flag));
create table user_required_action (user_id varchar(36) not null, required_action varchar(255) not null default ' ', primary key (required_action, user_id));

insert into realm values ('r0', 'master', true, null), ('r1', 'shop', true, 'ro0');
insert into user_entity (id, email, email_verified, enabled, first_name, last_name, realm_id, username, created_timestamp, service_account_client_link) values
  ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'ada@example.com', true, true, 'Ada', 'Lovelace', 'r1', 'ada', 1704067200000, null),
  ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a02', 'bob@example.com', false, false, null, null, 'r1', 'bob', 1609459200000, null),
  ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a03', null, false, true, null, null, 'r1', 'service-account-app', 1609459200000, 'c1'),
  ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a04', 'root@example.com', true, true, null, null, 'r0', 'admin', 1609459200000, null),
  ('5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a05', 'long-ago@example.com', true, true, null, null, 'r1', 'long-ago', 1609459200000, null);

update user_entity set email_constraint = email;

insert into credential (id, type, user_id, secret_data, credential_data, priority) values
  ('p1', 'password', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', '{"value":"SsrRS+iiBjp+wjy5uJneIniBryY7NyxromvRlZ34Ems=","salt":"XUgTeW4ExwC5iYTZSP61FA==","additionalParameters":{}}', '{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}', 10),
  ('p2', 'password', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a02', '{"value":"v56e67Um9CJfBlMNEzfAyWP3YXYlWWLN6F2WYBY47TN5TkNIhW+zOdwIrSqcSMbzvNMYLK53oFlq7drMmy/39g==","salt":"XUgTeW4ExwC5iYTZSP61FA==","additionalParameters":{}}', '{"hashIterations":210000,"algorithm":"pbkdf2-sha512","additionalParameters":{}}', 10);
-- Not signed in since the update to version 8: the salt is where it was.
insert into credential (id, type, user_id, salt, secret_data, credential_data, priority) values
  ('p3', 'password', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a05', decode('XUgTeW4ExwC5iYTZSP61FA==', 'base64'), '{"value":"v56e67Um9CJfBlMNEzfAyWP3YXYlWWLN6F2WYBY47TN5TkNIhW+zOdwIrSqcSMbzvNMYLK53oFlq7drMmy/39g==","salt":"__SALT__"}', '{"hashIterations":210000,"algorithm":"pbkdf2-sha512"}', 10);

insert into user_attribute (id, name, value, user_id, long_value) values
  ('a1', 'locale', 'en', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', null),
  ('a2', 'about', null, '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'a long text');
insert into federated_identity (identity_provider, realm_id, federated_user_id, federated_username, user_id) values
  ('google', 'r1', '109876543210987654321', 'ada@example.com', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01');
insert into client values ('c1', 'app', 'r1');
insert into keycloak_role (id, client_role, name, realm_id, client) values
  ('ro0', false, 'default-roles-shop', 'r1', null), ('ro1', false, 'editor', 'r1', null), ('ro2', true, 'manage', 'r1', 'c1');
insert into user_role_mapping values
  ('ro1', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01'), ('ro2', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01');
insert into keycloak_group values ('g1', 'staff', ' ', 'r1'), ('g2', 'paris', 'g1', 'r1');
insert into realm_default_groups values ('r1', 'g1');
insert into user_group_membership values ('g2', '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01', 'UNMANAGED');
