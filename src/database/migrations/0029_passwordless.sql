-- Codes for signing in without a password. A device is one attempt to sign in, for which several codes may be sent.
-- Neither the device's id nor a code is kept: both are checked by computing their digests anew.
create table passwordless_devices (
  app_no integer not null,
  device_hash bytea not null, -- SHA-256 of the device's id
  tenant_no integer not null,
  email text, -- this or phone
  phone text,
  salt bytea not null,
  failed integer not null default 0, -- wrong and expired codes that were typed
  expires_at bigint not null, -- when its last code ends; ms since the epoch
  primary key (app_no, device_hash)
);

create index passwordless_devices_of_email on passwordless_devices (app_no, email);
create index passwordless_devices_of_phone on passwordless_devices (app_no, phone);
create index passwordless_devices_expired on passwordless_devices (expires_at);

-- They go with their device, whoever removes it, also one that was added while the removal waited.
create table passwordless_codes (
  app_no integer not null,
  code_id uuid not null,
  device_hash bytea not null,
  link_hash bytea not null, -- SHA-256 of the link code, which the device's id, its salt and what people type make
  created_at bigint not null, -- ms since the epoch
  primary key (app_no, code_id),
  foreign key (app_no, device_hash) references passwordless_devices on delete cascade
);

create unique index passwordless_codes_link on passwordless_codes (app_no, link_hash);
create index passwordless_codes_of_device on passwordless_codes (app_no, device_hash);
