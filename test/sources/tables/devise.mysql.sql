create table users (
  id bigint not null auto_increment primary key,
  email varchar(255) not null default '' unique,
  encrypted_password varchar(255) not null default '',
  name varchar(255),
  reset_password_token varchar(255) unique,
  remember_created_at datetime(6),
  confirmed_at datetime(6),
  banned_at datetime(6),
  created_at datetime(6) not null,
  updated_at datetime(6) not null
) auto_increment = 100;

create table identities (
  id bigint not null auto_increment primary key,
  user_id bigint not null,
  provider varchar(255),
  uid varchar(255),
  created_at datetime(6) not null,
  updated_at datetime(6) not null,
  foreign key (user_id) references users (id)
);

insert into users (id, email, encrypted_password, banned_at, created_at, updated_at) values
  (43, 'banned@example.com', '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', '2024-06-01', '2024-01-01', '2024-07-01');
