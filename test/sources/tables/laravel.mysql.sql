create table users (
  id bigint unsigned not null auto_increment primary key,
  name varchar(255) not null,
  email varchar(255) not null unique,
  email_verified_at timestamp null,
  password varchar(255) not null,
  remember_token varchar(100),
  is_banned tinyint(1) not null default 0,
  created_at timestamp null,
  updated_at timestamp null
);

create table social_accounts (
  id bigint unsigned not null auto_increment primary key,
  user_id bigint unsigned not null,
  provider varchar(255) not null,
  provider_user_id varchar(255) not null,
  created_at timestamp null
);

set time_zone = '+00:00';
insert into users (id, name, email, email_verified_at, password, is_banned, created_at) values
  (42, 'Ada Lovelace', 'ada@example.com', '2024-01-01 00:05:00', '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', 0, '2024-01-01 00:00:00'),
  (43, 'Bob', 'banned@example.com', null, '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', 1, '2024-01-01 00:00:00');
insert into social_accounts (user_id, provider, provider_user_id) values (42, 'google', '109876543210987654321');
