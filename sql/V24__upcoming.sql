-- What is due and waits for a slot says so, as in the API. What each node executes is counted once for a statement; a subquery in the list of
-- columns would keep the server from using the indexes of task. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

create or replace sql security invoker view v_upcoming as
select j.namespace, j.name as job, t.fire_time, t.due_at, t.state, t.cause, t.attempt, t.waits_for, s.node, t.id,
       t.hold, t.hold_reason, t.queued_at, t.priority, t.group_name, t.origin,
       coalesce(t.hold_reason, if(t.due_at < utc_timestamp(3) - interval 1 second, f.reason, null)) as reason
  from (select if(min(n.executing >= n.capacity), concat('no node has a free slot: ', group_concat(
                    concat(n.node, ' (', n.executing, ' of ', n.capacity, ')') order by n.node separator ', ')), null) as reason
          from (select o.node, o.capacity,
                       (select count(*) from task e where e.session_id = o.id and e.state = 'EXECUTING') as executing
                  from session o
                 where o.state = 'ALIVE' and not o.drained and not o.stopping) n) f
  join task t
  join job j on j.id = t.job_id
  left join session s on s.id = t.session_id
 where t.state in ('IDLE', 'PREPARED');
