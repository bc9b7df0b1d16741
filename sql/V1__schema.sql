-- Rowlock's tables and views, from top to bottom: how nodes agree, what is to run, what is live, what became of it, who may
-- and who did, who is told, and views for people. Every statement can be repeated: a node that dies in the middle of it
-- leaves nothing to clean up.
-- All times are UTC, cut to milliseconds by the program. Names are compared byte by byte (utf8mb4_bin), ids are ASCII. An
-- index that more than one row a request is read by says what reads it.

-- How nodes agree

create table if not exists cluster_lock (
  name            varchar(16) character set ascii collate ascii_bin not null comment 'session, task-00 .. task-63',
  note            varchar(64) null,
  counter         bigint not null default 0 comment 'rises once in every transaction that starts tasks of the stripe',
  counted_through datetime(3) null
    comment 'history of the stripe that ended before this is counted in order of its end, and later additions by their notes',
  rules           bigint not null default 0
    comment 'of stripes, the same on all: rises with every change of a freeze or a calendar',
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
  boot_id       varchar(80) character set ascii collate ascii_bin not null
    comment '/proc/sys/kernel/random/boot_id of the host',
  pid           bigint not null,
  pid_start     bigint not null comment 'start time of the process, in clock ticks since boot',
  version       varchar(40) not null,
  labels        json not null,
  capacity      int not null,
  started_at    datetime(3) not null,
  beat          bigint not null default 0
    comment 'rises with every heartbeat; others judge by its rising, never by its time',
  heartbeat_at  datetime(3) not null comment 'for people',
  state         enum('ALIVE', 'DRAINING') character set ascii collate ascii_bin not null,
  prepared      int not null default 0,
  executing     int not null default 0,
  clock_skew_ms bigint not null default 0 comment 'wall clock of the host minus that of the database',
  timeout_ms    bigint null
    comment 'how long its beat must stand still before it may be expired; NULL: the observer decides',
  settings      json null comment 'what should be the same on all nodes',
  stopping      boolean not null default false comment 'it was asked to stop; state says DRAINING',
  own_labels    json null comment 'as configured; NULL: those in effect',
  own_capacity  int null comment 'as configured; NULL: that in effect',
  drained       boolean not null default false comment 'takes no work until somebody lifts that',
  primary key (id),
  unique key one_session_per_node (node)
) engine = InnoDB default character set utf8mb4 comment 'One row per live daemon process';

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

create table if not exists node_setting (
  node       varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  labels     json null comment 'merge patch of what its configuration says',
  capacity   int null comment 'instead of what its configuration says',
  drained    boolean not null default false,
  updated_at datetime(3) not null,
  primary key (node)
) engine = InnoDB default character set utf8mb4 comment 'What operators asked of a node; outlives its sessions';

create table if not exists selector (
  id           int not null auto_increment,
  expression   varchar(700) character set utf8mb4 collate utf8mb4_bin not null
    comment 'as nodes of a job are written; node:NAME: that one',
  unused_since datetime(3) null comment 'since when no task was seen to have it; NULL: some has, or nobody looked',
  primary key (id),
  unique key by_expression (expression)
) engine = InnoDB default character set utf8mb4
  comment 'Which nodes may run a task; never changed, forgotten an hour after the last task that had it';

create table if not exists setting (
  name  varchar(64) character set ascii collate ascii_bin not null,
  value varchar(255) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Facts that all nodes share';

-- What is to run

-- What is generated and has an index is stored: where it is not, MariaDB's purge opens the table to compute it again,
-- which has ended servers (MDEV-39261) and used up their memory.
create table if not exists job (
  id           bigint not null auto_increment,
  namespace    varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  name         varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  version      int not null,
  definition   json not null,
  paused       boolean not null,
  created_at   datetime(3) not null,
  updated_at   datetime(3) not null,
  on_lost      varchar(20) character set utf8mb4 collate utf8mb4_bin
    generated always as (left(coalesce(nullif(json_unquote(json_extract(definition, '$.onLost')), 'null'), 'RERUN'), 20)) virtual
    comment 'RERUN, FAIL',
  zone         varchar(64) character set utf8mb4 collate utf8mb4_bin
    generated always as (left(
      case when locate('TZ=', json_unquote(json_extract(definition, '$.schedule'))) in (1, 6)
           then substring_index(substring_index(replace(json_unquote(json_extract(definition, '$.schedule')), '\t', ' '), ' ', 1), '=', -1)
           else coalesce(nullif(json_unquote(json_extract(definition, '$.zone')), 'null'), 'UTC') end, 64)) virtual
    comment 'in which fire times are computed: that of the prefix of the schedule, else of the job; lines of a list may name others',
  is_manual    boolean
    generated always as (coalesce(lower(json_unquote(json_extract(definition, '$.schedule'))) like '%@manual', false)) virtual
    comment 'runs only when asked for',
  paused_until datetime(3) null comment 'when it resumes by itself; NULL: when somebody resumes it',
  pause_reason varchar(500) null,
  search       varbinary(1100)
    generated always as (left(cast(lower(concat(name, '\n',
      coalesce(nullif(json_unquote(json_extract(definition, '$.description')), 'null'), ''))) as binary), 1100)) stored
    comment 'name and description, in lower case',
  label_text   varbinary(1100)
    generated always as (left(cast(coalesce(json_unquote(json_extract(definition, '$.labels')), '') as binary), 1100)) stored
    comment 'labels as JSON',
  uses_secrets boolean
    generated always as (json_extract(definition, '$.secretEnv') is not null) stored
    comment 'has a secretEnv',
  calendars    varbinary(700)
    generated always as (left(cast(json_extract(definition, '$.calendar') as binary), 700)) stored
    comment 'the names of its calendars, each in quotes; NULL: it has none',
  has_finish_by boolean
    generated always as (json_extract(definition, '$.finishBy') is not null) stored
    comment 'has a finishBy',
  primary key (id),
  unique key job_by_name (namespace, name),
  -- pauses that end
  key by_pause (paused_until),
  -- GET /jobs with q and label, without its definitions
  key by_find (namespace, name, search, label_text),
  -- which jobs use a secret
  key by_secrets (uses_secrets, namespace, name),
  -- which jobs name a calendar
  key by_calendar (calendars, namespace, name),
  -- which jobs have deadlines
  key by_finish (has_finish_by)
) engine = InnoDB default character set utf8mb4 comment 'What is to run; firing never writes it';

create table if not exists job_version (
  job_id       bigint not null,
  version      int not null,
  namespace    varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  name         varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  definition   json not null,
  paused       boolean not null,
  valid_from   datetime(3) not null,
  valid_until  datetime(3) null comment 'NULL: in force',
  paused_until datetime(3) null,
  pause_reason varchar(500) null,
  runs         int null comment 'how many runs counted for maxRuns when it came into force; NULL: none, or not known',
  changed_by   varchar(128) character set utf8mb4 collate utf8mb4_bin null comment 'NULL: Rowlock itself, or not known',
  primary key (job_id, version),
  -- which jobs were changed or deleted since a time
  key by_end (valid_until),
  -- the versions that a name has had, also of jobs that were deleted
  key by_name (namespace, name, version),
  -- what was changed since a time: events
  key by_start (valid_from)
) engine = InnoDB default character set utf8mb4
  comment 'Every definition and every pause, with its validity; outlives the job';

create table if not exists job_group (
  name        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  slots       int not null comment 'how many of its tasks may execute at once',
  description varchar(500) not null default '',
  created_at  datetime(3) not null,
  updated_at  datetime(3) not null,
  looks       bigint not null default 0 comment 'how often its limit was asked for, under the lock of this row',
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Cluster-wide limits; a row is the lock of its group';

create table if not exists calendar (
  name        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  version     int not null comment 'the one in force',
  mark        varchar(24) character set ascii collate ascii_bin not null comment 'by which jobs name what it says of days',
  moving      boolean not null default false comment 'jobs may go by an earlier version still',
  known_until date null comment 'the last day that its dates were made for; NULL: not said',
  created_at  datetime(3) not null,
  updated_at  datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Which days are open; a row is the lock of its calendar';

create table if not exists calendar_version (
  name        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  version     int not null,
  mark        varchar(24) character set ascii collate ascii_bin not null comment 'the version, and a digest of what it says',
  definition  json not null,
  valid_from  datetime(3) not null,
  valid_until datetime(3) null comment 'NULL: in force',
  changed_by  varchar(128) character set utf8mb4 collate utf8mb4_bin null comment 'NULL: not known',
  primary key (name, version)
) engine = InnoDB default character set utf8mb4
  comment 'Every version of a calendar, with its validity; outlives the calendar, as versions of jobs go by it';
create table if not exists freeze (
  id         bigint not null auto_increment,
  scope      json not null comment 'namespaces, labels, jobs, all',
  effect     enum('HOLD', 'SKIP') character set ascii collate ascii_bin not null comment 'on what comes due under it',
  from_at    datetime(3) not null,
  until_at   datetime(3) not null,
  reason     varchar(500) not null,
  made_by    varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  created_at datetime(3) not null,
  held_until datetime(3) null comment 'up to when tasks may be held though it ends before, and are to be woken; NULL: none',
  ended_by   varchar(128) character set utf8mb4 collate utf8mb4_bin null comment 'NULL: nobody ended it before its time',
  changed_at datetime(3) not null,
  primary key (id),
  -- events
  key by_change (changed_at),
  -- those that are not over; retention
  key by_end (until_at),
  -- those whose tasks are to be woken
  key by_held (held_until)
) engine = InnoDB default character set utf8mb4
  comment 'When what comes due is held or skipped; each change raises cluster_lock.rules';

create table if not exists job_run (
  job_id bigint not null,
  runs   int not null comment 'occurrences of the schedule that were started',
  primary key (job_id)
) engine = InnoDB default character set utf8mb4 comment 'Only jobs with maxRuns';

-- What is live

create table if not exists task_ids (
  id      tinyint not null,
  next_id bigint not null comment 'the first that no node has taken; nodes take some hundred at a time',
  primary key (id)
) engine = InnoDB default character set utf8mb4 comment 'Where ids of tasks come from, each of them once; one row';

insert ignore into task_ids (id, next_id) values (1, 1);

create table if not exists job_next (
  job_id      bigint not null,
  job_version int not null comment 'that of the job: every change of a job writes both',
  stripe      tinyint unsigned not null comment 'job_id mod 64',
  task_id     bigint not null comment 'the id that its task will have',
  fire_time   datetime(3) not null,
  due_at      datetime(3) null comment 'when the scan finds it; NULL: at no time, see hold',
  hold        varchar(10) character set ascii collate ascii_bin null comment 'why it waits: PAUSE, ERROR, FREEZE',
  hold_reason varchar(200) null comment 'for people',
  needs       smallint not null default 0 comment 'the feature level that a node must have to touch it',
  priority    smallint not null default 0 comment 'of its job',
  group_name  varchar(64) character set utf8mb4 collate utf8mb4_bin null comment 'of its job',
  selector    int not null default 0 comment 'which nodes may run its task, see table selector; 0: any',
  jitter_ms   bigint not null default 0 comment 'how far behind its fire time it is due',
  primary key (job_id),
  -- what is due: the scan
  key due (due_at, stripe, task_id, selector),
  -- an occurrence by the id that it will have: GET /tasks/{id}, kill, explain, edits, what was set aside
  key by_task (task_id),
  -- the live part of GET /tasks, newest first; jobs by their next run
  key by_fire_time (fire_time, task_id)
) engine = InnoDB default character set utf8mb4
  comment 'The cursor of each job that has a fire time left: its next occurrence, which has no row in task yet';

-- Redundant: a NULL of fixed width keeps its room, so that a start does not make the row grow and move.
create table if not exists task (
  id             bigint not null comment 'from task_ids',
  job_id         bigint not null,
  job_version    int not null,
  stripe          tinyint unsigned not null comment 'job_id mod 64',
  fire_time      datetime(3) not null,
  next_fire_time datetime(3) null comment 'the fire time that follows; NULL: none does, or it is no occurrence of a schedule',
  origin         varchar(80) character set utf8mb4 collate utf8mb4_bin not null default '',
  attempt        smallint not null,
  cause          enum('SCHEDULE', 'MANUAL', 'RETRY', 'RECOVERY', 'CATCH_UP', 'BACKFILL', 'DEPENDENCY')
    character set ascii collate ascii_bin not null,
  due_at         datetime(3) null comment 'when the scan finds it; NULL: at no time, see hold',
  hold           varchar(10) character set ascii collate ascii_bin null
    comment 'why it waits: PAUSE, OVERLAP, GROUP, NODE, ERROR, FREEZE',
  hold_reason    varchar(200) null comment 'for people',
  state          enum('IDLE', 'PREPARED', 'EXECUTING') character set ascii collate ascii_bin not null,
  launch_id      varchar(48) character set ascii collate ascii_bin null,
  session_id     varchar(24) character set ascii collate ascii_bin null,
  prepared_at    datetime(3) null,
  started_at     datetime(3) null,
  needs          smallint not null default 0 comment 'the feature level that a node must have to touch it',
  losses         smallint unsigned not null default 0 comment 'how often this occurrence was lost before',
  stops          smallint unsigned not null default 0
    comment 'how many of these losses were to a node that was stopped',
  queued_at      datetime(3) null comment 'since when it waited by policy; NULL: it never did',
  priority       smallint not null default 0 comment 'of its job',
  group_name     varchar(64) character set utf8mb4 collate utf8mb4_bin null comment 'of its job',
  selector       int not null default 0 comment 'which nodes may run it, see table selector; 0: any',
  jitter_ms      bigint not null default 0 comment 'how far behind its fire time it is due',
  replaced_by    bigint null comment 'the task for which it is killed',
  failures       smallint unsigned not null default 0 comment 'how many attempts at this occurrence failed before',
  overrides      json null comment 'what somebody asked for in this one run',
  waited_for     varchar(200) null
    comment 'kind and reason of the policy that held it last; stays when the hold is lifted',
  taken_from     varchar(48) character set ascii collate ascii_bin null
    comment 'the launch under which another node had prepared it',
  taken_node     varchar(64) character set utf8mb4 collate utf8mb4_bin null
    comment 'that node; NULL: its session was gone already',
  not_before     datetime(3) null comment 'of a further attempt: when its backoff ends',
  idle           boolean generated always as (state = 'IDLE') stored comment 'for index due, which no start changes',
  primary key (id),
  -- an attempt is there once; what a job has live: facts before a start, misfires, edits, v_job
  unique key one_attempt (job_id, fire_time, origin, attempt),
  -- what is due: the scan, takeover; what executes, for overview and events
  key due (idle, due_at, stripe, id, selector),
  -- what a session holds: its end, release, compensation; its slots; what executes of a queueing job
  key held (session_id, job_id)
) engine = InnoDB row_format = redundant default character set utf8mb4
  comment 'What is prepared, executes or waits; the next occurrence of a job is in job_next';

create table if not exists backfill (
  id           bigint not null auto_increment,
  job_id       bigint not null,
  namespace    varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  job          varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  from_at      datetime(3) not null,
  until_at     datetime(3) not null,
  only_which   enum('ALL', 'NOT_SUCCEEDED') character set ascii collate ascii_bin not null,
  run_order    enum('OLDEST_FIRST', 'NEWEST_FIRST') character set ascii collate ascii_bin not null,
  parallel     int not null comment 'how many of its fire times may execute at once',
  priority     smallint not null,
  fire_times   int not null comment 'how many it has',
  asked_by     varchar(128) character set utf8mb4 collate utf8mb4_bin null,
  created_at   datetime(3) not null,
  cancelled_at datetime(3) null,
  cancelled_by varchar(128) character set utf8mb4 collate utf8mb4_bin null,
  ended_at     datetime(3) null comment 'since when none of its fire times waits',
  primary key (id),
  -- which of them go on; retention
  key by_end (ended_at, id),
  -- those of a job, newest first
  key by_job (namespace, job, id)
) engine = InnoDB default character set utf8mb4 comment 'Past fire times that somebody asked to run, one row a request';

create table if not exists backfill_time (
  backfill_id bigint not null,
  fire_time   datetime(3) not null,
  task_id     bigint not null comment 'the id that its task has, or will have',
  made        boolean not null default false comment 'whether there is, or was, that task',
  primary key (backfill_id, fire_time),
  -- which is next
  key by_turn (backfill_id, made, fire_time),
  -- GET /tasks/{id} of one that waits
  key by_task (task_id)
) engine = InnoDB default character set utf8mb4
  comment 'Fire times of a backfill; each becomes a row of task when its turn has come';

create table if not exists task_wait (
  task_id  bigint not null,
  stripe    tinyint unsigned not null,
  awaited  varchar(80) character set utf8mb4 collate utf8mb4_bin not null comment 'group:NAME, selector:ID',
  rank_at  datetime(3) not null
    comment 'the earliest goes first: since when it waits, a minute earlier for each point of priority',
  woken_at datetime(3) null comment 'when it was made due; NULL: it is held',
  primary key (task_id),
  -- who comes next, of those that wait for a group or a node
  key by_rank (awaited, rank_at, task_id)
) engine = InnoDB default character set utf8mb4 comment 'What waits for a group or a node';

create table if not exists task_aside (
  task_id bigint not null,
  job_id  bigint not null,
  times   int not null comment 'how often it was set aside',
  since   datetime(3) not null,
  look_at datetime(3) not null comment 'when it is tried again',
  primary key (task_id),
  -- what is to be tried again
  key by_look (look_at),
  -- whether a job has any
  key by_job (job_id)
) engine = InnoDB default character set utf8mb4 comment 'Tasks whose hold is ERROR; outlives that by one look';

create table if not exists group_slot (
  task_id    bigint not null,
  launch_id  varchar(48) character set ascii collate ascii_bin not null,
  group_name varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  primary key (task_id),
  -- how many slots of a group are taken
  key by_group (group_name)
) engine = InnoDB default character set utf8mb4 comment 'One row per executing task of a group';

create table if not exists task_request (
  session_id   varchar(24) character set ascii collate ascii_bin not null comment 'who is asked',
  launch_id    varchar(48) character set ascii collate ascii_bin not null,
  kind         varchar(10) character set ascii collate ascii_bin not null comment 'KILL, FOLLOW',
  requested_at datetime(3) not null,
  replaced_by  bigint null comment 'the task for which a kill is asked; NULL: somebody asked for it',
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

-- What became of it

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
  cause          enum('SCHEDULE', 'MANUAL', 'RETRY', 'RECOVERY', 'CATCH_UP', 'BACKFILL', 'DEPENDENCY')
    character set ascii collate ascii_bin not null,
  outcome        enum('SUCCEEDED', 'FAILED', 'TIMED_OUT', 'KILLED', 'LOST', 'SKIPPED', 'MISSED', 'CANCELLED', 'EXPANDED')
    character set ascii collate ascii_bin not null,
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
  queued_at      datetime(3) null comment 'since when it waited by policy; NULL: it never did',
  priority       smallint not null default 0,
  group_name     varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  superseded_by  bigint null comment 'the task that started first, or for which it was skipped',
  replaced_by    bigint null comment 'the task for which it was killed',
  overrides      json null comment 'what somebody asked for in this one run',
  note           varchar(200) null comment 'how it was run, where the host decides that',
  waited_for     varchar(200) null comment 'the policy that held it last, while it waited',
  taken_from     varchar(48) character set ascii collate ascii_bin null
    comment 'the launch under which another node had prepared it',
  taken_node     varchar(64) character set utf8mb4 collate utf8mb4_bin null
    comment 'that node; NULL: its session was gone already',
  withdrawn      boolean not null default false comment 'an edit or a deletion took it back before its fire time',
  primary key (id),
  -- one job: the list of its runs, its chain, verify, reruns
  key by_job (namespace, job, fire_time),
  -- GET /tasks?outcome=, v_missed, reruns of a window
  key by_outcome (outcome, fire_time),
  -- GET /tasks, newest first; the window of v_broken_link
  key by_fire_time (fire_time),
  -- GET /tasks?node=
  key by_node (node, fire_time),
  -- GET /tasks?namespace=
  key by_namespace (namespace, fire_time),
  -- in order of their end: counting, retention, events, alerts
  key by_ended_at (ended_at)
) engine = InnoDB default character set utf8mb4 comment 'What became of every task; append-only';

create table if not exists task_span (
  scale          tinyint unsigned not null
    comment 'the span is shorter than 2^scale seconds, and not shorter than half of that',
  fire_time      datetime(3) not null,
  task_id        bigint not null,
  last_fire_time datetime(3) not null,
  namespace      varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  job            varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  outcome        enum('SUCCEEDED', 'FAILED', 'TIMED_OUT', 'KILLED', 'LOST', 'SKIPPED', 'MISSED', 'CANCELLED', 'EXPANDED')
    character set ascii collate ascii_bin not null,
  ended_at       datetime(3) not null,
  primary key (scale, fire_time, task_id),
  -- which row of a job stands for a time between two others
  key by_job (namespace, job, fire_time),
  -- retention
  key by_age (ended_at)
) engine = InnoDB default character set utf8mb4 comment 'The rows of task_history that stand for several fire times';

create table if not exists task_output (
  task_id     bigint not null,
  launch_id   varchar(48) character set ascii collate ascii_bin not null,
  total_bytes bigint not null,
  cut_bytes   bigint not null comment 'how many were dropped between head and tail',
  head        mediumblob not null,
  tail        mediumblob not null,
  written_at  datetime(3) not null,
  primary key (task_id),
  key by_written_at (written_at)
) engine = InnoDB default character set utf8mb4
  comment 'Kept output; written after the finish, never in its transaction';

create table if not exists task_uncounted (
  task_id bigint not null,
  primary key (task_id)
) engine = InnoDB default character set utf8mb4
  comment 'Rows of task_history that were written after others which ended later were counted';

create table if not exists history_minute (
  minute    datetime not null,
  fires     bigint not null default 0 comment 'tasks that were started then and have ended since',
  succeeded bigint not null default 0,
  failed    bigint not null default 0,
  timed_out bigint not null default 0,
  killed    bigint not null default 0,
  lost      bigint not null default 0,
  skipped   bigint not null default 0,
  missed    bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (minute)
) engine = InnoDB default character set utf8mb4 comment 'What the cluster did, by minute, for three days';

create table if not exists job_day (
  job_id          bigint not null,
  day             date not null comment 'UTC, by when a task ended',
  runs            bigint not null default 0,
  succeeded       bigint not null default 0,
  failed          bigint not null default 0,
  timed_out       bigint not null default 0,
  killed          bigint not null default 0,
  lost            bigint not null default 0,
  skipped         bigint not null default 0 comment 'fire times, not rows',
  missed          bigint not null default 0 comment 'fire times, not rows',
  max_duration_ms bigint null,
  max_lateness_ms bigint null,
  durations       text character set ascii not null
    comment 'bucket:count …; below 16 a bucket is a millisecond, from there 16 for each power of two',
  latenesses      text character set ascii not null,
  primary key (job_id, day),
  -- retention
  key by_day (day)
) engine = InnoDB default character set utf8mb4 comment 'How each job fared, by day';

create table if not exists job_stats (
  job_id           bigint not null,
  last_task        bigint null comment 'the run that ended last',
  last_outcome     enum('SUCCEEDED', 'FAILED', 'TIMED_OUT', 'KILLED', 'LOST', 'SKIPPED', 'MISSED', 'CANCELLED', 'EXPANDED')
    character set ascii collate ascii_bin null,
  last_reason      varchar(500) null,
  last_started     datetime(3) null,
  last_ended       datetime(3) null,
  last_duration_ms bigint null,
  result           varchar(10) character set ascii collate ascii_bin null
    comment 'SUCCEEDED, or FAILED for every other outcome of a run',
  streak           bigint not null default 0 comment 'how many runs in a row ended with this result',
  streak_since     datetime(3) null comment 'when the first of them ended',
  streak_first     bigint null comment 'that run',
  broken_at        datetime(3) null comment 'when the last run before it ended, which had the other result',
  broken_by        bigint null comment 'that run',
  p50_ms           bigint null comment 'of the durations of the last two to four weeks in which it ran',
  p95_ms           bigint null,
  samples          bigint not null default 0 comment 'how many durations these were',
  period           int null comment 'which two weeks recent stands for, counted from 1970',
  recent           text character set ascii comment 'durations of these two weeks, see job_day',
  previous         text character set ascii comment 'durations of the two weeks before',
  declined         boolean not null default false comment 'whether a run of it has declined',
  primary key (job_id),
  -- which jobs fail, and since when
  key by_result (result, streak_since),
  -- GET /jobs?state=
  key by_outcome (last_outcome, job_id),
  -- GET /jobs, by their last run
  key by_end (last_ended, job_id)
) engine = InnoDB default character set utf8mb4 comment 'How each job fares now';

-- Who may, and who did

create table if not exists api_token (
  name           varchar(64) character set ascii collate ascii_bin not null,
  hash           char(64) character set ascii collate ascii_bin not null
    comment 'SHA-256 in hex; the token itself is never stored',
  created_at     datetime(3) not null,
  token_id       varchar(16) character set ascii collate ascii_bin null
    comment 'the public part of the token; NULL: it has none, as that of admin',
  role           varchar(10) character set ascii collate ascii_bin not null default 'admin'
    comment 'viewer, operator, editor, admin',
  namespaces     json null comment 'an array of names; NULL: all',
  expires_at     datetime(3) null comment 'NULL: never',
  last_used_at   datetime(3) null comment 'to about a minute',
  previous_hash  char(64) character set ascii collate ascii_bin null comment 'of the token before the last rotation',
  previous_until datetime(3) null comment 'until when that one works, too',
  primary key (name),
  unique key by_token_id (token_id)
) engine = InnoDB default character set utf8mb4;

create table if not exists sign_in (
  hash       char(64) character set ascii collate ascii_bin not null
    comment 'SHA-256 of the cookie in hex; the cookie itself is never stored',
  name       varchar(128) character set utf8mb4 collate utf8mb4_bin not null comment 'of the person, or of the token',
  token      varchar(64) character set ascii collate ascii_bin null
    comment 'in api_token, which says what the sign-in may do; NULL: made by an identity provider',
  token_hash char(64) character set ascii collate ascii_bin null
    comment 'of that token: once this is none of its hashes, the sign-in is over',
  role       varchar(10) character set ascii collate ascii_bin null comment 'NULL: as the token says',
  namespaces json null comment 'an array of names; NULL: all, or as the token says',
  created_at datetime(3) not null,
  expires_at datetime(3) not null comment 'moves on while it is used, up to ends_at',
  ends_at    datetime(3) not null,
  primary key (hash),
  key by_expiry (expires_at)
) engine = InnoDB default character set utf8mb4 comment 'One row for each person that is signed in';

create table if not exists secret (
  id         bigint unsigned not null auto_increment,
  namespace  varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  name       varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  version    int not null comment 'rises with every change of the value; part of what is authenticated',
  key_id     varchar(16) character set ascii collate ascii_bin not null
    comment 'which key opens it; tells nothing of the key',
  sealed     mediumblob not null comment 'nonce, ciphertext and tag of AES-256-GCM',
  created_at datetime(3) not null,
  updated_at datetime(3) not null,
  primary key (id),
  unique key by_name (namespace, name)
) engine = InnoDB default character set utf8mb4 comment 'encrypted values; no node writes what they say';

create table if not exists audit (
  id         bigint not null auto_increment,
  at         datetime(3) not null,
  who        varchar(128) character set utf8mb4 collate utf8mb4_bin not null comment 'the name of a token or a person',
  role       varchar(10) character set ascii collate ascii_bin not null comment 'which whoever it was had at that time',
  address    varchar(64) character set ascii collate ascii_bin not null,
  request_id varchar(64) character set ascii collate ascii_bin not null,
  action     varchar(20) character set ascii collate ascii_bin not null,
  kind       varchar(16) character set ascii collate ascii_bin not null
    comment 'what was changed: job, task, group, node, token …',
  namespace  varchar(64) character set utf8mb4 collate utf8mb4_bin null comment 'NULL: it belongs to none',
  name       varchar(200) character set utf8mb4 collate utf8mb4_bin not null,
  was        json null comment 'the fields that changed, as they were; NULL: it was not there',
  became     json null comment 'the same afterwards; NULL: it is not there any more',
  primary key (id),
  key by_at (at),
  key by_who (who, at),
  key by_action (action, at),
  key by_name (namespace, name, at),
  key by_namespace (namespace, at)
) engine = InnoDB default character set utf8mb4
  comment 'One row for each change that somebody made, written in its transaction; append-only';

-- Who is told

create table if not exists alert_rule (
  name       varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  definition json not null,
  created_at datetime(3) not null comment 'what happened before it raises nothing',
  updated_at datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'What people want to be told';

create table if not exists alert_channel (
  name       varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  definition json not null comment 'without what is secret of it',
  version    int not null comment 'rises with every change; part of what is authenticated',
  key_id     varchar(16) character set ascii collate ascii_bin null
    comment 'which key opens it; NULL: nothing is secret',
  sealed     blob comment 'URL and signing secrets: nonce, ciphertext and tag of AES-256-GCM',
  created_at datetime(3) not null,
  updated_at datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Where messages go';

create table if not exists alert_silence (
  id         bigint not null auto_increment,
  definition json not null,
  until_at   datetime(3) not null,
  created_at datetime(3) not null,
  primary key (id),
  key by_end (until_at)
) engine = InnoDB default character set utf8mb4 comment 'What nobody is to be told for a while';

create table if not exists alert (
  id         bigint not null auto_increment,
  rule       varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  kind       varchar(24) character set ascii collate ascii_bin not null comment 'the condition',
  subject    varchar(250) character set utf8mb4 collate utf8mb4_bin not null
    comment 'job:<id>, node:<name>, token:<name>, database, verification',
  event      varchar(120) character set utf8mb4 collate utf8mb4_bin not null
    comment 'what tells it from the next of its kind: a task, a session, a time',
  job_id     bigint null,
  namespace  varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  job        varchar(128) character set utf8mb4 collate utf8mb4_bin null,
  task_id    bigint null,
  node       varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  labels     json null comment 'of the job, then',
  detail     json not null comment 'what the message says',
  at         datetime(3) not null comment 'when it happened',
  raised_at  datetime(3) not null,
  closed_at  datetime(3) null,
  closed_why varchar(16) character set ascii collate ascii_bin null comment 'RECOVERED, FOLLOWED, RULE_CHANGED, OVER',
  remind_at  datetime(3) null,
  sending    varchar(10) character set ascii collate ascii_bin not null
    comment 'WAITING, SENT, SILENCED, GIVEN_UP, NONE',
  primary key (id),
  unique key one_event (event, rule, kind),
  key by_subject (subject, closed_at),
  key by_rule (rule, closed_at),
  key by_reminder (remind_at),
  key by_close (closed_at, id),
  key by_kind (kind, closed_at),
  key by_sending (sending, id),
  key by_namespace (namespace, id),
  key by_job (namespace, job, id),
  key by_open (namespace, closed_at, id)
) engine = InnoDB default character set utf8mb4 comment 'What happened that a rule is about';

create table if not exists alert_message (
  id         bigint not null auto_increment,
  uid        varchar(40) character set ascii collate ascii_bin not null
    comment 'for the receiver, the same whenever it is sent again',
  channel    varchar(64) character set utf8mb4 collate utf8mb4_bin not null comment 'empty: a ping',
  group_key  varchar(500) character set utf8mb4 collate utf8mb4_bin not null,
  url        varchar(2000) null comment 'of a ping',
  state      varchar(10) character set ascii collate ascii_bin not null comment 'WAITING, SENT, SILENCED, GIVEN_UP',
  created_at datetime(3) not null,
  next_at    datetime(3) not null comment 'when it is tried next',
  expires_at datetime(3) not null comment 'when it is given up',
  attempts   int not null default 0,
  claim      varchar(48) character set ascii collate ascii_bin null comment 'of who is sending it',
  session_id varchar(24) character set ascii collate ascii_bin null,
  silence_id bigint null comment 'until the end of which it waits',
  sent_at    datetime(3) null,
  last_error varchar(500) null,
  primary key (id),
  key due (state, next_at),
  key joinable (channel, state, next_at),
  key by_age (created_at)
) engine = InnoDB default character set utf8mb4 comment 'What is to be sent, and was';

create table if not exists alert_part (
  message_id bigint not null,
  alert_id   bigint not null,
  kind       varchar(10) character set ascii collate ascii_bin not null comment 'RAISED, REMINDER, RECOVERED',
  primary key (message_id, alert_id, kind),
  key by_alert (alert_id)
) engine = InnoDB default character set utf8mb4 comment 'What a message is about';

create table if not exists alert_state (
  id        tinyint not null,
  read_at   datetime(3) not null comment 'history that ended before this is read',
  read_id   bigint not null comment 'and up to this task, what ended then',
  looked_at datetime(3) not null comment 'what passes with time was looked at then',
  reached   json null comment 'for each deadline and age, up to which task or job: {"deadline 90000": "TIME ID"}',
  rules     bigint not null default 0 comment 'rises with every change of a rule',
  pings     boolean not null default false comment 'whether a job may ask for pings',
  primary key (id)
) engine = InnoDB default character set utf8mb4 comment 'How far alerts are; one row';

insert ignore into alert_state (id, read_at, read_id, looked_at) values (1, utc_timestamp(3), 0, utc_timestamp(3));

create table if not exists alert_late (
  task_id bigint not null,
  primary key (task_id)
) engine = InnoDB default character set utf8mb4 comment 'Rows of history that were written after later ones were read';

create table if not exists alert_report (
  id       bigint not null auto_increment,
  node     varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  from_at  datetime(3) not null,
  until_at datetime(3) not null,
  reason   varchar(300) not null,
  primary key (id)
) engine = InnoDB default character set utf8mb4 comment 'Times without the database, as nodes had them';

-- Views for people
-- With the rights of who asks, as with those of who made them they would break when that account is dropped. A node
-- recreates them when it starts and one is missing or no real one, as after a restore.

-- Behind a long read it would wait, and every statement on the view behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

-- A schedule with its lines, of which a list has up to 20, one below the other, each as it was written; and the zones of
-- these lines likewise, if one names its own.
set @line = 'coalesce(json_unquote(json_extract(j.definition, ''$.schedule[#].schedule'')),
                      json_unquote(json_extract(j.definition, ''$.schedule[#]'')))';
set @zone = replace('case when locate(''TZ='', @) in (1, 6)
                          then substring_index(substring_index(replace(@, ''\t'', '' ''), '' '', 1), ''='', -1)
                          when @ is not null
                          then coalesce(json_unquote(json_extract(j.definition, ''$.schedule[#].zone'')), j.zone) end', '@', @line);
set @lines = concat_ws(', ',
  replace(@line, '#', '0'), replace(@line, '#', '1'), replace(@line, '#', '2'), replace(@line, '#', '3'), replace(@line, '#', '4'),
  replace(@line, '#', '5'), replace(@line, '#', '6'), replace(@line, '#', '7'), replace(@line, '#', '8'), replace(@line, '#', '9'),
  replace(@line, '#', '10'), replace(@line, '#', '11'), replace(@line, '#', '12'), replace(@line, '#', '13'), replace(@line, '#', '14'),
  replace(@line, '#', '15'), replace(@line, '#', '16'), replace(@line, '#', '17'), replace(@line, '#', '18'), replace(@line, '#', '19'));
set @zones = concat_ws(', ',
  replace(@zone, '#', '0'), replace(@zone, '#', '1'), replace(@zone, '#', '2'), replace(@zone, '#', '3'), replace(@zone, '#', '4'),
  replace(@zone, '#', '5'), replace(@zone, '#', '6'), replace(@zone, '#', '7'), replace(@zone, '#', '8'), replace(@zone, '#', '9'),
  replace(@zone, '#', '10'), replace(@zone, '#', '11'), replace(@zone, '#', '12'), replace(@zone, '#', '13'), replace(@zone, '#', '14'),
  replace(@zone, '#', '15'), replace(@zone, '#', '16'), replace(@zone, '#', '17'), replace(@zone, '#', '18'), replace(@zone, '#', '19'));
set @schedule = concat('if(json_type(json_extract(j.definition, ''$.schedule'')) = ''ARRAY'', concat_ws(''\n'', ', @lines, '),
                           json_unquote(json_extract(j.definition, ''$.schedule'')))');
set @zones = concat('concat_ws(''\n'', ', @zones, ')');
set @step = concat('
create or replace sql security invoker view v_job as
select j.namespace,
       j.name,
       case
         when j.paused then ''PAUSED''
         when exists (select 1 from task t where t.job_id = j.id and t.state = ''EXECUTING'') then ''EXECUTING''
         when exists (select 1 from task t where t.job_id = j.id and t.state = ''PREPARED'') then ''PREPARED''
         when c.job_id is not null or j.is_manual then ''IDLE''
         when exists (select 1 from task t where t.job_id = j.id) then ''IDLE''
         else ''ENDED''
       end as state,
       coalesce((select min(t.fire_time) from task t
                  where t.job_id = j.id and t.state in (''IDLE'', ''PREPARED'') and t.origin = '''' and t.due_at is not null),
                if(c.due_at is null, null, c.fire_time)) as next_fire_time,
       ', @schedule, ' as schedule,
       if(json_type(json_extract(j.definition, ''$.schedule'')) = ''ARRAY''
            and (json_extract(j.definition, ''$.schedule[*].zone'') is not null
              or locate(''TZ='', json_extract(j.definition, ''$.schedule'')) > 0),
          ', @zones, ', j.zone) as zone,
       json_unquote(json_extract(j.definition, ''$.command'')) as command,
       j.version,
       j.created_at,
       j.updated_at,
       j.id as job_id,
       if(j.paused, j.paused_until, null) as paused_until,
       if(j.paused, j.pause_reason, null) as pause_reason
  from job j
  left join job_next c on c.job_id = j.id');
prepare step from @step;
execute step;
deallocate prepare step;

create or replace sql security invoker view v_running as
select v.namespace, v.name as job, t.id, t.fire_time, t.attempt, t.cause, s.node, t.started_at,
       timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms, t.session_id, t.launch_id,
       t.hold, t.hold_reason, t.queued_at, t.priority, t.group_name, t.replaced_by, t.origin
  from task t
  join job_version v on v.job_id = t.job_id and v.version = t.job_version
  left join session s on s.id = t.session_id
 where t.idle = 0 and t.state = 'EXECUTING';

create or replace sql security invoker view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id,
       queued_at, priority, group_name, superseded_by, replaced_by, note, origin
  from task_history
 where outcome <> 'EXPANDED' and not withdrawn;

create or replace sql security invoker view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt,
       concat(lower(t.hold), coalesce(concat(': ', nullif(t.hold_reason, 'the job is paused')), '')) as waits_for, s.node, t.id,
       t.hold, t.hold_reason, t.queued_at, t.priority, t.group_name, t.origin,
       coalesce(t.hold_reason, if(t.due_at < utc_timestamp(3) - interval 1 second, f.reason, null)) as reason
  from (select if(min(n.executing >= n.capacity), concat('no node has a free slot: ', group_concat(
                    concat(n.node, ' (', n.executing, ' of ', n.capacity, ')') order by n.node separator ', ')), null) as reason
          from (select o.node, o.capacity,
                       (select count(*) from task e where e.session_id = o.id and e.state = 'EXECUTING') as executing
                  from session o
                 where o.state = 'ALIVE' and not o.drained and not o.stopping) n) f
  join task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED')
 union all
select j.namespace, j.name, c.fire_time, c.due_at, 'IDLE', 'SCHEDULE', 1,
       concat(lower(c.hold), coalesce(concat(': ', nullif(c.hold_reason, 'the job is paused')), '')), null, c.task_id,
       c.hold, c.hold_reason, null, c.priority, c.group_name, '',
       coalesce(c.hold_reason, if(c.due_at < utc_timestamp(3) - interval 1 second, f.reason, null))
  from (select if(min(n.executing >= n.capacity), concat('no node has a free slot: ', group_concat(
                    concat(n.node, ' (', n.executing, ' of ', n.capacity, ')') order by n.node separator ', ')), null) as reason
          from (select o.node, o.capacity,
                       (select count(*) from task e where e.session_id = o.id and e.state = 'EXECUTING') as executing
                  from session o
                 where o.state = 'ALIVE' and not o.drained and not o.stopping) n) f
  join job_next c
  join job j on j.id = c.job_id;

create or replace sql security invoker view v_missed as
select namespace, job, fire_time, last_fire_time, occurrences, outcome, reason, ended_at as recorded_at, id
  from task_history
 where outcome in ('MISSED', 'LOST') or outcome = 'SKIPPED' and started_at is null;

create or replace sql security invoker view v_job_health as
select r.namespace,
       r.job,
       count(*) as runs,
       sum(r.outcome = 'SUCCEEDED') as succeeded,
       round(100 * sum(r.outcome = 'SUCCEEDED') / count(*), 1) as success_percent,
       max(case when r.by_duration = ceiling(0.50 * r.n) then r.duration_ms end) as duration_p50_ms,
       max(case when r.by_duration = ceiling(0.95 * r.n) then r.duration_ms end) as duration_p95_ms,
       max(case when r.by_lateness = ceiling(0.50 * r.n) then r.lateness_ms end) as lateness_p50_ms,
       max(case when r.by_lateness = ceiling(0.95 * r.n) then r.lateness_ms end) as lateness_p95_ms,
       max(case when r.newest = 1 then r.outcome end) as last_outcome,
       coalesce(min(case when r.outcome <> r.last_outcome then r.newest end) - 1, count(*)) as streak
  from (select namespace, job, outcome, duration_ms, lateness_ms,
               count(*) over (partition by namespace, job) as n,
               row_number() over (partition by namespace, job order by duration_ms) as by_duration,
               row_number() over (partition by namespace, job order by lateness_ms) as by_lateness,
               row_number() over (partition by namespace, job order by fire_time desc, id desc) as newest,
               first_value(outcome) over (partition by namespace, job order by fire_time desc, id desc) as last_outcome
          from task_history
         where started_at is not null and outcome <> 'SKIPPED'
           and origin not like 'backfill:%' and origin not like 'node:%#+%') r
 group by r.namespace, r.job;

create or replace sql security invoker view v_node as
select node, if(stopping, 'STOPPING', if(drained, 'DRAINING', state)) as state, host, pid, version, capacity, prepared, executing, started_at,
       heartbeat_at, clock_skew_ms, id as session_id, drained, labels
  from session;

create or replace sql security invoker view v_audit as
select a.id, a.at, a.who, a.role, a.address, a.request_id, a.action, a.kind, a.namespace, a.name, a.was, a.became
  from audit a;

-- A link that leads nowhere, and a job that has lost its cursor although its schedule has no end (no endAt, no maxRuns, a line that is no @at and has no year): nothing
-- fires it any more, so it is there whatever window is asked for. MySQL before 8.0.29 would read all of history for a union, as it does not pass the
-- window on to its parts; there, such a job shows while the row of history after which nothing follows is in the window.
set @rows = '
select h.namespace, h.job, h.fire_time, h.last_fire_time, h.next_fire_time, h.outcome, h.job_version, h.job_id, h.id
  from task_history h
 where h.origin = '''' and h.attempt = 1 and ';
-- What had ended before the link's end was purged is not missed; the next one is live, or has ended, or the job was changed before it came.
set @broken = 'h.next_fire_time >= coalesce((select cast(p.value as datetime(3)) from setting p where p.name = ''history-purged''), ''1000-01-01'')
   and coalesce(
         (select 1 from task t
           where t.job_id = h.job_id and t.fire_time = h.next_fire_time and t.origin = '''' and t.attempt = 1),
         (select 1 from job_next c where c.job_id = h.job_id and c.fire_time = h.next_fire_time),
         (select 1 from task_history n
           where n.namespace = h.namespace and n.job = h.job and n.fire_time = h.next_fire_time
             and n.job_id = h.job_id and n.origin = '''' and n.attempt = 1 limit 1),
         (select 1 from job_version v
           where v.job_id = h.job_id and v.valid_until >= least(h.fire_time, h.ended_at) and v.valid_until < h.next_fire_time
           limit 1)) is null';
set @endless = concat('not j.is_manual
   and coalesce(json_unquote(json_extract(j.definition, ''$.endAt'')), ''null'') = ''null''
   and coalesce(json_unquote(json_extract(j.definition, ''$.maxRuns'')), ''null'') = ''null''
   and ', @schedule, '
       regexp ''(^|\n)(?!((CRON_)?TZ=[^ \t]+[ \t]+)?(@at|([^ \t\n=]+[ \t]+){6}[^ \t\n]))''');
set @step = concat('create or replace sql security invoker view v_broken_link as', @rows, if(
  concat(version(), ' ') regexp '^8[.]0[.](1[0-9]|2[0-8])[^0-9]' and version() not like '%MariaDB%',
  concat('if(h.next_fire_time is null, exists (
           select 1 from job j left join job_next c on c.job_id = j.id where j.id = h.job_id and c.job_id is null and ', @endless, '), ', @broken, ')'),
  concat('h.next_fire_time is not null and ', @broken, '
 union all
select j.namespace, j.name, utc_timestamp(3), utc_timestamp(3), null, ''NO_CURSOR'', j.version, j.id, null
  from job n force index (job_by_name)
  left join job_next c on c.job_id = n.id
  straight_join job j on j.id = n.id
 where c.job_id is null and ', @endless)));
prepare step from @step;
execute step;
deallocate prepare step;
