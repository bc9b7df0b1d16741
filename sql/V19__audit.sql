-- Who changed what. Every statement can be repeated; nodes of the version before write nothing here.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

create table if not exists audit (
  id         bigint not null auto_increment,
  at         datetime(3) not null,
  who        varchar(128) character set utf8mb4 collate utf8mb4_bin not null comment 'the name of a token or a person',
  role       varchar(10) character set ascii collate ascii_bin not null comment 'which whoever it was had at that time',
  address    varchar(64) character set ascii collate ascii_bin not null,
  request_id varchar(64) character set ascii collate ascii_bin not null,
  action     varchar(20) character set ascii collate ascii_bin not null,
  kind       varchar(16) character set ascii collate ascii_bin not null comment 'what was changed: job, task, group, node, token …',
  namespace  varchar(64) character set utf8mb4 collate utf8mb4_bin null comment 'NULL: it belongs to none',
  name       varchar(200) character set utf8mb4 collate utf8mb4_bin not null,
  was        json null comment 'the fields that changed, as they were; NULL: it was not there',
  became     json null comment 'the same afterwards; NULL: it is not there any more',
  primary key (id),
  key by_at (at),
  key by_who (who, at),
  key by_action (action, at),
  key by_name (namespace, name, at)
) engine = InnoDB default character set utf8mb4 comment 'One row for each change that somebody made, written in its transaction; append-only';

-- Outlives the row of the audit, and is found with the version.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job_version' and column_name = 'changed_by'),
               'do 0', 'alter table job_version
  add column changed_by varchar(128) character set utf8mb4 collate utf8mb4_bin null comment ''NULL: Rowlock itself, or not known''');
prepare step from @step;
execute step;
deallocate prepare step;

create or replace sql security invoker view v_audit as
select a.id, a.at, a.who, a.role, a.address, a.request_id, a.action, a.kind, a.namespace, a.name, a.was, a.became
  from audit a;
