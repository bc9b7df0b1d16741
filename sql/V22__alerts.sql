-- Who is told of what, what was told, and what is still to be told. Firing and recording touch none of it. Every statement can be repeated.

-- Behind a long read it would wait, and every statement on the table behind it: better to give up and be tried again.
set session lock_wait_timeout = 2;

create table if not exists alert_channel (
  name        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  definition  json not null comment 'without what is secret of it',
  version     int not null comment 'rises with every change; part of what is authenticated',
  key_id      varchar(16) character set ascii collate ascii_bin null comment 'which key opens it; NULL: nothing is secret',
  sealed      blob null comment 'URL and signing secrets: nonce, ciphertext and tag of AES-256-GCM',
  created_at  datetime(3) not null,
  updated_at  datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'Where messages go';

create table if not exists alert_rule (
  name        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  definition  json not null,
  created_at  datetime(3) not null comment 'what happened before it raises nothing',
  updated_at  datetime(3) not null,
  primary key (name)
) engine = InnoDB default character set utf8mb4 comment 'What people want to be told';

create table if not exists alert_silence (
  id          bigint not null auto_increment,
  definition  json not null,
  until_at    datetime(3) not null,
  created_at  datetime(3) not null,
  primary key (id),
  key by_end (until_at)
) engine = InnoDB default character set utf8mb4 comment 'What nobody is to be told for a while';

create table if not exists alert (
  id          bigint not null auto_increment,
  rule        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  kind        varchar(24) character set ascii collate ascii_bin not null comment 'the condition',
  subject     varchar(250) character set utf8mb4 collate utf8mb4_bin not null comment 'job:<id>, node:<name>, token:<name>, database, verification',
  event       varchar(120) character set utf8mb4 collate utf8mb4_bin not null comment 'what tells it from the next of its kind: a task, a session, a time',
  job_id      bigint null,
  namespace   varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  job         varchar(128) character set utf8mb4 collate utf8mb4_bin null,
  task_id     bigint null,
  node        varchar(64) character set utf8mb4 collate utf8mb4_bin null,
  labels      json null comment 'of the job, then',
  detail      json not null comment 'what the message says',
  at          datetime(3) not null comment 'when it happened',
  raised_at   datetime(3) not null,
  closed_at   datetime(3) null,
  closed_why  varchar(16) character set ascii collate ascii_bin null comment 'RECOVERED, FOLLOWED, RULE_CHANGED, OVER',
  remind_at   datetime(3) null,
  sending     varchar(10) character set ascii collate ascii_bin not null comment 'WAITING, SENT, SILENCED, GIVEN_UP, NONE',
  primary key (id),
  unique key one_event (event, rule, kind),
  key by_subject (subject, closed_at),
  key by_rule (rule, closed_at),
  key by_reminder (remind_at),
  key by_close (closed_at, id),
  key by_kind (kind, closed_at),
  key by_sending (sending, id),
  key by_namespace (namespace, id)
) engine = InnoDB default character set utf8mb4 comment 'What happened that a rule is about';

create table if not exists alert_message (
  id          bigint not null auto_increment,
  uid         varchar(40) character set ascii collate ascii_bin not null comment 'for the receiver, the same whenever it is sent again',
  channel     varchar(64) character set utf8mb4 collate utf8mb4_bin not null comment 'empty: a ping',
  group_key   varchar(500) character set utf8mb4 collate utf8mb4_bin not null,
  url         varchar(2000) null comment 'of a ping',
  state       varchar(10) character set ascii collate ascii_bin not null comment 'WAITING, SENT, SILENCED, GIVEN_UP',
  created_at  datetime(3) not null,
  next_at     datetime(3) not null comment 'when it is tried next',
  expires_at  datetime(3) not null comment 'when it is given up',
  attempts    int not null default 0,
  claim       varchar(48) character set ascii collate ascii_bin null comment 'of who is sending it',
  session_id  varchar(24) character set ascii collate ascii_bin null,
  silence_id  bigint null comment 'until the end of which it waits',
  sent_at     datetime(3) null,
  last_error  varchar(500) null,
  primary key (id),
  key due (state, next_at),
  key joinable (channel, state, next_at),
  key by_age (created_at)
) engine = InnoDB default character set utf8mb4 comment 'What is to be sent, and was';

create table if not exists alert_part (
  message_id  bigint not null,
  alert_id    bigint not null,
  kind        varchar(10) character set ascii collate ascii_bin not null comment 'RAISED, REMINDER, RECOVERED',
  primary key (message_id, alert_id, kind),
  key by_alert (alert_id)
) engine = InnoDB default character set utf8mb4 comment 'What a message is about';

create table if not exists alert_late (
  task_id     bigint not null,
  primary key (task_id)
) engine = InnoDB default character set utf8mb4 comment 'Rows of history that were written after later ones were read';

create table if not exists alert_report (
  id          bigint not null auto_increment,
  node        varchar(64) character set utf8mb4 collate utf8mb4_bin not null,
  from_at     datetime(3) not null,
  until_at    datetime(3) not null,
  reason      varchar(300) not null,
  primary key (id)
) engine = InnoDB default character set utf8mb4 comment 'Times without the database, as nodes had them';

create table if not exists alert_state (
  id          tinyint not null,
  read_at     datetime(3) not null comment 'history that ended before this is read',
  read_id     bigint not null comment 'and up to this task, what ended then',
  looked_at   datetime(3) not null comment 'what passes with time was looked at then',
  reached     json null comment 'for each deadline and age, up to which task or job: {"deadline 90000": "TIME ID"}',
  rules       bigint not null default 0 comment 'rises with every change of a rule',
  pings       boolean not null default false comment 'whether a job may ask for pings',
  primary key (id)
) engine = InnoDB default character set utf8mb4 comment 'How far alerts are; one row';

insert ignore into alert_state (id, read_at, read_id, looked_at) values (1, utc_timestamp(3), 0, utc_timestamp(3));
