-- Views for people: a documented contract. All times are UTC.

create or replace view v_job as
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

create or replace view v_running as
select v.namespace, v.name as job, t.id, t.fire_time, t.attempt, t.cause, s.node, t.started_at,
       timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms, t.session_id, t.launch_id
  from task t
  join job_version v on v.job_id = t.job_id and v.version = t.job_version
  left join session s on s.id = t.session_id
 where t.state = 'EXECUTING';

create or replace view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id
  from task_history;

create or replace view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt, t.waits_for, s.node, t.id
  from task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED');

create or replace view v_missed as
select namespace, job, fire_time, last_fire_time, occurrences, outcome, reason, ended_at as recorded_at, id
  from task_history
 where outcome in ('MISSED', 'SKIPPED', 'LOST');

create or replace view v_job_health as
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

create or replace view v_node as
select node, state, host, pid, version, capacity, prepared, executing, started_at, heartbeat_at, clock_skew_ms, id as session_id
  from session;
