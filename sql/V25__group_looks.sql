-- Whoever decides on tasks of a group changes its row: where several servers take writes, to lock it is not enough.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job_group' and column_name = 'looks'),
               'do 0', 'alter table job_group
  add column looks bigint not null default 0 comment ''how often its limit was asked for, under the lock of this row''');
prepare step from @step;
execute step;
deallocate prepare step;
