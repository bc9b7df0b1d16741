-- Who is signed in. Every statement can be repeated; nodes of the version before know nothing of it.

create table if not exists sign_in (
  hash       char(64) character set ascii collate ascii_bin not null comment 'SHA-256 of the cookie in hex; the cookie itself is never stored',
  name       varchar(128) character set utf8mb4 collate utf8mb4_bin not null comment 'of the person, or of the token',
  token      varchar(64) character set ascii collate ascii_bin null comment 'in api_token, which says what the sign-in may do; NULL: made by an identity provider',
  token_hash char(64) character set ascii collate ascii_bin null comment 'of that token: once this is none of its hashes, the sign-in is over',
  role       varchar(10) character set ascii collate ascii_bin null comment 'NULL: as the token says',
  namespaces json null comment 'an array of names; NULL: all, or as the token says',
  created_at datetime(3) not null,
  expires_at datetime(3) not null comment 'moves on while it is used, up to ends_at',
  ends_at    datetime(3) not null,
  primary key (hash),
  key by_expiry (expires_at)
) engine = InnoDB default character set utf8mb4 comment 'One row for each person that is signed in';
