create table "user" (
  "id" text not null primary key,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamp not null default current_timestamp,
  "updatedAt" timestamp not null default current_timestamp,
  "role" text,
  "banned" boolean,
  "banExpires" timestamp
);

create table "account" (
  "id" text not null primary key,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "accessToken" text,
  "password" text,
  "createdAt" timestamp not null default current_timestamp,
  "updatedAt" timestamp not null
);

create table "session" (
  "id" text not null primary key,
  "expiresAt" timestamp not null,
  "token" text not null unique,
  "userId" text not null references "user" ("id")
);

insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "role", "banned") values
  ('k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T', 'Ada Lovelace', 'ada@example.com', true, '2024-01-01 00:00:00', 'admin,user', null),
  ('k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2U', 'Bob', 'banned@example.com', true, '2024-01-01 00:00:00', 'user', true);

insert into "account" ("id", "accountId", "providerId", "userId", "password", "updatedAt") values
  ('1', 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T', 'credential', 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T', '7ab7c2948684825e6871bc1cbdc2491d:5d5b42428e02c637c6b3b0183df852c3d128edd1e0191b5a202afb0c5158842a9f9f844bf8a4bc289832b310d48eff4781933d330b3eaf0a507d257a1f190de8', now()),
  ('2', '109876543210987654321', 'google', 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2T', null, now()),
  ('3', 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2U', 'credential', 'k3JxQm4Vt7NhRb1LpZcYwAe3Gs0fUd2U', '7ab7c2948684825e6871bc1cbdc2491d:5d5b42428e02c637c6b3b0183df852c3d128edd1e0191b5a202afb0c5158842a9f9f844bf8a4bc289832b310d48eff4781933d330b3eaf0a507d257a1f190de8', now());
