-- What a session says of itself, so that others need not judge it by their own settings, and what became of the last session of each node.
-- All columns can be left out: nodes of the version before go on writing rows without them.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'session' and column_name = 'stopping'),
               'do 0', 'alter table session
  add column timeout_ms bigint null comment ''how long its beat must stand still before it may be expired; NULL: the observer decides'',
  add column settings json null comment ''what should be the same on all nodes'',
  add column stopping boolean not null default false comment ''it was asked to stop; state says DRAINING''');
prepare step from @step;
execute step;
deallocate prepare step;

create table if not exists session_past (
  node         varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  id           varchar(24) character set ascii collate ascii_bin not null,
  host         varchar(255) not null,
  pid          bigint not null,
  version      varchar(40) not null,
  capacity     int not null,
  started_at   datetime(3) not null,
  heartbeat_at datetime(3) not null,
  gone_at      datetime(3) not null,
  reason       varchar(200) not null,
  primary key (node)
) engine = InnoDB default character set utf8mb4 comment 'The last session of each node that has ended, for a day';
