-- Rowlock's tables. Every statement can be repeated: a node that dies in the middle of a migration leaves nothing to clean up.
-- All times are UTC, cut to milliseconds by the program. Names are compared byte by byte (utf8mb4_bin), ids are ASCII.

create table if not exists cluster_lock (
  name    varchar(16) character set ascii collate ascii_bin not null comment 'session, task-00 .. task-63',
  note    varchar(64) null,
  counter bigint not null default 0 comment 'rises once in every transaction that starts tasks of the shard',
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'One row per lock; locked for one short transaction';

insert ignore into cluster_lock (name)
select concat('task-', lpad(tens.n * 8 + ones.n, 2, '0'))
  from (select 0 n union all select 1 union all select 2 union all select 3
        union all select 4 union all select 5 union all select 6 union all select 7) tens
  join (select 0 n union all select 1 union all select 2 union all select 3
        union all select 4 union all select 5 union all select 6 union all select 7) ones
union all select 'session';

create table if not exists session (
  id            varchar(24) character set ascii collate ascii_bin not null,
  node          varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  host          varchar(255) not null,
  boot_id       varchar(80) character set ascii collate ascii_bin not null comment '/proc/sys/kernel/random/boot_id of the host',
  pid           bigint not null,
  pid_start     bigint not null comment 'start time of the process, in clock ticks since boot',
  version       varchar(40) not null,
  labels        json not null,
  capacity      int not null,
  started_at    datetime(3) not null,
  beat          bigint not null default 0 comment 'rises with every heartbeat; others judge by its rising, never by its time',
  heartbeat_at  datetime(3) not null comment 'for people',
  state         varchar(10) character set ascii collate ascii_bin not null comment 'ALIVE, DRAINING',
  prepared      int not null default 0,
  executing     int not null default 0,
  clock_skew_ms bigint not null default 0 comment 'wall clock of the host minus that of the database',
  primary key (id),
  unique key one_session_per_node (node)
) engine = InnoDB default character set utf8mb4 comment 'One row per live daemon process';

create table if not exists job (
  id         bigint not null auto_increment,
  namespace  varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  name       varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  version    int not null,
  definition json not null,
  paused     boolean not null,
  created_at datetime(3) not null,
  updated_at datetime(3) not null,
  primary key (id),
  unique key job_by_name (namespace, name)
) engine = InnoDB default character set utf8mb4 comment 'What is to run; firing never writes it';

create table if not exists job_version (
  job_id      bigint not null,
  version     int not null,
  namespace   varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  name        varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  definition  json not null,
  paused      boolean not null,
  valid_from  datetime(3) not null,
  valid_until datetime(3) null comment 'NULL: in force',
  primary key (job_id, version)
) engine = InnoDB default character set utf8mb4 comment 'Every definition and every pause, with its validity; outlives the job';

create table if not exists task (
  id             bigint not null auto_increment,
  job_id         bigint not null,
  job_version    int not null,
  shard          tinyint unsigned not null comment 'job_id mod 64',
  fire_time      datetime(3) not null,
  next_fire_time datetime(3) null comment 'the fire time of the row that this one handed the cursor to',
  origin         varchar(80) character set utf8mb4 collate utf8mb4_bin not null default '',
  attempt        smallint not null,
  cause          varchar(10) character set ascii collate ascii_bin not null,
  due_at         datetime(3) null comment 'NULL: waits, see waits_for',
  waits_for      varchar(200) null,
  state          enum('IDLE', 'PREPARED', 'EXECUTING') character set ascii collate ascii_bin not null,
  launch_id      varchar(48) character set ascii collate ascii_bin null,
  session_id     varchar(24) character set ascii collate ascii_bin null,
  prepared_at    datetime(3) null,
  started_at     datetime(3) null,
  cursor_of      bigint null comment 'the job, on the one row from which its next occurrence will be made',
  primary key (id),
  unique key one_attempt (job_id, fire_time, origin, attempt),
  unique key one_cursor (cursor_of),
  key due (state, due_at, shard),
  key held (session_id, state),
  key by_fire_time (fire_time)
) engine = InnoDB default character set utf8mb4 comment 'Live tasks only';

create table if not exists task_history (
  id             bigint not null comment 'of the task',
  job_id         bigint not null,
  namespace      varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  job            varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  job_version    int not null,
  fire_time      datetime(3) not null,
  next_fire_time datetime(3) null comment 'the fire time made with this one',
  origin         varchar(80) character set utf8mb4 collate utf8mb4_bin not null,
  attempt        smallint not null,
  cause          varchar(10) character set ascii collate ascii_bin not null,
  outcome        varchar(10) character set ascii collate ascii_bin not null,
  reason         varchar(500) null,
  node           varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  session_id     varchar(24) character set ascii collate ascii_bin null,
  launch_id      varchar(48) character set ascii collate ascii_bin null,
  due_at         datetime(3) null,
  prepared_at    datetime(3) null,
  started_at     datetime(3) null,
  ended_at       datetime(3) not null,
  lateness_ms    bigint null,
  duration_ms    bigint null,
  exit_code      int null,
  exit_signal    int null,
  output_bytes   bigint null comment 'how much the command wrote; what is kept of it is in task_output',
  occurrences    bigint not null default 1 comment 'how many fire times this row stands for',
  last_fire_time datetime(3) not null comment 'the last of them',
  primary key (id),
  key by_job (namespace, job, fire_time),
  key by_outcome (outcome, fire_time),
  key by_fire_time (fire_time)
) engine = InnoDB default character set utf8mb4 comment 'What became of every task; append-only';

create table if not exists task_output (
  task_id     bigint not null,
  launch_id   varchar(48) character set ascii collate ascii_bin not null,
  total_bytes bigint not null,
  cut_bytes   bigint not null comment 'how many were dropped between head and tail',
  head        mediumblob not null,
  tail        mediumblob not null,
  written_at  datetime(3) not null,
  primary key (task_id)
) engine = InnoDB default character set utf8mb4 comment 'Kept output; written after the finish, never in its transaction';

create table if not exists task_request (
  session_id   varchar(24) character set ascii collate ascii_bin not null comment 'who is asked',
  launch_id    varchar(48) character set ascii collate ascii_bin not null,
  kind         varchar(10) character set ascii collate ascii_bin not null comment 'KILL, FOLLOW',
  requested_at datetime(3) not null,
  primary key (session_id, launch_id, kind)
) engine = InnoDB default character set utf8mb4 comment 'What is asked of a task that sits on another node';

create table if not exists idempotency_key (
  job_id     bigint not null,
  idem_key   varchar(200) character set utf8mb4 collate utf8mb4_bin not null,
  task_id    bigint not null,
  created_at datetime(3) not null,
  primary key (job_id, idem_key),
  key by_age (created_at)
) engine = InnoDB default character set utf8mb4 comment 'So that a repeated request to run makes one task';

create table if not exists api_token (
  name       varchar(64) character set ascii collate ascii_bin not null,
  hash       char(64) character set ascii collate ascii_bin not null comment 'SHA-256 in hex; the token itself is never stored',
  created_at datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4;

create table if not exists setting (
  name  varchar(64) character set ascii collate ascii_bin not null,
  value varchar(255) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Facts that all nodes share';
