-- Passwords that are set here while a move leads, hashed once more as the old system does: see docs/design/moves.md.

-- A hash of a random text, in the spelling and at the cost of the old system's; null: no second hashes are made.
alter table moves add column second_hash text;

-- They are stored before the users who have these passwords, so they are found by the users' own hashes, which have a random salt.
create table move_passwords (
  app_no integer not null,
  move_no integer not null,
  mark bytea not null, -- hash_mark of users.password_hash
  hash text not null, -- of the same password
  user_id uuid, -- of the user's head; null until it is in the old system
  primary key (app_no, move_no, mark)
);

-- Those that a later password of the user has replaced. Does not begin with the app: on an empty table it would look as good as the
-- primary key for the other look-ups, and plans are cached.
create index move_passwords_written on move_passwords (user_id) where user_id is not null;
