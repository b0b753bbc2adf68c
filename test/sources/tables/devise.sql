create table users (
  id bigserial primary key,
  email character varying not null default '',
  encrypted_password character varying not null default '',
  name character varying,
  reset_password_token character varying,
  remember_created_at timestamp(6),
  confirmed_at timestamp(6),
  otp_required_for_login boolean,
  otp_backup_codes character varying[],
  banned_at timestamp(6),
  created_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

create table identities (
  id bigserial primary key,
  user_id bigint not null references users (id),
  provider character varying,
  uid character varying,
  created_at timestamp(6) not null,
  updated_at timestamp(6) not null
);

insert into users (id, email, encrypted_password, confirmed_at, banned_at, created_at, updated_at) values
  (9223372036854775807, 'ada@example.com', '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', '2024-01-01 00:05:00.123456', null, '2024-01-01', '2024-07-01'),
  (43, 'banned@example.com', '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy', null, '2024-06-01', '2024-01-01', '2024-07-01');

insert into identities (user_id, provider, uid, created_at, updated_at) values
  (9223372036854775807, 'google_oauth2', '109876543210987654321', '2024-01-01', '2024-01-01');

alter sequence users_id_seq restart with 100;
