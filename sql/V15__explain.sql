-- What it takes to explain a task later, beyond what is kept of it anyway: what held it last, who had prepared it, and which sessions there were.
-- Adding columns changes no row; nodes of the version before leave them empty, and what they would say is not known then.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task' and column_name = 'taken_node'),
               'do 0', 'alter table task
  add column waited_for varchar(200) null comment ''the policy that held it last, as waits_for has it; stays when the hold is lifted'',
  add column taken_from varchar(48) character set ascii collate ascii_bin null comment ''the launch under which another node had prepared it'',
  add column taken_node varchar(64) character set utf8mb4 collate utf8mb4_bin null comment ''that node; NULL: its session was gone already''');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task_history' and column_name = 'taken_node'),
               'do 0', 'alter table task_history
  add column waited_for varchar(200) null comment ''the policy that held it last, while it waited'',
  add column taken_from varchar(48) character set ascii collate ascii_bin null comment ''the launch under which another node had prepared it'',
  add column taken_node varchar(64) character set utf8mb4 collate utf8mb4_bin null comment ''that node; NULL: its session was gone already''');
prepare step from @step;
execute step;
deallocate prepare step;

create table if not exists session_log (
  id           varchar(24) character set ascii collate ascii_bin not null,
  node         varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  host         varchar(255) not null,
  version      varchar(40) not null,
  labels       json not null comment 'at its end',
  capacity     int not null comment 'at its end',
  took_work    boolean not null comment 'at its end: false, if it was drained',
  started_at   datetime(3) not null,
  heartbeat_at datetime(3) not null comment 'the last sign of it',
  gone_at      datetime(3) not null,
  reason       varchar(200) not null,
  primary key (id),
  key by_end (gone_at)
) engine = InnoDB default character set utf8mb4 comment 'Sessions that have ended, for as long as history reaches';
