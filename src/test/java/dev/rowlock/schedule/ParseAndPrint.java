package dev.rowlock.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * What holds for any text at all: it is a schedule, or refused with a {@link ScheduleProblem}, and nothing else
 * happens; a schedule's normal form is its own normal form and reads as an equal schedule with the same fire times.
 */
final class ParseAndPrint {

    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final Instant ANCHOR = Instant.parse("2026-03-28T12:00:00Z");
    private static final Instant[] STARTS = {
        ANCHOR,
        Instant.parse("2026-10-25T00:30:00Z"),
        Instant.MIN,
        Instant.parse("9999-12-31T22:59:58.999999999Z"),
        Instant.MAX
    };

    private ParseAndPrint() {}

    /** Whether the text is a schedule. Fails if anything of what holds does not. */
    static boolean accepts(String text, DaylightSaving rule) {
        try {
            Schedule schedule = Schedule.parse(text, ZONE, rule, ANCHOR);
            assertSurvivesPrinting(schedule, rule);
            return true;
        } catch (ScheduleProblem problem) {
            String message = problem.toString();
            if (message.length() < 60
                    || message.length() > 700
                    || message.chars().anyMatch(Character::isISOControl)) {
                throw new AssertionError(message, problem);
            }
            return false;
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            throw new AssertionError(Quoted.of(text), e);
        }
    }

    private static void assertSurvivesPrinting(Schedule schedule, DaylightSaving rule) {
        String normal = schedule.normalized();
        Schedule again = Schedule.parse(normal, ZONE, rule, ANCHOR);
        if (!again.equals(schedule) || !again.normalized().equals(normal)) {
            throw new AssertionError("not the same as " + normal + ", which prints as " + again.normalized());
        }
        for (Instant start : STARTS) {
            Optional<Instant> next = schedule.nextAfter(start);
            if (!next.equals(again.nextAfter(start))
                    || next.filter(t -> !t.isAfter(start)).isPresent()) {
                throw new AssertionError("after " + start + ": " + next + " and " + again.nextAfter(start));
            }
        }
    }

    /** Also what is said of a schedule in words, which takes longer. */
    static boolean acceptsAndDescribes(String text, DaylightSaving rule) {
        boolean accepted = accepts(text, rule);
        if (accepted) {
            Schedule schedule = Schedule.parse(text, ZONE, rule, ANCHOR);
            assertThat(schedule.description()).isNotBlank();
            assertThat(schedule.warnings(ANCHOR)).doesNotContain("");
        }
        return accepted;
    }
}
