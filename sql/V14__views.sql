-- What people found missing: how often a job had run when a version of it came into force, and where a task comes from.
-- Adding a column changes no row; nodes of the version before leave it empty.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job_version' and column_name = 'runs'),
               'do 0', 'alter table job_version
  add column runs int null comment ''how many runs counted for maxRuns when it came into force; NULL: none, or not known''');
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
 where t.state = 'EXECUTING';

create or replace sql security invoker view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt, t.waits_for, s.node, t.id,
       t.hold, t.hold_reason, t.queued_at, t.priority, t.group_name, t.origin
  from task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED');

create or replace sql security invoker view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id,
       queued_at, priority, group_name, superseded_by, replaced_by, note, origin
  from task_history
 where outcome <> 'EXPANDED';
