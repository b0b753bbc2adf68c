create table wp_users (
  ID bigint(20) unsigned not null auto_increment,
  user_login varchar(60) not null default '',
  user_pass varchar(255) not null default '',
  user_nicename varchar(50) not null default '',
  user_email varchar(100) not null default '',
  user_url varchar(100) not null default '',
  user_registered datetime not null default '0000-00-00 00:00:00',
  user_activation_key varchar(255) not null default '',
  user_status int(11) not null default '0',
  display_name varchar(250) not null default '',
  primary key (ID)
);

create table wp_usermeta (
  umeta_id bigint(20) unsigned not null auto_increment primary key,
  user_id bigint(20) unsigned not null default '0',
  meta_key varchar(255) default null,
  meta_value longtext,
  key user_id (user_id)
);

insert into wp_users (ID, user_login, user_pass, user_email, user_registered, display_name) values
  (42, 'ada', '$wp$2y$10$uSV0HAPIzx9TatTn7ifS/urE5P2hWVFUO/WUcdoclqVP8j1OrDbE.', 'ada@example.com', '2024-01-01 00:00:00', 'Ada Lovelace'),
  (18446744073709551615, 'bob', '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', 'bob@example.com', '2019-03-04 05:06:07', 'Bób'),
  (44, 'zero', '', 'zero@example.com', '0000-00-00 00:00:00', '');

insert into wp_usermeta (user_id, meta_key, meta_value) values
  (42, 'first_name', 'Ada'),
  (42, 'last_name', 'Lovelace'),
  (42, 'wp_capabilities', 'a:1:{s:6:"editor";b:1;}'),
  (42, 'session_tokens', 'never read');
