package dev.rowlock.task.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.alert.AlertFilter;
import dev.rowlock.alert.AlertFilter.AlertState;
import dev.rowlock.alert.store.AlertQueries;
import dev.rowlock.alert.store.AlertQueries.AlertPage;
import dev.rowlock.audit.AuditEntry;
import dev.rowlock.audit.AuditFilter;
import dev.rowlock.audit.AuditFilter.AuditPosition;
import dev.rowlock.audit.AuditQueries;
import dev.rowlock.audit.AuditQueries.AuditRows;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.ReadCounter;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSort;
import dev.rowlock.job.store.JobQueries;
import dev.rowlock.secret.store.SecretStore;
import dev.rowlock.support.IdleJobs;
import dev.rowlock.support.Numbers;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.query.TaskQueries;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How many rows the server reads for one page of a list: next to 60,000 rows of each, of which those that are asked
 * for, or that the caller may see, are few and old.
 */
@Tag("database")
@Tag("slow")
class ListCostTest {

    private static final int ROWS = 60_000;
    private static final int PAGE = 50;
    /** What a page may cost that finds all it needs in its index: entries, and the row of each. */
    private static final long OWN = 1_000;
    /** What a search may cost that has to look at others: entries up to its floor, twice, and the row of each. */
    private static final long FLOOR = 35_000;

    /** Each has five alerts, five rows of the audit and a few secrets, older than all others. */
    private static final Set<String> FEW = Set.of("lab", "ops");

    @RegisterExtension
    static final TestDatabase SERVER = new TestDatabase();

    private static Database database;

    @BeforeAll
    static void fill() {
        DatabaseAddress address = new DatabaseAddress(SERVER.url(), SERVER.user(), SERVER.password());
        database = Database.single(address, Duration.ofSeconds(60));
        Rows rows = new Rows(SERVER);
        IdleJobs.insert(rows, ROWS);
        rows.run("update job set namespace = if(id <= 5, 'lab', 'ops') where id <= 10");
        String place = "if(n <= 5, 'lab', if(n <= 10, 'ops', if(n % 3 = 0, null, 'default')))";
        rows.run("insert into alert (id, rule, kind, subject, event, namespace, job, detail, at, raised_at, closed_at,"
                + " sending) select n, if(n = 7, 'rare', 'all'), 'FAILED', concat('job:', n), concat('e', n), " + place
                + ", concat('j', n % 1000), '{}', '2026-01-01', '2026-01-01', if(n % 2 = 0, null, '2026-01-02'),"
                + " if(n = 9, 'GIVEN_UP', 'SENT') from " + Numbers.upTo(ROWS));
        rows.run("insert into audit (id, at, who, role, address, request_id, action, kind, namespace, name) select"
                + " n, '2026-01-01' + interval n second, if(n = 7, 'jane', 'admin'), 'admin', '::1', 'r', if(n = 8,"
                + " 'rollback', 'put'), if(n = 9, 'node', 'job'), " + place + ", concat('j', n % 1000) from "
                + Numbers.upTo(ROWS));
        rows.run("insert into secret (namespace, name, version, key_id, sealed, created_at, updated_at) select if(n <="
                + " 5, 'lab', if(n <= 10, 'ops', 'default')), concat('s', n), 1, 'k', 'x', '2026-01-01', '2026-01-01'"
                + " from " + Numbers.upTo(ROWS));
        rows.run("insert into task_history (id, job_id, namespace, job, job_version, fire_time, origin, attempt, cause,"
                + " outcome, started_at, ended_at, last_fire_time) select 1000000 + n, n, if(n <= 5, 'lab', if(n <="
                + " 10, 'ops', 'default')), concat('idle-', n), 1, '2026-01-01' + interval n second, '', 1,"
                + " 'SCHEDULE', 'SUCCEEDED', '2026-01-01', '2026-01-01', '2026-01-01' + interval n second from "
                + Numbers.upTo(ROWS));
        rows.all("analyze table alert, audit, secret, job, task, task_history");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    private static long rowsReadBy(Runnable work) {
        return ReadCounter.rowsReadBy(database, work);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, -, -, -",
                "OPEN, -, -, -",
                "SENT, -, -, -",
                "-, -, lab, -",
                "OPEN, -, lab, -",
                "-, -, lab, j3",
                "-, -, default, j999",
                "-, -, few, -",
                "OPEN, -, few, -"
            })
    void alerts_that_an_index_knows_are_read_alone(
            @Nullable AlertState state, @Nullable String rule, @Nullable String namespace, @Nullable String job) {
        AlertQueries queries = new AlertQueries(database);
        AlertFilter filter = alerts(state, rule, namespace, job, null);

        assertThat(queries.find(filter).alerts().rows()).isNotEmpty();
        assertThat(queries.find(filter).reached()).isNull();
        assertThat(rowsReadBy(() -> queries.find(filter))).isLessThan(OWN);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "-, rare, -, -",
                "CLOSED, rare, -, -",
                "GIVEN_UP, all, -, -",
                "SENT, -, lab, -",
                "SENT, -, few, -",
                "CLOSED, rare, default, -",
                "OPEN, rare, few, -",
                "OPEN, -, -, j7",
                "-, rare, few, -"
            })
    void of_alerts_that_are_rare_some_are_looked_at(
            @Nullable AlertState state, @Nullable String rule, @Nullable String namespace, @Nullable String job) {
        AlertQueries queries = new AlertQueries(database);

        assertThat(rowsReadBy(() -> queries.find(alerts(state, rule, namespace, job, null))))
                .isLessThan(FLOOR);
    }

    @Test
    void a_search_for_alerts_goes_on_where_it_ended() {
        AlertQueries queries = new AlertQueries(database);
        List<Long> found = new ArrayList<>();
        int pages = 0;
        Long before = null;
        do {
            AlertPage page = queries.find(alerts(null, "rare", null, null, before));
            page.alerts().rows().forEach(listed -> found.add(listed.alert().id()));
            before = page.reached();
            pages++;
        } while (before != null);

        assertThat(found).containsExactly(7L);
        assertThat(pages).isEqualTo(ROWS / 10_000 + 1);
    }

    private static AlertFilter alerts(
            @Nullable AlertState state,
            @Nullable String rule,
            @Nullable String namespace,
            @Nullable String job,
            @Nullable Long before) {
        boolean few = "few".equals(namespace);
        return new AlertFilter(state, few ? FEW : Set.of(), rule, few ? null : namespace, job, before, PAGE);
    }

    static List<AuditFilter> known() {
        return List.of(
                audit(null, null, null, null, null, Set.of(), null),
                audit("admin", null, null, null, null, Set.of(), null),
                audit("jane", null, null, null, null, Set.of(), null),
                audit(null, "rollback", null, null, null, Set.of(), null),
                audit(null, null, null, "lab", null, Set.of(), null),
                audit(null, null, null, "lab", "j3", Set.of(), null),
                audit(null, null, null, null, null, FEW, null));
    }

    @ParameterizedTest
    @MethodSource("known")
    void rows_of_the_audit_that_an_index_knows_are_read_alone(AuditFilter filter) {
        AuditQueries queries = new AuditQueries(database);

        assertThat(queries.page(filter).entries()).isNotEmpty();
        assertThat(queries.page(filter).reached()).isNull();
        assertThat(rowsReadBy(() -> queries.page(filter))).isLessThan(OWN);
    }

    static List<AuditFilter> rare() {
        return List.of(
                audit("admin", "rollback", null, null, null, Set.of(), null),
                audit(null, null, "node", null, null, Set.of(), null),
                audit(null, null, null, null, "j7", Set.of(), null),
                audit("jane", null, null, "default", null, Set.of(), null),
                audit(null, "rollback", null, "default", null, Set.of(), null),
                audit("jane", null, null, null, null, Set.of("lab", "ops", "default"), null));
    }

    @ParameterizedTest
    @MethodSource("rare")
    void of_rows_of_the_audit_that_are_rare_some_are_looked_at(AuditFilter filter) {
        AuditQueries queries = new AuditQueries(database);

        assertThat(rowsReadBy(() -> queries.page(filter))).isLessThan(FLOOR);
    }

    @Test
    void a_search_of_the_audit_goes_on_where_it_ended() {
        AuditQueries queries = new AuditQueries(database);
        List<AuditEntry> found = new ArrayList<>();
        int pages = 0;
        AuditPosition after = null;
        do {
            AuditRows page = queries.page(audit(null, null, "node", null, null, Set.of(), after));
            found.addAll(page.entries());
            after = page.reached();
            pages++;
        } while (after != null);

        assertThat(found).singleElement().extracting(AuditEntry::id).isEqualTo(9L);
        assertThat(pages).isEqualTo(ROWS / 10_000 + 1);
    }

    private static AuditFilter audit(
            @Nullable String who,
            @Nullable String action,
            @Nullable String kind,
            @Nullable String namespace,
            @Nullable String name,
            Set<String> within,
            @Nullable AuditPosition after) {
        return new AuditFilter(who, action, kind, namespace, name, within, null, null, after, PAGE);
    }

    @Test
    void secrets_of_a_limited_caller_are_read_alone() {
        SecretStore store = new SecretStore(database);

        assertThat(store.list(FEW, "", "", PAGE)).hasSize(10);
        assertThat(rowsReadBy(() -> store.list(FEW, "", "", PAGE))).isLessThan(OWN);
        assertThat(rowsReadBy(() -> store.list(Set.of(), "default", "s5", PAGE)))
                .isLessThan(OWN);
    }

    /** All lie before it, in the same namespace. */
    @Test
    void the_last_page_of_jobs_costs_what_the_first_does() {
        JobQueries queries = new JobQueries(database);
        JobKey late = new JobKey("default", "idle-9998");
        JobFilter filter = new JobFilter(null, null, null, List.of(), late, PAGE);

        assertThat(queries.page(filter).jobs()).hasSizeBetween(1, 20);
        assertThat(rowsReadBy(() -> queries.page(filter))).isLessThan(OWN);
    }

    @ParameterizedTest
    @CsvSource({"NAME", "NEXT", "LAST", "OUTCOME"})
    void jobs_of_a_limited_caller_are_listed_in_each_order_at_a_bounded_cost(JobSort sort) {
        JobQueries queries = new JobQueries(database);
        JobFilter filter = new JobFilter(null, null, null, List.of(), sort, null, null, PAGE).within(FEW);

        assertThat(queries.page(filter).jobs()).hasSize(10);
        long read = rowsReadBy(() -> queries.page(filter));
        assertThat(read).isLessThan(sort == JobSort.NAME ? OWN : 8L * ROWS);
    }

    @Test
    void tasks_of_one_namespace_are_read_alone_and_rare_ones_up_to_a_floor() {
        TaskQueries queries = new TaskQueries(database);

        assertThat(rowsReadBy(() -> queries.search(tasks("lab", "ENDED")))).isLessThan(OWN);
        assertThat(rowsReadBy(() -> queries.search(tasks("lab", null)))).isLessThan(FLOOR);
        assertThat(rowsReadBy(() -> queries.search(tasks("lab", "EXECUTING")))).isLessThan(OWN);
    }

    private static TaskFilter tasks(String namespace, @Nullable String state) {
        @Nullable Instant any = null;
        return new TaskFilter(
                namespace, null, state, null, null, any, any, null, PAGE, false, false, null, null, List.of());
    }
}
