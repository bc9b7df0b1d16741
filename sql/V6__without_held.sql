-- What a session holds is found among what is prepared or executing, by the index on the state: few rows, whereas this index was written twice
-- for every fire, and purged as often. A server that did this already, but died before it could be noted, has nothing left to do.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'task' and index_name = 'held'),
               'alter table task drop key held', 'do 0');
prepare step from @step;
execute step;
deallocate prepare step;
