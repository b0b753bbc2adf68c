-- Devices of other systems may use another digest, or more digits.
alter table totp_devices
  add column algorithm text not null default 'SHA1',
  add column digits integer not null default 6;
