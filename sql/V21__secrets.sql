-- Secrets: values that commands get by their environment, encrypted by the nodes. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

create table if not exists secret (
  id bigint unsigned not null auto_increment,
  namespace varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  name varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  version int not null comment 'rises with every change of the value; part of what is authenticated',
  key_id varchar(16) character set ascii collate ascii_bin not null comment 'which key opens it; tells nothing of the key',
  sealed mediumblob not null comment 'nonce, ciphertext and tag of AES-256-GCM',
  created_at datetime(3) not null,
  updated_at datetime(3) not null,
  primary key (id),
  unique key by_name (namespace, name)
) engine = InnoDB default character set utf8mb4 comment 'encrypted values; no node writes what they say';

-- Which jobs name secrets, in an index of their own, so that nobody reads all jobs to learn it. The server works it out, so it is right in rows
-- that nodes of the version before write.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job' and column_name = 'uses_secrets'),
               'do 0', 'alter table job
  add column uses_secrets boolean
    generated always as (json_extract(definition, ''$.secretEnv'') is not null) virtual
    comment ''has a secretEnv''');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'job' and index_name = 'by_secrets'),
               'do 0', 'alter table job add key by_secrets (uses_secrets, namespace, name)');
prepare step from @step;
execute step;
deallocate prepare step;
