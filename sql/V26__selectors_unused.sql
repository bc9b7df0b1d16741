-- Since when no task has had a selector, so that those of nodes that are gone do not pile up. Nodes of the version before leave it at NULL, and take a
-- selector that has a time here as it is: none is deleted while such a node is there.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'selector' and column_name = 'unused_since'),
               'do 0', 'alter table selector
  add column unused_since datetime(3) null comment ''since when no task was seen to have it; NULL: some has, or nobody looked'',
  comment ''Which nodes may run a task; never changed, forgotten an hour after the last task that had it''');
prepare step from @step;
execute step;
deallocate prepare step;
