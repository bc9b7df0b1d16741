-- With the job in it, this index finds what of a job executes without reading what waits of it: what waits has no session. Neither column changes
-- when a task starts. A server that did this already, but died before it could be noted, has nothing left to do.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'task' and index_name = 'held' and column_name = 'job_id'),
               'do 0', 'alter table task drop key held, add key held (session_id, job_id)');
prepare step from @step;
execute step;
deallocate prepare step;
