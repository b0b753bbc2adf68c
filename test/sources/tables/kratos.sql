create table networks (id uuid not null primary key, created_at timestamp not null, updated_at timestamp not null);

create table identities (
  id uuid not null primary key,
  schema_id varchar(2048) not null,
  traits jsonb not null,
  created_at timestamp not null,
  updated_at timestamp not null,
  nid uuid not null references networks (id),
  state varchar(255) not null default 'active',
  state_changed_at timestamp,
  metadata_public jsonb,
  metadata_admin jsonb,
  external_id varchar(64)
);

create table identity_credential_types (id uuid not null primary key, name varchar(32) not null);

create table identity_credentials (
  id uuid not null primary key,
  config jsonb not null,
  identity_credential_type_id uuid not null references identity_credential_types (id),
  identity_id uuid not null references identities (id) on delete cascade,
  created_at timestamp not null,
  updated_at timestamp not null,
  nid uuid not null,
  version integer not null default 0
);

create table identity_credential_identifiers (
  id uuid not null primary key,
  identifier varchar(255) not null,
  identity_credential_id uuid not null references identity_credentials (id) on delete cascade,
  created_at timestamp not null,
  updated_at timestamp not null,
  nid uuid not null,
  identity_credential_type_id uuid not null,
  unique (nid, identity_credential_type_id, identifier)
);

create table identity_verifiable_addresses (
  id uuid not null primary key,
  status varchar(16) not null,
  via varchar(16) not null,
  verified boolean not null,
  value varchar(400) not null,
  verified_at timestamp,
  identity_id uuid not null references identities (id) on delete cascade,
  created_at timestamp not null,
  updated_at timestamp not null,
  nid uuid,
  unique (nid, via, value)
);

create table identity_recovery_addresses (
  id uuid not null primary key,
  via varchar(16) not null,
  value varchar(400) not null,
  identity_id uuid not null references identities (id) on delete cascade,
  created_at timestamp not null,
  updated_at timestamp not null,
  nid uuid,
  unique (nid, via, value)
);

insert into networks values ('00000000-0000-0000-0000-00000000000a', now(), now());
insert into identity_credential_types values
  ('00000000-0000-0000-0000-0000000000c1', 'password'),
  ('00000000-0000-0000-0000-0000000000c2', 'oidc');

insert into identities values
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', 'default', '{"email": "ada@example.com"}', '2024-01-01', '2024-01-01', '00000000-0000-0000-0000-00000000000a', 'active', null, '{"plan": "pro"}', null, null),
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12', 'default', '{"email": "inactive@example.com"}', '2024-01-01', '2024-01-01', '00000000-0000-0000-0000-00000000000a', 'inactive', null, null, null, null);

insert into identity_credentials values
  ('00000000-0000-0000-0000-000000000001', '{"hashed_password": "$argon2id$v=19$m=131072,t=3,p=4$MSU4TiGgCxveOXKSbFqA6A$maMO9kIJ0iGGzaRu5k0FRIhe/aV21iu+kvWZRIgCd/A"}', '00000000-0000-0000-0000-0000000000c1', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', now(), now(), '00000000-0000-0000-0000-00000000000a', 0),
  ('00000000-0000-0000-0000-000000000002', '{"providers": [{"subject": "109876543210987654321", "provider": "google"}]}', '00000000-0000-0000-0000-0000000000c2', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', now(), now(), '00000000-0000-0000-0000-00000000000a', 0),
  ('00000000-0000-0000-0000-000000000003', '{"hashed_password": "$argon2id$v=19$m=131072,t=3,p=4$MSU4TiGgCxveOXKSbFqA6A$maMO9kIJ0iGGzaRu5k0FRIhe/aV21iu+kvWZRIgCd/A"}', '00000000-0000-0000-0000-0000000000c1', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12', now(), now(), '00000000-0000-0000-0000-00000000000a', 0);

insert into identity_credential_identifiers values
  ('00000000-0000-0000-0000-000000000011', 'ada@example.com', '00000000-0000-0000-0000-000000000001', now(), now(), '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-0000000000c1'),
  ('00000000-0000-0000-0000-000000000012', 'ada', '00000000-0000-0000-0000-000000000001', now(), now(), '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-0000000000c1'),
  ('00000000-0000-0000-0000-000000000013', 'google:109876543210987654321', '00000000-0000-0000-0000-000000000002', now(), now(), '00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-0000000000c2');

insert into identity_verifiable_addresses (id, status, via, verified, value, identity_id, created_at, updated_at, nid) values
  ('00000000-0000-0000-0000-000000000021', 'completed', 'email', true, 'ada@example.com', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', now(), now(), '00000000-0000-0000-0000-00000000000a');
insert into identity_recovery_addresses values
  ('00000000-0000-0000-0000-000000000031', 'email', 'ada@example.com', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', now(), now(), '00000000-0000-0000-0000-00000000000a');
