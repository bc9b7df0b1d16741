package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.rowlock.support.Rows;
import dev.rowlock.task.TaskRef;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.transition.Quarantine;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables as a node of the next version leaves them, which has altered them first: with words that this one has not. */
class NextVersionTest extends NodeByHand {

    @BeforeEach
    void alter() {
        createYearlyJob();
        alter(rows);
    }

    static void alter(Rows rows) {
        rows.run("alter table task add column weather varchar(20) not null default 'dry', modify column cause"
                + " enum('SCHEDULE', 'MANUAL', 'RETRY', 'RECOVERY', 'CATCH_UP', 'BACKFILL', 'DEPENDENCY', 'RAIN')"
                + " character set ascii collate ascii_bin not null");
        rows.run("alter table job_next add column weather varchar(20) not null default 'dry'");
        rows.run("alter table task_history add column weather varchar(20) not null default 'dry', modify column cause"
                + " enum('SCHEDULE', 'MANUAL', 'RETRY', 'RECOVERY', 'CATCH_UP', 'BACKFILL', 'DEPENDENCY', 'RAIN')"
                + " character set ascii collate ascii_bin not null, modify column outcome enum('SUCCEEDED', 'FAILED',"
                + " 'TIMED_OUT', 'KILLED', 'LOST', 'SKIPPED', 'MISSED', 'CANCELLED', 'EXPANDED', 'DROWNED')"
                + " character set ascii collate ascii_bin not null");
    }

    /** Such as one that only a newer version knows. */
    @Test
    void another_kind_is_neither_lifted_nor_replaced_and_is_shown_as_it_is() {
        rows.run("insert into task (job_id, job_version, stripe, fire_time, attempt, cause, hold, hold_reason,"
                + " state) select job_id, 1, stripe, utc_timestamp(3) + interval 1 hour, 1, 'SCHEDULE',"
                + " 'WEATHER', 'it rains in Berlin', 'IDLE' from live_task");
        TaskView task = task();
        TaskRef row = row(task.id());

        new Quarantine(database).idle(List.of(row), "cannot be prepared: full");
        jobs.setPaused(KEY, true, ANY);
        jobs.release(KEY, ANY);
        jobs.patch(KEY, JsonNodeFactory.instance.objectNode().put("command", "false"), ANY);
        jobs.setPaused(KEY, false, ANY);

        TaskView after = new TaskQueries(database).find(task.id()).orElseThrow();
        assertThat(after.dueAt()).isNull();
        assertThat(after.hold()).isEqualTo("WEATHER");
        assertThat(after.holdReason()).isEqualTo("it rains in Berlin");
        assertThat(jobs.get(KEY).facts().setAside()).isNull();
        assertThat(rows.count("task_aside")).isZero();
    }

    private TaskRef row(long id) {
        String version = rows.one("select version from job");
        String stripe = rows.one("select stripe from live_task where id = " + id);
        long job = number(rows.one("select id from job"));
        return new TaskRef(id, job, (int) number(version), (int) number(stripe), null);
    }

    private TaskView task() {
        return new TaskQueries(database)
                .find(number(rows.one("select max(id) from live_task")))
                .orElseThrow();
    }

    private static long number(@Nullable String text) {
        return Long.parseLong(String.valueOf(text));
    }
}
