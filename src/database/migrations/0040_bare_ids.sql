-- Roles and TOTP devices that are kept for an id of which no user is known. An import that brings the user takes them up; hardly
-- any app has some, and this tells. The core's own ids are UUIDv7.
create index user_roles_bare on user_roles (app_no) where length(user_key) <> 36 or substr(user_key, 15, 1) <> '7';
create index totp_devices_bare on totp_devices (app_no) where length(user_key) <> 36 or substr(user_key, 15, 1) <> '7';
