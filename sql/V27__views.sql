-- What an edit or a deletion withdrew before its fire time never was an occurrence: it is marked, and views leave it out. Nodes of the version
-- before mark nothing. Adding a column changes no row. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

set @step = if(exists (select 1 from information_schema.columns
                        where table_schema = database() and table_name = 'task_history' and column_name = 'withdrawn'),
               'do 0', 'alter table task_history
  add column withdrawn boolean not null default false comment ''an edit or a deletion took it back before its fire time''');
prepare step from @step;
execute step;
deallocate prepare step;

create or replace sql security invoker view v_history as
select id, namespace, job, fire_time, attempt, cause, outcome, reason, node, started_at, ended_at,
       lateness_ms, duration_ms, exit_code, exit_signal, occurrences, last_fire_time, job_version, launch_id,
       queued_at, priority, group_name, superseded_by, replaced_by, note, origin
  from task_history
 where outcome <> 'EXPANDED' and not withdrawn;

-- A link that leads nowhere, and a job that has lost its cursor although its schedule has no end (no endAt, no maxRuns, no @at, no year): nothing
-- fires it any more, so it is there whatever window is asked for. MySQL before 8.0.29 would read all of history for a union, as it does not pass the
-- window on to its parts; there, such a job shows while the row of history after which nothing follows is in the window.
set @rows = '
select h.namespace, h.job, h.fire_time, h.last_fire_time, h.next_fire_time, h.outcome, h.job_version, h.job_id, h.id
  from task_history h
 where h.origin = '''' and h.attempt = 1 and ';
-- What had ended before the link's end was purged is not missed; the next one is live, or has ended, or the job was changed before it came.
set @broken = 'h.next_fire_time >= coalesce((select cast(p.value as datetime(3)) from setting p where p.name = ''history-purged''), ''1000-01-01'')
   and coalesce(
         (select 1 from task t
           where t.job_id = h.job_id and t.fire_time = h.next_fire_time and t.origin = '''' and t.attempt = 1),
         (select 1 from task_history n
           where n.namespace = h.namespace and n.job = h.job and n.fire_time = h.next_fire_time
             and n.job_id = h.job_id and n.origin = '''' and n.attempt = 1 limit 1),
         (select 1 from job_version v
           where v.job_id = h.job_id and v.valid_until >= least(h.fire_time, h.ended_at) and v.valid_until < h.next_fire_time
           limit 1)) is null';
set @endless = 'not j.is_manual
   and coalesce(json_unquote(json_extract(j.definition, ''$.endAt'')), ''null'') = ''null''
   and coalesce(json_unquote(json_extract(j.definition, ''$.maxRuns'')), ''null'') = ''null''
   and json_unquote(json_extract(j.definition, ''$.schedule''))
       not regexp ''^((CRON_)?TZ=[^[:space:]]+[[:space:]]+)?(@at|([^[:space:]=]+[[:space:]]+){6}[^[:space:]])''';
set @step = concat('create or replace sql security invoker view v_broken_link as', @rows, if(
  concat(version(), ' ') regexp '^8[.]0[.](1[0-9]|2[0-8])[^0-9]' and version() not like '%MariaDB%',
  concat('if(h.next_fire_time is null, exists (
           select 1 from job j left join task c on c.cursor_of = j.id where j.id = h.job_id and c.id is null and ', @endless, '), ', @broken, ')'),
  concat('h.next_fire_time is not null and ', @broken, '
 union all
select j.namespace, j.name, utc_timestamp(3), utc_timestamp(3), null, ''NO_CURSOR'', j.version, j.id, null
  from job n force index (job_by_name)
  left join task c on c.cursor_of = n.id
  straight_join job j on j.id = n.id
 where c.id is null and ', @endless)));
prepare step from @step;
execute step;
deallocate prepare step;
