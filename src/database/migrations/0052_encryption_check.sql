-- A value that is sealed with the key of the first core that has one: cores with other keys, or without, see at their start that the
-- database belongs to others, though nothing else is sealed there yet. One row at the most.
create table encryption_check (
  app_no integer not null default 0,
  sealed bytea not null
);
create unique index encryption_check_only on encryption_check ((true));
