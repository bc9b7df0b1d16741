-- Why a task waits, in two columns: the kind of hold, and a reason for people. Both are read from waits_for, '<kind>' or '<kind>: <reason>', which
-- stays the one place that is written. So what nodes of the version before hold or lift needs no translation, and nothing is to be carried over.
-- Neither column is stored, so adding them changes no row.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task' and column_name = 'hold'),
               'do 0', 'alter table task
  add column hold varchar(10) character set utf8mb4 collate utf8mb4_bin
    generated always as (upper(left(substring_index(waits_for, '':'', 1), 10))) virtual
    comment ''why it waits: PAUSE, ERROR'',
  add column hold_reason varchar(200)
    generated always as (case when waits_for = ''pause'' then ''the job is paused''
                              when waits_for like ''%: %'' then substr(waits_for, locate('': '', waits_for) + 2) end) virtual
    comment ''for people''');
prepare step from @step;
execute step;
deallocate prepare step;

create or replace sql security invoker view v_running as
select v.namespace, v.name as job, t.id, t.fire_time, t.attempt, t.cause, s.node, t.started_at,
       timestampdiff(microsecond, t.started_at, utc_timestamp(3)) div 1000 as running_ms, t.session_id, t.launch_id,
       t.hold, t.hold_reason
  from task t
  join job_version v on v.job_id = t.job_id and v.version = t.job_version
  left join session s on s.id = t.session_id
 where t.state = 'EXECUTING';

create or replace sql security invoker view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt, t.waits_for, s.node, t.id,
       t.hold, t.hold_reason
  from task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED');
