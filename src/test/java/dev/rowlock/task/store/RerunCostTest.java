package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.Outcome;
import dev.rowlock.job.store.JobStore;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.RerunRequest;
import dev.rowlock.task.request.Reruns;
import dev.rowlock.task.request.Reruns.RerunResult;
import dev.rowlock.task.rerun.RerunQueries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How much a request to run again reads, where next to nothing of a long history is wanted. */
@Tag("database")
@Tag("slow")
class RerunCostTest {

    private static final int ROWS = 30_000;
    private static final int AT_ONCE = 11_000;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;
    private static RerunQueries queries;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(60));
        queries = new RerunQueries(database);
        Rows rows = new Rows(SERVER);
        String insert = "insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt,"
                + " cause, outcome, started_at, ended_at, last_fire_time) select ";
        rows.run(insert + "n, 1, 'default', 'often', 1, at, '', 1, 'SCHEDULE', if(n in (25000, 25001), 'LOST', if(n % 3"
                + " = 0, 'SUCCEEDED', 'FAILED')), at, at, at from (select n, timestamp('2026-01-01 00:00:00') + interval"
                + " n second as at from " + Numbers.upTo(ROWS) + ") r");
        rows.run(insert + "100000 + n, 1 + n, if(n = 700, 'rare', 'default'), concat('job-', n), 1,"
                + " '2025-12-31 20:00:00', '', 1, 'SCHEDULE', 'FAILED', '2025-12-31 20:00:00', '2025-12-31 20:00:00',"
                + " '2025-12-31 20:00:00' from " + Numbers.upTo(AT_ONCE));
        rows.all("analyze table task_history");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void of_a_job_that_ran_often_so_many_tasks_are_looked_at_and_the_answer_says_where_to_go_on() {
        List<RerunResult> answers = toItsEnd(null, "default/often", Set.of(Outcome.LOST, Outcome.MISSED));

        assertThat(answers).hasSize(3);
        assertThat(answers.get(0).nextSince()).isEqualTo(START.plusSeconds(10_001));
        assertThat(answers.get(0).leftOut()).isEmpty();
        assertThat(answers.get(2).leftOut()).hasSize(2);
    }

    @Test
    void of_a_namespace_with_little_in_it_so_many_are_looked_at_and_all_of_one_instant() {
        List<RerunResult> answers = toItsEnd("rare", null, Set.of(Outcome.FAILED));

        assertThat(answers.get(0).nextSince())
                .as("more ended at that instant than a request looks at")
                .isEqualTo(Instant.parse("2025-12-31T20:00:00Z"));
        assertThat(answers.get(1).leftOut()).hasSize(1);
        assertThat(answers).hasSize(4);
    }

    /** Eleven thousand jobs failed at once, and are not there any more. */
    @Test
    void a_request_gets_beyond_an_instant_however_much_of_it_is_left_out() {
        Instant since = Instant.parse("2025-12-31T20:00:00Z");
        Reruns reruns = new Reruns(queries, new JobStore(database), () -> {});

        RerunResult answer = reruns.rerun(asked(null, null, Set.of(Outcome.FAILED), since), null);

        assertThat(answer.nextSince()).isAfter(since);
        assertThat(answer.leftOut()).hasSize(5_000);
    }

    @Test
    void what_the_index_knows_needs_no_end() {
        assertThat(queries.end(asked(null, null, Set.of(Outcome.FAILED), START), Set.of(), Instant.MAX))
                .isEmpty();
        assertThat(queries.end(
                        asked(null, null, Set.of(Outcome.FAILED), START.minusSeconds(86_400)),
                        Set.of("rare"),
                        START.plusSeconds(86_400)))
                .isPresent();
    }

    /** All answers, each from where the one before ended, and none of them reads much. */
    private static List<RerunResult> toItsEnd(@Nullable String namespace, @Nullable String job, Set<Outcome> outcomes) {
        Reruns reruns = new Reruns(queries, new JobStore(database), () -> {});
        List<RerunResult> answers = new ArrayList<>();
        @Nullable Instant since = START.minusSeconds(86_400);
        while (since != null) {
            RerunRequest asked = asked(namespace, job, outcomes, since);
            RerunResult answer = reruns.rerun(asked, null);
            answers.add(answer);
            assertThat(ReadCounter.rowsReadBy(database, () -> reruns.rerun(asked, null)))
                    .isLessThan(35_000);
            Instant next = answer.nextSince();
            assertThat(next).isNotEqualTo(since);
            since = next;
        }
        return answers;
    }

    private static RerunRequest asked(
            @Nullable String namespace, @Nullable String job, Set<Outcome> outcomes, Instant since) {
        return new RerunRequest(since, START.plusSeconds(86_400), namespace, job, null, outcomes, 100, true);
    }
}
