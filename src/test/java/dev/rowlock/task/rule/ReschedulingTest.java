package dev.rowlock.task.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.node.EverySchedule;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.support.TaskBuilder;
import dev.rowlock.task.Cause;
import dev.rowlock.task.Task;
import dev.rowlock.task.TaskState;
import dev.rowlock.task.rule.PrematureMisfires.RowSplit;
import dev.rowlock.task.rule.Rescheduling.RescheduleInput;
import dev.rowlock.task.rule.ReschedulingPlan.CursorMove;
import dev.rowlock.task.rule.ReschedulingPlan.PlannedEnd;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Times are seconds, it is 0 now, and a schedule is its period. A row is its fire time, its next fire time if it has
 * one, and what else there is to it: {@code *} the cursor, {@code e} executing, {@code l} lost but not recorded yet,
 * {@code r} a recovery, {@code m} a manual run. What becomes of them is written as {@link #text} does.
 */
class ReschedulingTest {

    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Pattern ROW = Pattern.compile("(-?\\d+)([elrm]?)(\\*?)(?:>(-?\\d+))?");
    private static final Schedule NEVER = Schedule.parse("@manual", ZoneOffset.UTC, DaylightSaving.SHIFT, NOW);

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # rows                     | settled | before | after | what becomes of them
            # What lies more than two minutes ahead was made because the clock was ahead: it is made again, though it is asked for.
            180>240 240*       | -       | 60     | 60    | 180>-; CANCELLED 180..180 (1); *240 to 60
            120>180 180*       | -       | 60     | 60    | +60>120
            # What ran already though it lies ahead is not made again; gaps before it are filled unless it lies far ahead.
            360*               | 300     | 60     | 60    | ''
            360*               | 90      | 60     | 60    | +60>90; *360 to 120
            # Nobody took the cursor's row in time. It stays if the new schedule asks for it too, and for all of them if not.
            -60*               | -       | 60     | 30    | -60>0; no row CANCELLED 0..0 (1)>30; *-60 on 30
            -60*               | -       | 60     | 50    | -60>50; CANCELLED -60..0 (2); *-60 on 50
            -60*               | -       | 60     | 0     | CANCELLED -60..0 (2); *-60 on -
            0*                 | -       | 60     | 60    | 0>60; *0 on 60
            # What names the cursor's row as the next one goes on doing so, whether that stays or ends.
            -60e>-30 -30*      | -       | 30     | 50    | -30>50; CANCELLED -30..0 (2); *-30 on 50
            -60e>-30 -30*      | -       | 30     | 30    | -30>0; no row CANCELLED 0..0 (1)>30; *-30 on 30
            # A next fire time that is not later is none.
            20>10 30*          | -       | 10     | 10    | 20>30; +10>20
            # What was started stays, asked for or not, recorded or not; so does the fire time of a recovery. A manual run counts for nothing.
            60e>120 120*       | -       | 60     | 50    | 60>100; +50>60; *120 to 100
            60l>120 120*       | -       | 60     | 50    | 60>100; +50>60; *120 to 100
            60r 120*           | -       | 60     | 50    | +50>60; *120 to 100
            60m 120*           | -       | 60     | 50    | *120 to 50
            -60e>0 0>60 60*    | -       | 60     | 50    | 0>50; *60 to 50
            # Made already: what is asked for too stays, and the gaps before it are filled.
            20>40 40*          | -       | 20     | 10    | 20>30; +10>20; *40 to 30
            10>20 20>30 30*    | -       | 10     | 60    | 20>60; CANCELLED 10..10 (1); CANCELLED 20..20 (1); *30 to 60
            10>20 20>30 30*    | -       | 10     | 20    | 20>40; CANCELLED 10..10 (1); *30 to 40
            # Nothing was made: the cursor moves, comes or goes.
            ''                 | -       | 0      | 60    | * on 60
            60*                | -       | 60     | 0     | x60
            60*                | -       | 60     | 10    | *60 to 10
            10*                | -       | 10     | 60    | *10 to 60
            60*                | -       | 60     | 60    | ''
            """)
    void the_schedule_changes(String rows, @Nullable String settled, int before, int after, String plan) {
        RescheduleInput facts = facts(rows, settled, null, before, after);

        assertThat(text(Rescheduling.changeSchedule(facts, false, "changed"))).isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # rows                     | settled | before | after | what becomes of them
            # What ran by itself in between is not skipped with its neighbours.
            -120>-60 0*        | -       | 60     | 60    | 0>60; SKIPPED -120..-120 (1); SKIPPED 0..0 (1); *0 on 60
            -60>0 0>60 60*     | -       | 60     | 10    | -60>10; x0; SKIPPED -60..0 (2); *60 to 10
            -600*              | -       | 60     | 0     | SKIPPED -600..0 (11); *-600 on -
            -60*               | -       | 60     | 60    | -60>60; SKIPPED -60..0 (2); *-60 on 60
            10>20 20*          | -       | 10     | 60    | 10>60; CANCELLED 10..10 (1); *20 to 60
            10>20 20*          | -       | 10     | 10    | ''
            """)
    void the_schedule_of_a_paused_job_changes(
            String rows, @Nullable String settled, int before, int after, String plan) {
        RescheduleInput facts = facts(rows, settled, null, before, after);

        assertThat(text(Rescheduling.changeSchedule(facts, true, "changed"))).isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # rows                     | settled | withdrawn | every | what becomes of them
            # What somebody cancelled is not asked for again; what comes before it is.
            -60*               | -       | 60        | 60    | -60>60; SKIPPED -60..0 (2); *-60 on 120
            -60*               | -       | 180       | 60    | -60>60; SKIPPED -60..0 (2); +60>120; +120>180; *-60 on 240
            # What ran by itself in between, or is running, is not skipped with its neighbours.
            -120>-60 0*        | -       | -         | 60    | 0>60; SKIPPED -120..-120 (1); SKIPPED 0..0 (1); *0 on 60
            -60e>0 0>60 60*    | -       | -         | 60    | SKIPPED 0..0 (1)
            # The clock was ahead when the cursor was set.
            600*               | -       | -         | 60    | *600 to 60
            600*               | 120     | -         | 60    | +60>120; *600 to 180
            -120>-60 -60>0 0*  | -       | -         | 60    | -120>60; x-60; x0; SKIPPED -120..0 (3); *0 on 60
            -120*              | -       | -         | 60    | -120>60; SKIPPED -120..0 (3); *-120 on 60
            60*                | -       | -         | 60    | ''
            ''                 | -       | -         | 0     | ''
            """)
    void the_job_is_resumed(String rows, @Nullable String settled, @Nullable String withdrawn, int every, String plan) {
        assertThat(text(Rescheduling.resume(fromNow(facts(rows, settled, withdrawn, every, every)))))
                .isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # rows                     | settled | withdrawn | every | what becomes of them
            # An overdue cursor is not ahead of anything.
            -60*               | 120     | 60        | 60    | ''
            # Rows that were made stay, however far ahead they are, and what comes before them is made.
            180>240 240*       | -       | -         | 60    | +60>120; +120>180
            240*               | 120     | -         | 60    | +60>120; *240 to 180
            240*               | -       | 60        | 60    | *240 to 120
            180>240 240*       | 60      | 120       | 60    | ''
            600*               | -       | -         | 60    | *600 to 60
            60*                | -       | -         | 60    | ''
            """)
    void the_cursor_is_brought_back(
            String rows, @Nullable String settled, @Nullable String withdrawn, int every, String plan) {
        assertThat(text(Rescheduling.bringBackCursor(fromNow(facts(rows, settled, withdrawn, every, every)))))
                .isEqualTo(plan);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            # rows                     | before | what becomes of them
            # What is executing finishes by itself; what was lost and could not be recorded does not.
            -60e>0 0>60 60*    | 60     | CANCELLED 0..0 (1); CANCELLED 60..60 (1)
            -60l>0 0*          | 60     | CANCELLED -60..-60 (1); CANCELLED 0..0 (1)
            0r 60m 60*         | 60     | CANCELLED 0..0 (1); CANCELLED 60..60 (1); CANCELLED 60..60 (1)
            # An overdue cursor stands for what came since; of a schedule that is not understood, nobody knows.
            -60*               | 60     | CANCELLED -60..0 (2)
            -60*               | 0      | CANCELLED -60..-60 (1)
            60*                | 60     | CANCELLED 60..60 (1)
            """)
    void the_job_is_deleted(String rows, int before, String plan) {
        assertThat(text(Rescheduling.delete(tasks(rows), schedule(before), NOW)))
                .isEqualTo(plan);
    }

    @Test
    void a_row_of_history_that_was_cut_is_linked_to_what_comes_now() {
        RowSplit cut = new RowSplit(
                7, new Span(NOW.minusSeconds(60), NOW, 2), new Span(NOW.plusSeconds(60), NOW.plusSeconds(120), 2));
        RescheduleInput facts = new RescheduleInput(
                NOW, schedule(60), schedule(60), tasks("600*"), Set.of(), Set.of(), null, List.of(cut), true);

        assertThat(text(Rescheduling.bringBackCursor(facts))).isEqualTo("history 7>60; *600 to 60");
    }

    /** A row of history stands for some of them, and nobody here can say for which. */
    @Test
    void nothing_is_made_before_the_end_of_what_is_not_understood() {
        RescheduleInput near = facts("90*", "90", null, 30, 10);
        RescheduleInput far = facts("600*", "300 600", null, 30, 60);

        assertThat(text(Rescheduling.changeSchedule(unknownUntil("90", near), false, "changed")))
                .isEqualTo("*90 to 100");
        assertThat(text(Rescheduling.changeSchedule(unknownUntil("300", fromNow(far)), false, "changed")))
                .isEqualTo("+360>420; +420>480; +480>540; +540>600; *600 to 660");
    }

    @Test
    void what_would_be_too_many_rows_is_counted() {
        ReschedulingPlan plan = Rescheduling.bringBackCursor(fromNow(facts("4000*", "3000", null, 1, 1)));

        assertThat(plan.inserts()).hasSize(2000);
        assertThat(plan.inserts().get(plan.inserts().lastKey())).isEqualTo(NOW.plusSeconds(2001));
        plan.inserts().clear();
        assertThat(text(plan)).isEqualTo("left SKIPPED 2001..2999 (999)>3000; *4000 to 3001");
    }

    @Test
    void a_single_fire_time_that_would_be_too_many_is_counted_too() {
        ReschedulingPlan plan = Rescheduling.bringBackCursor(fromNow(facts("4000*", "2002", null, 1, 1)));

        plan.inserts().clear();
        assertThat(text(plan)).isEqualTo("left SKIPPED 2001..2001 (1)>2002; *4000 to 2003");
    }

    @Test
    void what_is_left_out_before_a_far_row_is_not_made_when_the_schedule_changes() {
        assertThat(text(Rescheduling.changeSchedule(facts("4000*", "3000", null, 60, 1), false, "changed")))
                .isEqualTo("*4000 to 3001");
    }

    @Test
    void what_was_taken_back_before_a_far_row_is_made_by_the_new_schedule() {
        assertThat(text(Rescheduling.changeSchedule(fromNow(facts("360*", "300", null, 60, 100)), false, "changed")))
                .isEqualTo("+100>200; +200>300; *360 to 400");
        assertThat(text(Rescheduling.changeJitter(fromNow(facts("360*", "300", null, 100, 100)))))
                .isEqualTo("+100>200; +200>300; *360 to 400");
    }

    @Test
    void each_end_says_why() {
        RescheduleInput facts = facts("-60>0 0>10 10>20 20*", null, null, 10, 60);

        assertThat(Rescheduling.changeSchedule(facts, false, "changed").ends())
                .extracting(e -> e.task().id() + " " + e.reason())
                .containsExactly("10 changed");
        assertThat(Rescheduling.changeSchedule(facts, true, "changed").ends())
                .extracting(e -> e.task().id() + " " + e.reason())
                .containsExactly("-60 the job was paused", "10 changed");
        assertThat(Rescheduling.delete(facts.tasks(), facts.before(), NOW).ends())
                .extracting(PlannedEnd::reason)
                .containsOnly("the job was deleted");
        assertThat(Rescheduling.bringBackCursor(fromNow(facts("4000*", "3000", null, 1, 1)))
                        .unmade())
                .extracting(ReschedulingPlan.Unmade::reason)
                .containsExactly(
                        "not made: more than 2000 came before one that had run already; rescheduling the job makes more");
    }

    private static RescheduleInput facts(
            String rows, @Nullable String settled, @Nullable String withdrawn, int before, int after) {
        return new RescheduleInput(
                NOW,
                schedule(before),
                schedule(after),
                tasks(rows),
                times(settled),
                times(withdrawn),
                null,
                List.of(),
                false);
    }

    private static RescheduleInput fromNow(RescheduleInput facts) {
        return with(facts, facts.unknownUntil(), true);
    }

    private static RescheduleInput unknownUntil(String seconds, RescheduleInput facts) {
        return with(facts, time(seconds), facts.askedForAgain());
    }

    private static RescheduleInput with(RescheduleInput facts, @Nullable Instant unknownUntil, boolean askedForAgain) {
        return new RescheduleInput(
                facts.now(),
                facts.before(),
                facts.after(),
                facts.tasks(),
                facts.settled(),
                facts.withdrawn(),
                unknownUntil,
                facts.cuts(),
                askedForAgain);
    }

    private static Schedule schedule(int period) {
        return period == 0 ? NEVER : new EverySchedule(Duration.ofSeconds(period));
    }

    private static Set<Instant> times(@Nullable String text) {
        return text == null
                ? Set.of()
                : Arrays.stream(text.split(" ")).map(ReschedulingTest::time).collect(Collectors.toSet());
    }

    private static Instant time(String seconds) {
        return NOW.plusSeconds(Long.parseLong(seconds));
    }

    /** The id of a row is its fire time. */
    private static List<Task> tasks(String text) {
        List<Task> tasks = new ArrayList<>();
        Matcher row = ROW.matcher(text);
        while (row.find()) {
            String kind = row.group(2);
            Cause cause = kind.equals("r") ? Cause.RECOVERY : kind.equals("m") ? Cause.MANUAL : Cause.SCHEDULE;
            boolean executing = kind.equals("e");
            tasks.add(TaskBuilder.task(Long.parseLong(row.group(1)), time(row.group(1)))
                    .next(row.group(4) == null ? null : time(row.group(4)))
                    .origin(cause == Cause.MANUAL ? "run:1" : "")
                    .attempt(cause == Cause.RECOVERY ? 2 : 1)
                    .cause(cause)
                    .state(executing ? TaskState.EXECUTING : TaskState.IDLE)
                    .started(executing || kind.equals("l"))
                    .cursor(!row.group(3).isEmpty())
                    .build());
        }
        return tasks;
    }

    /**
     * {@code 0>60}: a row gets another next fire time. {@code x60}: it goes without a trace. {@code SKIPPED 0..60 (2)}:
     * it becomes history, for two fire times. {@code no row CANCELLED ...} and {@code left SKIPPED ...}: fire times
     * that never had one. {@code +30>60}: a new row. {@code *0 on 60}: the cursor leaves a task behind and goes on;
     * {@code *60 to 90}: it leaves nothing.
     */
    private static String text(ReschedulingPlan plan) {
        List<String> lines = new ArrayList<>();
        plan.links().forEach(l -> lines.add((l.history() ? "history " : "") + l.id() + ">" + text(l.next())));
        plan.deletes().forEach(id -> lines.add("x" + id));
        plan.ends().forEach(e -> lines.add(e.outcome() + " " + text(e.span())));
        plan.unmade()
                .forEach(u -> lines.add((u.asBefore() ? "no row " : "left ") + u.outcome() + " " + text(u.span()) + ">"
                        + text(u.next())));
        plan.inserts().forEach((t, next) -> lines.add("+" + text(t) + ">" + text(next)));
        CursorMove cursor = plan.cursor();
        if (cursor.move() != null) {
            lines.add("*" + cursor.move().id() + " to " + text(cursor.to()));
        } else if (cursor.leaves() != null || cursor.to() != null) {
            lines.add("*" + (cursor.leaves() == null ? "" : cursor.leaves().id()) + " on " + text(cursor.to()));
        }
        return String.join("; ", lines);
    }

    private static String text(Span span) {
        return text(span.first()) + ".." + text(span.last()) + " (" + span.count() + ")";
    }

    private static String text(@Nullable Instant t) {
        return t == null ? "-" : Long.toString(Duration.between(NOW, t).toSeconds());
    }
}
