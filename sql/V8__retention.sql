-- So that retention finds what is old enough at once, however much is young. What is written comes in the order of these times, so each costs a
-- microsecond a row or less.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'task_history' and index_name = 'by_ended_at'),
               'do 0', 'alter table task_history add key by_ended_at (ended_at)');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'task_output' and index_name = 'by_written_at'),
               'do 0', 'alter table task_output add key by_written_at (written_at)');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'job_version' and index_name = 'by_end'),
               'do 0', 'alter table job_version add key by_end (valid_until)');
prepare step from @step;
execute step;
deallocate prepare step;

-- What had ended before this was purged (a row of setting, absent until something was): a link to it is not broken.
create or replace sql security invoker view v_broken_link as
select h.namespace, h.job, h.fire_time, h.last_fire_time, h.next_fire_time, h.outcome, h.job_version, h.job_id, h.id
  from task_history h
 where h.origin = '' and h.attempt = 1 and h.next_fire_time is not null
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
