package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.job.store.ManyJobs;
import dev.rowlock.job.version.OldVersions;
import dev.rowlock.job.version.OldVersions.EndedVersion;
import dev.rowlock.job.version.VersionQueries;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many rows the server reads for what is asked of one job's many versions, next to those of many jobs. */
@Tag("database")
@Tag("slow")
class VersionCostTest {

    private static final JobKey OFTEN = new JobKey("default", "often");
    private static final int VERSIONS = 20_000;

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(30));
        Rows rows = new Rows(SERVER);
        String insert =
                "insert into job_version (job_id, version, namespace, name, definition, paused, valid_from, valid_until)";
        rows.run(insert + " select 1, n, 'default', 'often', '{}', false, at, at + interval 1 minute"
                + " from (select n, timestamp('2020-01-01') + interval n minute as at from " + Numbers.upTo(VERSIONS)
                + ") r");
        rows.run(insert + " select 1 + n, 1, 'default', concat('job-', n), '{}', false, '2020-01-01', null from "
                + Numbers.upTo(VERSIONS));
        rows.run("insert into job (namespace, name, version, definition, paused, created_at, updated_at)"
                + " select 'default', concat('job-', n), 1, '{}', false, utc_timestamp(3), utc_timestamp(3) from "
                + Numbers.upTo(VERSIONS));
        rows.all("analyze table job_version, job");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static long rowsReadBy(Runnable work) {
        return ReadCounter.rowsReadBy(database, work);
    }

    @Test
    void a_page_of_versions_reads_no_others() {
        VersionQueries queries = new VersionQueries(database);

        assertThat(rowsReadBy(() -> assertThat(queries.page(OFTEN, 10_000, 50).versions())
                        .hasSize(50)
                        .first()
                        .matches(v -> v.version() == 10_000)))
                .isLessThan(60);
    }

    @Test
    void one_version_the_newest_and_the_first_are_looked_up() {
        VersionQueries queries = new VersionQueries(database);

        assertThat(rowsReadBy(
                        () -> assertThat(queries.find(OFTEN, VERSIONS / 2)).isPresent()))
                .isLessThan(10);
        assertThat(rowsReadBy(() -> assertThat(queries.newest(OFTEN)).contains(VERSIONS)))
                .isLessThan(10);
        assertThat(rowsReadBy(() -> assertThat(
                                queries.createdAt(queries.find(OFTEN, 7).orElseThrow()))
                        .isEqualTo(Instant.parse("2020-01-01T00:01:00Z"))))
                .isLessThan(20);
    }

    @Test
    void the_jobs_of_a_plan_are_looked_up_by_name() {
        ManyJobs many = new ManyJobs(database, null);
        List<JobKey> keys = List.of(
                new JobKey("default", "job-7"), new JobKey("default", "not-there"), new JobKey("default", "job-9000"));
        List<StoredJob> read = new ArrayList<>();

        assertThat(rowsReadBy(() -> many.read(keys, read::add))).isLessThan(30);
        assertThat(rowsReadBy(() -> assertThat(many.<Integer>change(
                                List.of(), "looking", c -> c.versions(keys).size()))
                        .isEqualTo(2)))
                .isLessThan(30);
        assertThat(read).extracting(job -> job.key().name()).contains("job-7", "job-9000");
    }

    /** The look at which versions to purge begins where the last one ended, and reads as many as it answers. */
    @Test
    void a_pass_of_the_purge_reads_as_many_versions_as_it_looks_at() {
        OldVersions versions = new OldVersions(database);
        Instant before = Instant.parse("2021-01-01T00:00:00Z");
        EndedVersion last = versions.ended(EndedVersion.FIRST, before, 5_000).get(4_999);

        assertThat(rowsReadBy(
                        () -> assertThat(versions.ended(last, before, 500)).hasSize(500)))
                .isLessThan(600);
    }
}
