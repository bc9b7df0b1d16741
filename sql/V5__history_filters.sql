-- So that a page of what one node or one namespace did is found without walking the history of all others. Each costs a microsecond a row.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'task_history' and index_name = 'by_node'),
               'do 0', 'alter table task_history add key by_node (node, fire_time), add key by_namespace (namespace, fire_time)');
prepare step from @step;
execute step;
deallocate prepare step;
