-- The chain of fire times, for people and for monitoring. Ask with a window, which is read by the index on fire_time:
--   select count(*) from v_broken_link where fire_time >= utc_timestamp(3) - interval 1 hour;

create or replace view v_broken_link as
select h.namespace, h.job, h.fire_time, h.last_fire_time, h.next_fire_time, h.outcome, h.job_version, h.job_id, h.id
  from task_history h
 where h.origin = '' and h.attempt = 1 and h.next_fire_time is not null
   and coalesce(
         -- the next one is live
         (select 1 from task t
           where t.job_id = h.job_id and t.fire_time = h.next_fire_time and t.origin = '' and t.attempt = 1),
         -- or has ended
         (select 1 from task_history n
           where n.namespace = h.namespace and n.job = h.job and n.fire_time = h.next_fire_time
             and n.job_id = h.job_id and n.origin = '' and n.attempt = 1 limit 1),
         -- or the job was changed or deleted before it came, and the cursor went elsewhere
         (select 1 from job_version v
           where v.job_id = h.job_id and v.valid_until >= least(h.fire_time, h.ended_at) and v.valid_until < h.next_fire_time
           limit 1)) is null;
