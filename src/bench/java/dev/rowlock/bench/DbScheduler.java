package dev.rowlock.bench;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.CronSchedule;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** db-scheduler with one instance per job and the schedule in memory, its leanest form of a recurring job; with either way of polling. */
final class DbScheduler implements Contender {

    private static final DateTimeFormatter SQL =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    /** How it takes due rows. */
    enum Polling {
        FETCH,
        LOCK_AND_FETCH
    }

    private final Task task;
    private final HikariDataSource pool;
    private final Scheduler scheduler;

    DbScheduler(Task task, Polling polling) {
        this.task = task;
        insert();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(task.schema().peerUrl());
        config.setUsername(task.schema().address.user());
        config.setPassword(task.schema().address.password());
        config.setMaximumPoolSize(task.slots() + 4);
        config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        pool = new HikariDataSource(config);
        CronSchedule schedule = new CronSchedule(task.cron(), ZoneId.of("UTC"));
        CustomTask<Void> job = Tasks.custom("job", Void.class).execute((instance, context) -> {
            task.starts().started(context.getExecution().getExecutionTime());
            if (task.command() == Command.TRUE) {
                Shells.runTrue();
            }
            return new CompletionHandler.OnCompleteReschedule<>(schedule);
        });
        SchedulerBuilder builder = Scheduler.create(pool, job)
                .threads(task.slots())
                .pollingInterval(Duration.ofMillis(100))
                .alwaysPersistTimestampInUTC();
        // A batch of several times the threads, refilled at half of them: what its documentation gives for high throughput.
        if (polling == Polling.FETCH) {
            builder.pollUsingFetchAndLockOnExecute(0.5, 4.0);
        } else {
            builder.pollUsingLockAndFetch(0.5, 4.0);
        }
        scheduler = builder.build();
    }

    private void insert() {
        task.schema().script("""
                create table scheduled_tasks (
                  task_name varchar(100) not null,
                  task_instance varchar(100) not null,
                  task_data blob,
                  execution_time timestamp(6) not null,
                  picked boolean not null,
                  picked_by varchar(50),
                  last_success timestamp(6) null,
                  last_failure timestamp(6) null,
                  consecutive_failures int,
                  last_heartbeat timestamp(6) null,
                  version bigint not null,
                  priority smallint,
                  primary key (task_name, task_instance),
                  index execution_time_idx (execution_time),
                  index last_heartbeat_idx (last_heartbeat))
                """);
        task.schema()
                .run("insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)"
                        + " select 'job', concat('job-', n), '" + SQL.format(task.first()) + "', false, 1 from "
                        + Schema.numbers(task.jobs()));
        task.schema().text("analyze table scheduled_tasks");
    }

    @Override
    public void start() {
        scheduler.start();
    }

    @Override
    public boolean isDone() {
        return task.schema()
                        .number("select 1 from scheduled_tasks where execution_time <= '" + SQL.format(task.first())
                                + "' limit 1")
                == 0;
    }

    @Override
    public long finished() {
        return task.schema()
                .number("select count(*) from scheduled_tasks where last_success is not null and not picked");
    }

    @Override
    public void close() {
        scheduler.stop();
        pool.close();
    }
}
