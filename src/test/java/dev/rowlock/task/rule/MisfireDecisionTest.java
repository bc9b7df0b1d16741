package dev.rowlock.task.rule;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.definition.Misfire;
import dev.rowlock.node.EverySchedule;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import dev.rowlock.task.rule.MisfireDecision.CatchUpRun;
import dev.rowlock.task.rule.MisfireDecision.Insert;
import dev.rowlock.task.rule.MisfireDecision.MisfireRules;
import dev.rowlock.task.rule.MisfireDecision.Missed;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Times are seconds; the schedule asks for every tenth, up to the thousandth. */
class MisfireDecisionTest {

    private static final Instant T = Instant.parse("2026-01-01T12:00:00Z");
    private static final Schedule TEN = new Asked(new EverySchedule(Duration.ofSeconds(10))) {
        private final Instant end = T.plusSeconds(1000);

        @Override
        public Optional<Instant> nextAfter(Instant t) {
            return super.nextAfter(t).filter(next -> !next.isAfter(end));
        }

        @Override
        public long countBetween(Instant afterExclusive, Instant untilInclusive) {
            return super.countBetween(afterExclusive, untilInclusive.isBefore(end) ? untilInclusive : end);
        }
    };

    private static final MisfireRules RUN_ONCE = new MisfireRules(Misfire.RUN_ONCE, 100, null, Terms.PLAIN);

    /**
     * A row is its fire time, its next fire time if it has one, and a star if the cursor stands there. What is missed
     * is the row that stands for it, the last fire time, how many there are, and the next fire time. What stays is rows
     * that run and new ones that do, each with the fire time that follows if it gets another one, and where the cursor
     * goes.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # rows            | now | missed                                 | what stays
            # What lies between two rows that do not follow each other was run by itself.
            0>10 20>30 30*    | 39  | 0..0 (1) >10, 20..20 (1) >30           | 30>40, cursor 40
            0>10 10>20 50*    | 59  | 0..10 (2) >20                          | 50>60, cursor 60
            0>10 20>30 30*    | 50  | 0..0 (1) >10, 20..40 (3) >50           | new 50>60, cursor 60
            # The cursor was taken on by another row, which is not overdue, or somebody else's.
            0>10 10>20        | 90  | 0..0 (1) >10                           | 10
            0>20              | 90  | ''                                     | 0
            # Rows whose next fire time is not known stand alone, before what runs.
            0 10 20*          | 29  | 0..0 (1) >20, 10..10 (1) >20           | 20>30, cursor 30
            0 10 20*          | 50  | 0..0 (1) >50, 10..10 (1) >50, 20..40 (3) >50 | new 50>60, cursor 60
            # The fire time that comes just now is overdue too, the one in a millisecond is not.
            0*                | 10  | 0..0 (1) >10                           | new 10>20, cursor 20
            0*                | 9.999 | ''                                   | 0>10, cursor 10
            # The database's clock was set back: nothing is counted backwards.
            20*               | 0   | ''                                     | 20>30, cursor 30
            0>10 10>20 20*    | 29  | 0..10 (2) >20                          | 20>30, cursor 30
            0>10 10>20 20*    | 30  | 0..20 (3) >30                          | new 30>40, cursor 40
            0*                | 100 | 0..90 (10) >100                        | new 100>110, cursor 110
            """)
    void run_once(String rows, double now, String missed, String stays) {
        decides(RUN_ONCE, rows, now, missed, stays);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0*                | 9   | 0..0 (1) >10                           | cursor 10
            0*                | 100 | 0..100 (11) >110                       | cursor 110
            0>10 10>20 20*    | 29  | 0..20 (3) >30                          | cursor 30
            # The cursor is somebody else's.
            0>10 10>20        | 90  | 0..10 (2) >20                          | ''
            0>10 20>30 30*    | 50  | 0..0 (1) >10, 20..50 (4) >60           | cursor 60
            # Unless the clock was set back, no fire time comes twice.
            20*               | 0   | 20..20 (1) >30                         | cursor 30
            # The schedule ends at 1000.
            990*              | 1000 | 990..1000 (2) >-                      | ''
            1000*             | 1060 | 1000..1000 (1) >-                     | ''
            """)
    void skip(String rows, double now, String missed, String stays) {
        decides(new MisfireRules(Misfire.SKIP, 100, null, Terms.PLAIN), rows, now, missed, stays);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # At most three.
            0*                | 9   | ''                                     | 0>10, cursor 10
            0*                | 29  | ''                                     | 0>10, new 10>20, new 20>30, cursor 30
            0*                | 39  | 0..0 (1) >10                           | new 10>20, new 20>30, new 30>40, cursor 40
            0*                | 99  | 0..60 (7) >70                          | new 70>80, new 80>90, new 90>100, cursor 100
            0>10 10>20 20*    | 29  | ''                                     | 0, 10, 20>30, cursor 30
            0>10 10>20 20*    | 39  | 0..0 (1) >10                           | 10, 20>30, new 30>40, cursor 40
            0>10 20>30 30>40 40>50 | 90 | 0..0 (1) >10                       | 20, 30, 40
            0>10 20>30 30>40 50>60 60* | 69 | 0..0 (1) >10, 20..20 (1) >30   | 30, 50, 60>70, cursor 70
            0>10 20>30 30*    | 99  | 0..0 (1) >10, 20..60 (5) >70           | new 70>80, new 80>90, new 90>100, cursor 100
            20*               | 0   | ''                                     | 20>30, cursor 30
            """)
    void run_all(String rows, double now, String missed, String stays) {
        decides(new MisfireRules(Misfire.RUN_ALL, 3, null, Terms.PLAIN), rows, now, missed, stays);
    }

    /** What is later than 25 s has to start no more. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # policy  | rows           | now  | missed                       | what stays
            RUN_ONCE  | 0>10 10>20     | 35   | 0..0 (1) >10                 | 10
            RUN_ONCE  | 0>10 10>20     | 35.001 | 0..10 (2) >20              | ''
            RUN_ONCE  | 0*             | 99   | 0..80 (9) >90                | new 90>100, cursor 100
            RUN_ALL   | 0*             | 25   | ''                           | 0>10, new 10>20, new 20>30, cursor 30
            RUN_ALL   | 0*             | 25.001 | 0..0 (1) >10               | new 10>20, new 20>30, cursor 30
            RUN_ALL   | 0>10 10>20 20* | 44   | 0..10 (2) >20                | 20>30, new 30>40, new 40>50, cursor 50
            RUN_ALL   | 0>10 10>20 20* | 99   | 0..70 (8) >80                | new 80>90, new 90>100, cursor 100
            RUN_ALL   | 0>10 10>20     | 99   | 0..10 (2) >20                | ''
            RUN_ALL   | 1000*          | 1099 | 1000..1000 (1) >-            | ''
            """)
    void what_is_past_its_deadline_is_missed_whatever_the_policy(
            Misfire policy, String rows, double now, String missed, String stays) {
        decides(new MisfireRules(policy, 100, Duration.ofSeconds(25), Terms.PLAIN), rows, now, missed, stays);
    }

    /** All is due 7 s after its fire time. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # policy  | rows           | now  | missed                       | what stays
            RUN_ONCE  | 0*             | 16   | ''                           | 0>10, cursor 10
            RUN_ONCE  | 0*             | 17   | 0..0 (1) >10                 | new 10>20, cursor 20
            RUN_ALL   | 0*             | 36   | ''                           | 0>10, new 10>20, new 20>30, cursor 30
            SKIP      | 0*             | 26   | 0..10 (2) >20                | cursor 20
            """)
    void what_is_due_behind_its_fire_time_is_overdue_later(
            Misfire policy, String rows, double now, String missed, String stays) {
        decides(
                new MisfireRules(policy, 100, null, new Terms(Duration.ofSeconds(7), 0, null)),
                rows,
                now,
                missed,
                stays);
    }

    private static void decides(MisfireRules rules, String rows, double now, String missed, String stays) {
        MisfireDecision decision = MisfireDecision.of(rows(rows), rules, TEN, T.plusMillis(Math.round(now * 1000)));

        assertThat(decision.missed().stream().map(MisfireDecisionTest::text).collect(joining(", ")))
                .isEqualTo(missed);
        assertThat(Stream.concat(
                                Stream.concat(
                                        decision.runs().stream().map(MisfireDecisionTest::text),
                                        decision.inserts().stream().map(MisfireDecisionTest::text)),
                                Stream.ofNullable(decision.cursor()).map(to -> "cursor " + text(to)))
                        .collect(joining(", ")))
                .isEqualTo(stays);
        assertThat(decision.rows()).isEqualTo(rows(rows));
        assertThat(Stream.concat(
                        decision.gone().stream(), decision.runs().stream().map(CatchUpRun::row)))
                .containsExactlyElementsOf(decision.rows());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # policy | deadline | rows     | now | reason
            RUN_ONCE |          | 0*       | 10  | no node was there to run it in time; the latest occurrence runs instead, unless the job is executing then (misfire RUN_ONCE)
            RUN_ONCE |          | 0>10 20* | 30  | no node was there to run these occurrences in time; the latest occurrence runs instead, unless the job is executing then (misfire RUN_ONCE)
            RUN_ONCE | PT5S     | 0*       | 9   | no node was there to run it in time, and none may start later than 5s after its fire time (startDeadline)
            RUN_ONCE | PT5S     | 0*       | 10  | no node was there to run it in time; the latest occurrence runs instead, unless the job is executing then (misfire RUN_ONCE)
            SKIP     |          | 0*       | 9   | no node was there to run it in time (misfire SKIP)
            SKIP     | PT5S     | 0*       | 19  | no node was there to run these occurrences in time (misfire SKIP)
            RUN_ALL  |          | 0*       | 40  | no node was there to run these occurrences in time; only the latest 3 run (misfire RUN_ALL, catchUpLimit)
            RUN_ALL  | PT15S    | 0*       | 40  | no node was there to run these occurrences in time, and none may start later than 15s after its fire time (startDeadline)
            """)
    void the_reason_names_what_keeps_them_from_running(
            Misfire policy, @Nullable Duration deadline, String rows, long now, String reason) {
        MisfireRules rules = new MisfireRules(policy, 3, deadline, Terms.PLAIN);

        assertThat(MisfireDecision.of(rows(rows), rules, TEN, T.plusSeconds(now))
                        .missed())
                .isNotEmpty()
                .extracting(Missed::reason)
                .containsOnly(reason);
    }

    @ParameterizedTest
    @CsvSource({
        // cause,   late,          misfire
        "SCHEDULE,  PT60S,         false",
        "SCHEDULE,  PT60.000001S,  true",
        "SCHEDULE,  PT-1S,         false",
        "CATCH_UP,  PT1H,          false",
        "RECOVERY,  PT1H,          false",
        "RETRY,     PT1H,          false",
        "MANUAL,    PT1H,          false",
    })
    void only_what_the_schedule_asked_for_misfires_and_not_at_the_threshold(
            Cause cause, Duration late, boolean misfire) {
        assertThat(MisfireDecision.isMisfire(cause, late, Duration.ofSeconds(60)))
                .isEqualTo(misfire);
    }

    @ParameterizedTest
    @EnumSource(Misfire.class)
    void a_month_of_missed_fire_times_is_counted_and_not_walked_through(Misfire policy) {
        Asked asked = new Asked(Schedule.parse("*/10 * * * * *", ZoneId.of("Europe/Berlin"), DaylightSaving.SHIFT, T));
        Instant changed = Instant.parse("2026-03-29T01:00:00Z"); // the clocks go forward within the outage
        Instant start = changed.minus(Duration.ofDays(20));
        Instant now = start.plus(Duration.ofDays(29));
        Task row = TaskBuilder.task(1, start).cursor(true).build();

        MisfireDecision decision =
                MisfireDecision.of(List.of(row), new MisfireRules(policy, 100, null, Terms.PLAIN), asked, now);

        int run = policy == Misfire.SKIP ? 0 : policy == Misfire.RUN_ONCE ? 1 : 100;
        assertThat(decision.missed()).extracting(Missed::occurrences).containsExactly(29L * 8640 + 1 - run);
        assertThat(decision.missed()).extracting(Missed::last).containsExactly(now.minusSeconds(10L * run));
        assertThat(decision.runs()).isEmpty();
        assertThat(decision.inserts())
                .extracting(Insert::fireTime)
                .containsExactlyElementsOf(IntStream.range(0, run)
                        .mapToObj(i -> now.plusSeconds(10L * (i + 1 - run)))
                        .toList());
        assertThat(decision.cursor()).isEqualTo(now.plusSeconds(10));
        assertThat(asked.times).isLessThan(run + 200);
    }

    private static List<Task> rows(String text) {
        List<Task> rows = new ArrayList<>();
        for (String row : text.split(" ", -1)) {
            List<Instant> times = Arrays.stream(row.replace("*", "").split(">"))
                    .map(t -> T.plusSeconds(Long.parseLong(t)))
                    .toList();
            Instant next = times.size() == 1 ? null : times.get(1);
            rows.add(TaskBuilder.task(rows.size(), times.get(0))
                    .next(next)
                    .cursor(row.endsWith("*"))
                    .build());
        }
        return rows;
    }

    private static String text(Missed m) {
        return text(m.row().fireTime()) + ".." + text(m.last()) + " (" + m.occurrences() + ") >"
                + text(m.nextFireTime());
    }

    private static String text(CatchUpRun run) {
        String next = run.next() == null ? "" : ">" + text(run.next());
        return text(run.row().fireTime()) + next;
    }

    private static String text(Insert row) {
        return "new " + text(row.fireTime()) + (row.next() == null ? "" : ">" + text(row.next()));
    }

    private static String text(@Nullable Instant t) {
        return t == null ? "-" : Long.toString(Duration.between(T, t).toSeconds());
    }

    /** Counts how often it is asked for one fire time. */
    private static class Asked implements Schedule {
        private final Schedule real;
        private int times;

        Asked(Schedule real) {
            this.real = real;
        }

        @Override
        public Optional<Instant> nextAfter(Instant t) {
            times++;
            return real.nextAfter(t);
        }

        @Override
        public long countBetween(Instant afterExclusive, Instant untilInclusive) {
            return real.countBetween(afterExclusive, untilInclusive);
        }

        @Override
        public String normalized() {
            return real.normalized();
        }

        @Override
        public String description() {
            return real.description();
        }

        @Override
        public ZoneId zone() {
            return real.zone();
        }

        @Override
        public List<String> warnings(Instant from) {
            return real.warnings(from);
        }
    }
}
