-- What statements ask of a definition, as columns that the server works out from it: right in the rows that exist, and in those that nodes of the
-- version before go on writing. They are virtual: nothing is copied or rewritten, however many jobs there are.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'job' and column_name = 'is_manual'),
               'do 0', 'alter table job
  add column on_lost varchar(20) character set utf8mb4 collate utf8mb4_bin
    generated always as (left(coalesce(nullif(json_unquote(json_extract(definition, ''$.onLost'')), ''null''), ''RERUN''), 20)) virtual
    comment ''RERUN, FAIL'',
  add column zone varchar(64) character set utf8mb4 collate utf8mb4_bin
    generated always as (left(
      case when locate(''TZ='', json_unquote(json_extract(definition, ''$.schedule''))) in (1, 6)
           then substring_index(substring_index(replace(json_unquote(json_extract(definition, ''$.schedule'')), ''\t'', '' ''), '' '', 1), ''='', -1)
           else coalesce(nullif(json_unquote(json_extract(definition, ''$.zone'')), ''null''), ''UTC'') end, 64)) virtual
    comment ''in which fire times are computed: that of the prefix of the schedule, else of the job'',
  add column is_manual boolean
    generated always as (coalesce(lower(json_unquote(json_extract(definition, ''$.schedule''))) like ''%@manual'', false)) virtual
    comment ''runs only when asked for''');
prepare step from @step;
execute step;
deallocate prepare step;

-- Which version of the engine a task needs, so that nodes of an earlier one leave it alone.
set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task' and column_name = 'needs'),
               'do 0', 'alter table task add column needs smallint not null default 0
  comment ''the feature level that a node must have to touch it''');
prepare step from @step;
execute step;
deallocate prepare step;

create or replace sql security invoker view v_job as
select j.namespace,
       j.name,
       case
         when j.paused then 'PAUSED'
         when exists (select 1 from task t where t.job_id = j.id and t.state = 'EXECUTING') then 'EXECUTING'
         when exists (select 1 from task t where t.job_id = j.id and t.state = 'PREPARED') then 'PREPARED'
         when c.id is not null or j.is_manual then 'IDLE'
         when exists (select 1 from task t where t.job_id = j.id) then 'IDLE'
         else 'ENDED'
       end as state,
       (select min(t.fire_time) from task t
         where t.job_id = j.id and t.state in ('IDLE', 'PREPARED') and t.origin = '' and t.due_at is not null) as next_fire_time,
       json_unquote(json_extract(j.definition, '$.schedule')) as schedule,
       j.zone,
       json_unquote(json_extract(j.definition, '$.command')) as command,
       j.version,
       j.created_at,
       j.updated_at,
       j.id as job_id
  from job j
  left join task c on c.cursor_of = j.id;
