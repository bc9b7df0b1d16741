-- How often the occurrence of a task was lost before, so that recovery.max-lost holds although history was purged meanwhile. Adding them changes
-- no row. Nodes of the version before leave them at 0, and history is counted too.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task' and column_name = 'losses'),
               'do 0', 'alter table task
  add column losses smallint unsigned not null default 0 comment ''how often this occurrence was lost before'',
  add column stops smallint unsigned not null default 0 comment ''how many of these losses were to a node that was stopped''');
prepare step from @step;
execute step;
deallocate prepare step;
