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

-- Parts of names and descriptions, and labels, in one narrow index in the order of lists, which is read alone. The server works them out, so
-- they are right in rows that nodes of the version before write. Bytes, so that comparing them costs least; what does not fit is cut.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job' and column_name = 'search'),
               'do 0', 'alter table job
  add column search varbinary(1100)
    generated always as (left(cast(lower(concat(name, ''\n'',
      coalesce(nullif(json_unquote(json_extract(definition, ''$.description'')), ''null''), ''''))) as binary), 1100)) virtual
    comment ''name and description, in lower case'',
  add column label_text varbinary(1100)
    generated always as (left(cast(coalesce(json_unquote(json_extract(definition, ''$.labels'')), '''') as binary), 1100)) virtual
    comment ''labels as JSON''');
prepare step from @step;
execute step;
deallocate prepare step;

set @step = if(exists (select 1 from information_schema.statistics
                        where table_schema = database() and table_name = 'job' and index_name = 'by_find'),
               'do 0', 'alter table job add key by_find (namespace, name, search, label_text)');
prepare step from @step;
execute step;
deallocate prepare step;
