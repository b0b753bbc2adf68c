-- Codes for signing in without a password. A device is one attempt to sign in, for which several codes may be sent. Only digests
-- of the device's id and of codes are stored.
create table passwordless_devices (
  app_no integer not null,
  device_hash bytea not null, -- SHA-256 of the device's id
  tenant_no integer not null,
  email text, -- this or phone
  phone text,
  salt bytea not null,
  failed integer not null default 0, -- wrong and expired codes that were typed
  expires_at bigint not null, -- when its last code ends
  primary key (app_no, device_hash)
);

create index passwordless_devices_of_email on passwordless_devices (app_no, email);
create index passwordless_devices_of_phone on passwordless_devices (app_no, phone);
create index passwordless_devices_expired on passwordless_devices (expires_at);

-- Codes are removed with their device, even one that is added while the removal waits.
create table passwordless_codes (
  app_no integer not null,
  code_id uuid not null,
  device_hash bytea not null,
  link_hash bytea not null, -- SHA-256 of the link code, which is made of the device's id, its salt and what the user types
  created_at bigint not null,
  primary key (app_no, code_id),
  foreign key (app_no, device_hash) references passwordless_devices on delete cascade
);

create unique index passwordless_codes_link on passwordless_codes (app_no, link_hash);
create index passwordless_codes_of_device on passwordless_codes (app_no, device_hash);
