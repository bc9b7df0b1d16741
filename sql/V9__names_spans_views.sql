-- What the API asks for by a job's name, what stands for several fire times, and views that outlive whoever made them. Every statement can be
-- repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

-- The versions that a name has had, also of jobs that were deleted.
set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'job_version' and index_name = 'by_name'),
               'do 0', 'alter table job_version add key by_name (namespace, name, version)');
prepare step from @step;
execute step;
deallocate prepare step;

-- Which rows of history stand for several fire times, so that a time between two of them finds the row. Only those are in here: an index for
-- this on task_history would cost every row something, for the few that it is about. Spans of about the same length lie together: of those
-- shorter than 2^scale seconds, none that covers a time begins earlier than 2^scale seconds before it.
create table if not exists task_span (
  scale          tinyint unsigned not null comment 'the span is shorter than 2^scale seconds, and not shorter than half of that',
  fire_time      datetime(3) not null,
  task_id        bigint not null,
  last_fire_time datetime(3) not null,
  namespace      varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  job            varchar(128) character set utf8mb4 collate utf8mb4_bin not null,
  outcome        varchar(10) character set ascii collate ascii_bin not null,
  ended_at       datetime(3) not null,
  primary key (scale, fire_time, task_id),
  key by_job (namespace, job, fire_time),
  key by_age (ended_at)
) engine = InnoDB default character set utf8mb4 comment 'The rows of task_history that stand for several fire times';

-- All views, with the rights of who asks: with those of whoever made them, they break when that account is dropped.

create or replace sql security invoker view v_job as
select j.namespace,
       j.name,
       case
         when j.paused then 'PAUSED'
         when exists (select 1 from task t where t.job_id = j.id and t.state = 'EXECUTING') then 'EXECUTING'
         when exists (select 1 from task t where t.job_id = j.id and t.state = 'PREPARED') then 'PREPARED'
         when c.id is not null or lower(json_unquote(json_extract(j.definition, '$.schedule'))) like '%@manual' then 'IDLE'
         when exists (select 1 from task t where t.job_id = j.id) then 'IDLE'
         else 'ENDED'
       end as state,
       (select min(t.fire_time) from task t
         where t.job_id = j.id and t.state in ('IDLE', 'PREPARED') and t.origin = '' and t.due_at is not null) as next_fire_time,
       json_unquote(json_extract(j.definition, '$.schedule')) as schedule,
       json_unquote(json_extract(j.definition, '$.zone')) as zone,
       json_unquote(json_extract(j.definition, '$.command')) as command,
       j.version,
       j.created_at,
       j.updated_at,
       j.id as job_id
  from job j
  left join task c on c.cursor_of = j.id;

create or replace sql security invoker view v_running as
select v.namespace, v.name as job, t.id, t.fire_time, t.attempt, t.cause, s.node, t.started_at,
       timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms, t.session_id, t.launch_id
  from task t
  join job_version v on v.job_id = t.job_id and v.version = t.job_version
  left join session s on s.id = t.session_id
 where t.state = 'EXECUTING';

create or replace sql security invoker view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id
  from task_history;

create or replace sql security invoker view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt, t.waits_for, s.node, t.id
  from task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED');

create or replace sql security invoker view v_missed as
select namespace, job, fire_time, last_fire_time, occurrences, outcome, reason, ended_at as recorded_at, id
  from task_history
 where outcome in ('MISSED', 'SKIPPED', 'LOST');

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
         where started_at is not null) r
 group by r.namespace, r.job;

create or replace sql security invoker view v_node as
select node, if(stopping, 'STOPPING', state) as state, host, pid, version, capacity, prepared, executing, started_at, heartbeat_at, clock_skew_ms,
       id as session_id
  from session;

create or replace sql security invoker view v_broken_link as
select h.namespace, h.job, h.fire_time, h.last_fire_time, h.next_fire_time, h.outcome, h.job_version, h.job_id, h.id
  from task_history h
 where h.origin = '' and h.attempt = 1 and h.next_fire_time is not null
   -- What had ended before this was purged (absent until something was): a link to it is not broken.
   and h.next_fire_time >= coalesce((select cast(p.value as datetime(3)) from setting p where p.name = 'history-purged'), '1000-01-01')
   and coalesce(
         -- the next one is live
         (select 1 from task t
           where t.job_id = h.job_id and t.fire_time = h.next_fire_time and t.origin = '' and t.attempt = 1),
         -- or has ended
         (select 1 from task_history n
           where n.namespace = h.namespace and n.job = h.job and n.fire_time = h.next_fire_time
             and n.job_id = h.job_id and n.origin = '' and n.attempt = 1 limit 1),
         -- or the job was changed or deleted before it came, and the cursor went elsewhere
         (select 1 from job_version v
           where v.job_id = h.job_id and v.valid_until >= least(h.fire_time, h.ended_at) and v.valid_until < h.next_fire_time
           limit 1)) is null;
