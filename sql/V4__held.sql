-- With the state in it, this index was written once more in every start, and nobody needs it there: a session holds only what it has
-- prepared or executes. A server that did this already, but died before it could be noted, has nothing left to do.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if((select count(*) from information_schema.statistics
                 where table_schema = database() and table_name = 'task' and index_name = 'held') = 1,
               'do 0', 'alter table task drop key held, add key held (session_id)');
prepare step from @step;
execute step;
deallocate prepare step;
