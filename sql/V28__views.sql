-- What an edit or a deletion withdrew before its fire time never was an occurrence: it is marked, and views leave it out. Nodes of the version
-- before mark nothing. Adding a column changes no row. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task_history' and column_name = 'withdrawn'),
               'do 0', 'alter table task_history
  add column withdrawn boolean not null default false comment ''an edit or a deletion took it back before its fire time''');
prepare step from @step;
execute step;
deallocate prepare step;

create or replace sql security invoker view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id,
       queued_at, priority, group_name, superseded_by, replaced_by, note, origin
  from task_history
 where outcome <> 'EXPANDED' and not withdrawn;
