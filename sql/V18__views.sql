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
