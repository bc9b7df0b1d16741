package dev.rowlock.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz with its clustered JDBC store: batches as large as the thread pool, acquired within the lock, a little ahead of their time, as its
 * documentation advises for many triggers at one instant, and HikariCP.
 */
final class Quartz implements Contender {

    private static final String NAME = "bench";
    private static final String SCHEMA = "/org/quartz/impl/jdbcjobstore/tables_mysql_innodb.sql";
    private static final String TASK = "bench.task";

    private final Task task;
    private final Scheduler scheduler;

    Quartz(Task task) throws SchedulerException, IOException {
        this.task = task;
        insert();
        scheduler = new StdSchedulerFactory(properties()).getScheduler();
        scheduler.getContext().put(TASK, task);
    }

    private Properties properties() {
        Properties p = new Properties();
        String store = "org.quartz.jobStore.";
        String source = "org.quartz.dataSource.bench.";
        p.setProperty("org.quartz.scheduler.instanceName", NAME);
        p.setProperty("org.quartz.scheduler.instanceId", "AUTO");
        p.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        p.setProperty("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", Integer.toString(task.slots()));
        p.setProperty("org.quartz.scheduler.batchTriggerAcquisitionFireAheadTimeWindow", "1000");
        p.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        p.setProperty("org.quartz.threadPool.threadCount", Integer.toString(task.slots()));
        p.setProperty(store + "class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        p.setProperty(store + "driverDelegateClass", "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
        p.setProperty(store + "dataSource", "bench");
        p.setProperty(store + "isClustered", "true");
        p.setProperty(store + "acquireTriggersWithinLock", "true");
        p.setProperty(store + "misfireThreshold", "600000"); // nothing is left out, however late
        p.setProperty(source + "provider", "hikaricp");
        p.setProperty(source + "driver", "com.mysql.cj.jdbc.Driver");
        p.setProperty(source + "URL", task.schema().peerUrl());
        p.setProperty(source + "user", task.schema().address.user());
        p.setProperty(source + "password", task.schema().address.password());
        p.setProperty(source + "maxConnections", Integer.toString(task.slots() + 3));
        return p;
    }

    private void insert() throws IOException {
        try (InputStream in = Objects.requireNonNull(Quartz.class.getResourceAsStream(SCHEMA))) {
            task.schema().script(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        String numbers = Schema.numbers(task.jobs());
        long first = task.first().toEpochMilli();
        task.schema()
                .run("insert into QRTZ_JOB_DETAILS (SCHED_NAME, JOB_NAME, JOB_GROUP, JOB_CLASS_NAME, IS_DURABLE,"
                        + " IS_NONCONCURRENT, IS_UPDATE_DATA, REQUESTS_RECOVERY) select '" + NAME
                        + "', concat('job-', n), 'bench', '" + Run.class.getName() + "', '0', '0', '0', '0' from "
                        + numbers);
        task.schema()
                .run("insert into QRTZ_TRIGGERS (SCHED_NAME, TRIGGER_NAME, TRIGGER_GROUP, JOB_NAME, JOB_GROUP,"
                        + " NEXT_FIRE_TIME, PREV_FIRE_TIME, PRIORITY, TRIGGER_STATE, TRIGGER_TYPE, START_TIME, END_TIME,"
                        + " MISFIRE_INSTR) select '" + NAME + "', concat('job-', n), 'bench', concat('job-', n), 'bench', "
                        + first + ", -1, 5, 'WAITING', 'CRON', " + (first - 1000) + ", 0, 0 from " + numbers);
        task.schema()
                .run("insert into QRTZ_CRON_TRIGGERS (SCHED_NAME, TRIGGER_NAME, TRIGGER_GROUP, CRON_EXPRESSION,"
                        + " TIME_ZONE_ID) select '" + NAME + "', concat('job-', n), 'bench', '" + task.cron()
                        + "', 'UTC' from " + numbers);
        task.schema().text("analyze table QRTZ_JOB_DETAILS, QRTZ_TRIGGERS, QRTZ_CRON_TRIGGERS");
    }

    @Override
    public void start() throws SchedulerException {
        scheduler.start();
    }

    @Override
    public boolean isDone() {
        return task.schema().number("select 1 from QRTZ_FIRED_TRIGGERS limit 1") == 0;
    }

    @Override
    public long finished() {
        return task.schema()
                .number("select count(*) from QRTZ_TRIGGERS where PREV_FIRE_TIME >= "
                        + task.first().toEpochMilli());
    }

    @Override
    public void close() throws SchedulerException {
        scheduler.shutdown(true);
    }

    /** Made by Quartz, a new one for each fire. */
    public static final class Run implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            try {
                Task task = (Task) context.getScheduler().getContext().get(TASK);
                task.starts().started(context.getScheduledFireTime().toInstant());
                if (task.command() == Command.TRUE) {
                    Shells.runTrue();
                }
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
