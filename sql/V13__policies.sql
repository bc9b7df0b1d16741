-- What policies keep: of a task, of the nodes, of groups. Adding columns changes no row; nodes of the version before leave them at their defaults,
-- and leave alone the jobs that use them. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task' and column_name = 'selector'),
               'do 0', 'alter table task
  add column queued_at datetime(3) null comment ''since when it waited by policy; NULL: it never did'',
  add column priority smallint not null default 0 comment ''of its job'',
  add column group_name varchar(64) character set utf8mb4 collate utf8mb4_bin null comment ''of its job'',
  add column selector int not null default 0 comment ''which nodes may run it, see table selector; 0: any'',
  add column jitter_ms bigint not null default 0 comment ''how far behind its fire time it is due'',
  add column replaced_by bigint null comment ''the task for which it is killed'',
  add column failures smallint unsigned not null default 0 comment ''how many attempts at this occurrence failed before'',
  add column overrides json null comment ''what somebody asked for in this one run''');
prepare step from @step;
execute step;
deallocate prepare step;

-- So that tasks for other nodes are passed over in the index, which a scan follows in its order.
set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'task' and index_name = 'due' and column_name = 'selector'),
               'do 0', 'alter table task drop key due, add key due (state, due_at, shard, id, selector)');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task_history' and column_name = 'superseded_by'),
               'do 0', 'alter table task_history
  add column queued_at datetime(3) null comment ''since when it waited by policy; NULL: it never did'',
  add column priority smallint not null default 0,
  add column group_name varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  add column superseded_by bigint null comment ''the task that started first, or for which it was skipped'',
  add column replaced_by bigint null comment ''the task for which it was killed'',
  add column overrides json null comment ''what somebody asked for in this one run'',
  add column note varchar(200) null comment ''how it was run, where the host decides that''');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task_request' and column_name = 'replaced_by'),
               'do 0', 'alter table task_request
  add column replaced_by bigint null comment ''the task for which a kill is asked; NULL: somebody asked for it''');
prepare step from @step;
execute step;
deallocate prepare step;

-- What a node's configuration says stays known next to what is in effect, so that an operator's setting can be taken back.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'session' and column_name = 'drained'),
               'do 0', 'alter table session
  add column own_labels json null comment ''as configured; NULL: those in effect'',
  add column own_capacity int null comment ''as configured; NULL: that in effect'',
  add column drained boolean not null default false comment ''takes no work until somebody lifts that''');
prepare step from @step;
execute step;
deallocate prepare step;

-- A pause may have an end and a reason.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job' and column_name = 'paused_until'),
               'do 0', 'alter table job
  add column paused_until datetime(3) null comment ''when it resumes by itself; NULL: when somebody resumes it'',
  add column pause_reason varchar(500) null,
  add key by_pause (paused_until)');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job_version' and column_name = 'paused_until'),
               'do 0', 'alter table job_version
  add column paused_until datetime(3) null,
  add column pause_reason varchar(500) null');
prepare step from @step;
execute step;
deallocate prepare step;

create table if not exists job_run (
  job_id bigint not null,
  runs   int not null comment 'occurrences of the schedule that were started',
  primary key (job_id)
) engine = InnoDB default character set utf8mb4 comment 'Only jobs with maxRuns';

create table if not exists selector (
  id         int not null auto_increment,
  expression varchar(700) character set utf8mb4 collate utf8mb4_bin not null comment 'as nodes of a job are written; node:NAME: that one',
  primary key (id),
  unique key by_expression (expression)
) engine = InnoDB default character set utf8mb4 comment 'Which nodes may run a task; never changed, never deleted';

create table if not exists node_setting (
  node       varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  labels     json null comment 'merge patch of what its configuration says',
  capacity   int null comment 'instead of what its configuration says',
  drained    boolean not null default false,
  updated_at datetime(3) not null,
  primary key (node)
) engine = InnoDB default character set utf8mb4 comment 'What operators asked of a node; outlives its sessions';

create table if not exists job_group (
  name        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  slots       int not null comment 'how many of its tasks may execute at once',
  description varchar(500) not null default '',
  created_at  datetime(3) not null,
  updated_at  datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Cluster-wide limits; a row is the lock of its group';

create table if not exists group_slot (
  task_id    bigint not null,
  launch_id  varchar(48) character set ascii collate ascii_bin not null,
  group_name varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  primary key (task_id),
  key by_group (group_name)
) engine = InnoDB default character set utf8mb4 comment 'One row per executing task of a group';

create table if not exists task_wait (
  task_id   bigint not null,
  shard     tinyint unsigned not null,
  awaited   varchar(80) character set utf8mb4 collate utf8mb4_bin not null comment 'group:NAME, selector:ID',
  rank_at   datetime(3) not null comment 'the earliest goes first: since when it waits, a minute earlier for each point of priority',
  woken_at  datetime(3) null comment 'when it was made due; NULL: it is held',
  primary key (task_id),
  key by_rank (awaited, rank_at, task_id)
) engine = InnoDB default character set utf8mb4 comment 'What waits for a group or a node';

create or replace sql security invoker view v_running as
select v.namespace, v.name as job, t.id, t.fire_time, t.attempt, t.cause, s.node, t.started_at,
       timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms, t.session_id, t.launch_id,
       t.hold, t.hold_reason, t.queued_at, t.priority, t.group_name, t.replaced_by
  from task t
  join job_version v on v.job_id = t.job_id and v.version = t.job_version
  left join session s on s.id = t.session_id
 where t.state = 'EXECUTING';

create or replace sql security invoker view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt, t.waits_for, s.node, t.id,
       t.hold, t.hold_reason, t.queued_at, t.priority, t.group_name
  from task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED');

create or replace sql security invoker view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id,
       queued_at, priority, group_name, superseded_by, replaced_by, note
  from task_history
 where outcome <> 'EXPANDED';

create or replace sql security invoker view v_node as
select node, if(stopping, 'STOPPING', if(drained, 'DRAINING', state)) as state, host, pid, version, capacity, prepared, executing, started_at,
       heartbeat_at, clock_skew_ms, id as session_id, drained, labels
  from session;

create or replace sql security invoker view v_job as
select j.namespace,
       j.name,
       case
         when j.paused then 'PAUSED'
         when exists (select 1 from task t where t.job_id = j.id and t.state = 'EXECUTING') then 'EXECUTING'
         when exists (select 1 from task t where t.job_id = j.id and t.state = 'PREPARED') then 'PREPARED'
         when c.id is not null or j.is_manual then 'IDLE'
         when exists (select 1 from task t where t.job_id = j.id) then 'IDLE'
         else 'ENDED'
       end as state,
       (select min(t.fire_time) from task t
         where t.job_id = j.id and t.state in ('IDLE', 'PREPARED') and t.origin = '' and t.due_at is not null) as next_fire_time,
       json_unquote(json_extract(j.definition, '$.schedule')) as schedule,
       j.zone,
       json_unquote(json_extract(j.definition, '$.command')) as command,
       j.version,
       j.created_at,
       j.updated_at,
       j.id as job_id,
       if(j.paused, j.paused_until, null) as paused_until,
       if(j.paused, j.pause_reason, null) as pause_reason
  from job j
  left join task c on c.cursor_of = j.id;
