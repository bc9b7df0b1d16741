-- Tasks that are set aside are looked at again by themselves, at growing intervals. Rows only for these, so that whoever looks for them reads
-- nothing else, and nothing that starts or ends tasks touches it.

set session lock_wait_timeout = 2;

create table if not exists task_aside (
  task_id bigint not null,
  job_id  bigint not null,
  times   int not null comment 'how often it was set aside',
  since   datetime(3) not null,
  look_at datetime(3) not null comment 'when it is tried again',
  primary key (task_id),
  key by_look (look_at),
  key by_job (job_id)
) engine = InnoDB default character set utf8mb4 comment 'Tasks that say in waits_for what is wrong with them; outlives that by one look';

-- What earlier versions have set aside for good.
insert ignore into task_aside (task_id, job_id, times, since, look_at)
select id, job_id, 1, utc_timestamp(3), utc_timestamp(3)
  from task where state = 'IDLE' and due_at is null and waits_for like 'error: %';
