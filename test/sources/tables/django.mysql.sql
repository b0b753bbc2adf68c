create table auth_user (
  id int not null auto_increment primary key,
  password varchar(128) not null,
  last_login datetime(6) null,
  is_superuser tinyint(1) not null,
  username varchar(150) not null unique,
  first_name varchar(150) not null,
  last_name varchar(150) not null,
  email varchar(254) not null,
  is_staff tinyint(1) not null,
  is_active tinyint(1) not null,
  date_joined datetime(6) not null
);

create table account_emailaddress (
  id int not null auto_increment primary key,
  email varchar(254) not null,
  verified tinyint(1) not null,
  `primary` tinyint(1) not null,
  user_id int not null,
  unique (user_id, email),
  foreign key (user_id) references auth_user (id)
);

insert into auth_user values
  (42, 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=', '2024-07-01 12:00:00.123', 0, 'ada', 'Ada', 'Lovelace', 'ada@example.com', 0, 1, '2024-01-01 00:00:00'),
  (43, 'pbkdf2_sha256$870000$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=', null, 0, 'bob', '', '', 'inactive@example.com', 0, 0, '2024-01-01 00:00:00'),
  (44, '!2uxZ1fYfJ8wWz6RtqBQXkTHjv7mEnYpLd0c3S', null, 0, 'eve', '', '', '', 0, 1, '2024-01-01 00:00:00');

insert into account_emailaddress (email, verified, `primary`, user_id) values ('ada@example.com', 1, 1, 42);
