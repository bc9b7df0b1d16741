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
