-- Tokens with a role, and perhaps limited to namespaces, or to a time. Every statement can be repeated. A node of the version before knows the row
-- admin only, and goes on to find its hash there: what it writes is an administrator's token without limits.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'api_token' and column_name = 'role'),
               'do 0', 'alter table api_token
  add column token_id varchar(16) character set ascii collate ascii_bin null comment ''the public part of the token; NULL: it has none, as that of admin'',
  add column role varchar(10) character set ascii collate ascii_bin not null default ''admin'' comment ''viewer, operator, editor, admin'',
  add column namespaces json null comment ''an array of names; NULL: all'',
  add column expires_at datetime(3) null comment ''NULL: never'',
  add column last_used_at datetime(3) null comment ''to about a minute'',
  add column previous_hash char(64) character set ascii collate ascii_bin null comment ''of the token before the last rotation'',
  add column previous_until datetime(3) null comment ''until when that one works, too'',
  add unique key by_token_id (token_id)');
prepare step from @step;
execute step;
deallocate prepare step;
