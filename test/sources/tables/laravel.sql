create table users (
  id bigserial primary key,
  name varchar(255) not null,
  email varchar(255) not null unique,
  email_verified_at timestamp(0),
  password varchar(255) not null,
  remember_token varchar(100),
  google_id varchar(255),
  created_at timestamp(0),
  updated_at timestamp(0),
  deleted_at timestamp(0)
);

insert into users (id, name, email, email_verified_at, password, google_id, created_at, deleted_at) values
  (42, 'Ada Lovelace', 'ada@example.com', '2024-01-01 00:05:00', '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', '109876543210987654321', '2024-01-01 00:00:00', null),
  (43, 'Bob', 'deleted@example.com', null, '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', null, '2024-01-01 00:00:00', '2024-02-01 00:00:00');
