create schema auth;

create table auth.users (
  instance_id uuid,
  id uuid not null primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  recovery_token varchar(255),
  email_change_token_new varchar(255),
  email_change varchar(255),
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique default null,
  phone_confirmed_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  banned_until timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);

create table auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid not null default gen_random_uuid() primary key,
  unique (provider_id, provider)
);

create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.factor_status as enum ('unverified', 'verified');

create table auth.mfa_factors (
  id uuid not null default gen_random_uuid() primary key,
  user_id uuid not null references auth.users on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  secret text,
  phone text
);

alter table auth.mfa_factors enable row level security;
alter table auth.users enable row level security;
alter table auth.identities enable row level security;

insert into auth.users (id, email, encrypted_password, email_confirmed_at, phone, phone_confirmed_at, created_at, raw_app_meta_data, raw_user_meta_data, banned_until, is_anonymous) values
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', 'ada@example.com', '$2a$10$O0gmhBjuEkFObt3sj/c2f.BUc/Is3p9oJdh/LTdggqF1OtVPHDv7m', '2024-01-15 10:30:00.123456+00', '15555550100', '2024-01-16 10:30:00+00', '2024-01-15 10:29:12.5+00', '{"provider": "email", "providers": ["email", "google"]}', '{"name": "Ada"}', null, false),
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c12', 'banned@example.com', '$2a$10$O0gmhBjuEkFObt3sj/c2f.BUc/Is3p9oJdh/LTdggqF1OtVPHDv7m', '2024-01-15 10:30:00+00', null, null, '2024-01-15 10:29:12.5+00', '{}', '{}', 'infinity', false),
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14', 'coded@example.com', '$2a$10$O0gmhBjuEkFObt3sj/c2f.BUc/Is3p9oJdh/LTdggqF1OtVPHDv7m', '2024-01-15 10:30:00+00', null, null, '2024-01-15 10:29:12.5+00', '{}', '{}', null, false),
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c13', null, null, null, null, null, '2024-01-15 10:29:12.5+00', '{}', '{}', null, true);

insert into auth.identities (provider_id, user_id, identity_data, provider, created_at) values
  ('109876543210987654321', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', '{"sub": "109876543210987654321", "email": "ada@example.com", "email_verified": true}', 'google', '2024-01-15 10:29:12.5+00'),
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', '7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11', '{"sub": "7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11", "email": "ada@example.com", "phone_verified": false}', 'email', '2024-01-15 10:29:12.5+00');

insert into auth.mfa_factors (user_id, factor_type, status, secret) values
  ('7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c14', 'totp', 'verified', 'JBSWY3DPEHPK3PXP');
