-- How jobs and the cluster fare, counted from history by a step that reads each row of it once. Recording pays nothing for it. Every statement can
-- be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

-- Whoever writes history reads this with the lock row of the shard. What ended before it, and is written later, is noted in task_uncounted.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'cluster_lock' and column_name = 'counted_through'),
               'do 0', 'alter table cluster_lock add column counted_through datetime(3) null
  comment ''history of the shard that ended before this is counted in order of its end, and later additions by their notes''');
prepare step from @step;
execute step;
deallocate prepare step;

create table if not exists task_uncounted (
  task_id bigint not null,
  primary key (task_id)
) engine = InnoDB default character set utf8mb4 comment 'Rows of task_history that were written after others which ended later were counted';

create table if not exists job_stats (
  job_id           bigint not null,
  last_task        bigint null comment 'the run that ended last',
  last_outcome     varchar(10) character set ascii collate ascii_bin null,
  last_reason      varchar(500) null,
  last_started     datetime(3) null,
  last_ended       datetime(3) null,
  last_duration_ms bigint null,
  result           varchar(10) character set ascii collate ascii_bin null comment 'SUCCEEDED, or FAILED for every other outcome of a run',
  streak           bigint not null default 0 comment 'how many runs in a row ended with this result',
  streak_since     datetime(3) null comment 'when the first of them ended',
  streak_first     bigint null comment 'that run',
  broken_at        datetime(3) null comment 'when the last run before it ended, which had the other result',
  broken_by        bigint null comment 'that run',
  p50_ms           bigint null comment 'of the durations of the last two to four weeks in which it ran',
  p95_ms           bigint null,
  samples          bigint not null default 0 comment 'how many durations these were',
  period           int null comment 'which two weeks recent stands for, counted from 1970',
  recent           text character set ascii null comment 'durations of these two weeks, see job_day',
  previous         text character set ascii null comment 'durations of the two weeks before',
  primary key (job_id),
  key by_result (result, streak_since),
  key by_outcome (last_outcome, job_id),
  key by_end (last_ended, job_id)
) engine = InnoDB default character set utf8mb4 comment 'How each job fares now';

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
  durations       text character set ascii not null comment 'bucket:count …; below 16 a bucket is a millisecond, from there 16 for each power of two',
  latenesses      text character set ascii not null,
  primary key (job_id, day),
  key by_day (day)
) engine = InnoDB default character set utf8mb4 comment 'How each job fared, by day';

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
