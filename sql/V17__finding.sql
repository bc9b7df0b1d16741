-- What is found quickly among many jobs, and what changed of late. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

-- The jobs that were changed within the last seconds, for those who listen to events.
set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'job_version' and index_name = 'by_start'),
               'do 0', 'alter table job_version add key by_start (valid_from)');
prepare step from @step;
execute step;
deallocate prepare step;
