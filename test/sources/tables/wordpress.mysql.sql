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
  (44, 'zero', '', 'zero@example.com', '0000-00-00 00:00:00', ''),
  (45, 'fay', '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', 'fay@example.com', '2019-03-04 05:06:07', 'Fay'),
  (46, 'tom', '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', 'tom@example.com', '2019-03-04 05:06:07', 'Tom');

insert into wp_usermeta (user_id, meta_key, meta_value) values
  (42, 'first_name', 'Ada'),
  (42, 'last_name', 'Lovelace'),
  (42, 'wp_capabilities', 'a:1:{s:6:"editor";b:1;}'),
  (42, 'session_tokens', 'never read'),
  (46, '_two_factor_enabled_providers', 'a:1:{i:0;s:15:"Two_Factor_Totp";}'),
  (46, '_two_factor_totp_key', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');

create table wp_wfls_2fa_secrets (
  id int(11) unsigned not null auto_increment primary key,
  user_id bigint(20) unsigned not null,
  secret tinyblob not null,
  recovery blob not null,
  ctime int(10) unsigned not null,
  vtime int(10) unsigned not null,
  mode enum('authenticator') not null default 'authenticator',
  key user_id (user_id)
);

insert into wp_wfls_2fa_secrets (user_id, secret, recovery, ctime, vtime) values
  (45, x'a1b2c3d4e5f6a7b8c9dadbecfda1b2c3d4e5f6a7', x'00112233445566778899aabbccddeeff', 1, 2);
