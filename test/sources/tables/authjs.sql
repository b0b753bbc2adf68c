-- As the adapter for Drizzle has them, with a column for a password that the app added.
create table "user" (
  "id" text primary key not null,
  "name" text,
  "email" text unique,
  "email_verified" timestamp,
  "image" text,
  "hashed_password" text
);

create table "account" (
  "user_id" text not null references "user" ("id") on delete cascade,
  "type" text not null,
  "provider" text not null,
  "provider_account_id" text not null,
  "refresh_token" text,
  "access_token" text,
  primary key ("provider", "provider_account_id")
);

create table "session" (
  "session_token" text primary key not null,
  "user_id" text not null references "user" ("id") on delete cascade,
  "expires" timestamp not null
);

insert into "user" values
  ('cljn3x7y00000356z8demo01', 'Ada Lovelace', 'ada@example.com', '2024-01-01 00:00:00', null, '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy'),
  ('cljn3x7y00000356z8demo02', null, 'bob@example.com', null, null, null);

insert into "account" values
  ('cljn3x7y00000356z8demo01', 'oauth', 'google', '109876543210987654321', null, 'secret'),
  ('cljn3x7y00000356z8demo02', 'oauth', 'google', '209876543210987654321', null, 'secret');
