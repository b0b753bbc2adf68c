-- As the adapter for Drizzle has them, with a column for a password that the app added.
create table `user` (
  `id` varchar(255) primary key not null,
  `name` varchar(255),
  `email` varchar(255) unique,
  `email_verified` timestamp(3) null,
  `image` varchar(255),
  `hashed_password` varchar(255)
);

create table `account` (
  `user_id` varchar(255) not null,
  `type` varchar(255) not null,
  `provider` varchar(255) not null,
  `provider_account_id` varchar(255) not null,
  `refresh_token` varchar(255),
  `access_token` varchar(255),
  primary key (`provider`, `provider_account_id`),
  foreign key (`user_id`) references `user` (`id`) on delete cascade
);

create table `session` (
  `session_token` varchar(255) primary key not null,
  `user_id` varchar(255) not null,
  `expires` timestamp not null,
  foreign key (`user_id`) references `user` (`id`) on delete cascade
);

insert into `user` values
  ('cljn3x7y00000356z8demo01', 'Ada Lovelace', 'ada@example.com', '2024-01-01 00:00:00', null, '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy');
