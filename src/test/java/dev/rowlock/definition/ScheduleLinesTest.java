package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.InvalidDefinition;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collections;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A schedule as a person writes it, one text or a list of lines: what is given back, what is refused, what fires. */
class ScheduleLinesTest {

    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:10Z");
    private static final JobKey KEY = new JobKey("default", "a");

    private static ObjectNode sent(String schedule, String more) {
        try {
            return (ObjectNode) new ObjectMapper()
                    .readTree(("{'name': 'a', 'command': 'true', 'schedule': " + schedule + more + "}")
                            .replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(schedule, e);
        }
    }

    private static StoredDefinition parse(String schedule, String more) {
        return StoredDefinition.parse(sent(schedule, more));
    }

    private static JobSchedule schedule(String schedule, String more) {
        return JobSchedule.of(parse(schedule, more).definition(), CREATED);
    }

    private static String problems(String schedule, String more) {
        InvalidDefinition refused = catchThrowableOfType(InvalidDefinition.class, () -> parse(schedule, more));
        return refused.problems().stream()
                .map(p -> p.field() + ": " + p.message())
                .collect(Collectors.joining(" AND "));
    }

    private static String lines(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "'" + i + " 3 * * *'")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'0 3 * * *'",
                "['0 3 * * *']",
                "['0 3 * * *', '0 12 * * 6']",
                "[{'schedule': '0 3 * * *'}]",
                "['@hourly', {'schedule': '0 3 * * *', 'zone': 'Asia/Tokyo', 'env': {'FULL': '1'}}]"
            })
    void what_was_sent_is_given_back_and_read_again_from_the_table(String schedule) {
        StoredDefinition stored = parse(schedule, "");

        assertThat(stored.json().get("schedule")).isEqualTo(sent(schedule, "").get("schedule"));
        StoredDefinition again = StoredDefinition.read(KEY, stored.text(), false);
        assertThat(again).isEqualTo(stored);
        assertThat(again.isUnderstood()).isTrue();
    }

    @Test
    void twenty_lines_are_a_schedule() {
        assertThat(schedule(lines(20), "").countBetween(CREATED, CREATED.plusSeconds(86_400)))
                .isEqualTo(20);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            []                                  | schedule: must have 1 to 20 lines, not 0
            {'schedule': '0 3 * * *'}           | schedule: must be a string, or a list of strings and objects; put this object into a list
            5                                   | schedule: must be a string, not a number
            ['0 3 * * *', 5]                    | schedule[1]: must be a string or an object, not a number
            ['0 3 * * *', null]                 | schedule[1]: must be a string or an object, not null
            ['0 3 * * *', ['0 4 * * *']]        | schedule[1]: must be a string or an object, not a list
            ['0 3 * * *', ' ']                  | schedule[1]: must not be blank; leave it out
            ['0 3 * * *', {}]                   | schedule[1].schedule: is required: what a schedule alone may be, but not @manual
            ['0 3 * * *', {'schedule': ''}]     | schedule[1].schedule: is required: what a schedule alone may be, but not @manual
            ['0 3 * * *', {'schedule': '0 4 * * *', 'timezone': 'UTC'}] | schedule[1].timezone: is not a field of a line of a schedule; there are schedule, zone, env
            ['0 3 * * *', {'schedule': '0 4 * * *', 'zone': 'Mars'}] | schedule[1].zone: "Mars" is not a time zone of the IANA database
            ['0 3 * * *', {'schedule': '0 4 * * *', 'env': {'ROWLOCK_X': '1'}}] | schedule[1].env.ROWLOCK_X: variables beginning with ROWLOCK_ are set by Rowlock itself
            ['0 3 * * *', {'schedule': '0 4 * * *', 'env': {'A': 1}}] | schedule[1].env.A: must be a string, not a number
            ['0 3 * * *', {'schedule': 'CRON_TZ=UTC 0 4 * * *', 'zone': 'Asia/Tokyo'}] | schedule[1].zone: the schedule beside it names a zone, too, in its prefix; leave out one of both
            ['@manual']                         | schedule[0]: @manual stands alone; write it as a text instead of this list, or leave this line out
            ['0 3 * * *', {'schedule': 'TZ=UTC @manual'}] | schedule[1]: @manual stands alone; write it as a text instead of this list, or leave this line out
            ['0 3 * * *', '0  3 * * * ']        | schedule[1]: has the same fire times as line 1, which comes first; leave out one of both
            ['@daily', '0 4 * * *', '0 0 * * *'] | schedule[2]: has the same fire times as line 1, which comes first; leave out one of both
            ['TZ=Asia/Tokyo 0 3 * * *', {'schedule': '0 3 * * *', 'zone': 'Asia/Tokyo'}] | schedule[1]: has the same fire times as line 1, which comes first; leave out one of both
            ['@every 60s', {'schedule': '@every 1m', 'zone': 'Asia/Tokyo'}] | schedule[1]: has the same fire times as line 1, which comes first; leave out one of both
            """)
    void what_makes_no_sense_in_a_list_is_refused_with_its_place(String schedule, String problem) {
        assertThat(problems(schedule, "")).startsWith(problem).doesNotContain(" AND ");
    }

    @Test
    void every_line_that_is_wrong_is_told() {
        assertThat(problems("['61 3 * * *', '0 3 * * *', {'schedule': '0 25 * * *'}]", ""))
                .contains("schedule[0]: ")
                .contains(" AND schedule[2].schedule: ")
                .doesNotContain("schedule[1]");
        assertThat(problems(lines(21), "")).isEqualTo("schedule: must have 1 to 20 lines, not 21");
    }

    @Test
    void a_variable_of_a_line_is_no_secret_one() {
        assertThat(problems(
                        "['0 3 * * *', {'schedule': '0 4 * * *', 'env': {'PW': 'x'}}]", ", 'secretEnv': {'PW': 'db'}"))
                .isEqualTo("secretEnv.PW: is a variable of env, too; leave it out of one of them");
    }

    @Test
    void a_list_has_a_schedule_where_manual_has_none() {
        assertThat(parse(lines(2), ", 'maxRuns': 3").definition().maxRuns()).isEqualTo(3);
        assertThat(problems("'@manual'", ", 'maxRuns': 3")).startsWith("maxRuns: needs a schedule");
    }

    @Test
    void a_line_counts_in_its_own_zone_and_the_others_in_that_of_the_job() {
        JobSchedule schedule =
                schedule("['0 3 * * *', {'schedule': '0 3 * * *', 'zone': 'Asia/Tokyo'}]", ", 'zone': 'Europe/Berlin'");

        assertThat(schedule.nextAfter(CREATED)).contains(Instant.parse("2026-01-01T02:00:00Z"));
        assertThat(schedule.nextAfter(Instant.parse("2026-01-01T02:00:00Z")))
                .contains(Instant.parse("2026-01-01T18:00:00Z"));
        assertThat(schedule.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(schedule.zoneAt(Instant.parse("2026-01-01T18:00:00Z"))).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(schedule.normalized()).isEqualTo("0 3 * * *\nTZ=Asia/Tokyo 0 3 * * *");
        assertThat(schedule.warnings(CREATED))
                .as("of a zone that is named in a field")
                .isEmpty();
    }

    @Test
    void start_and_end_bound_all_lines() {
        JobSchedule schedule = schedule(
                "['@every 1h', '30 * * * *']", ", 'startAt': '2026-02-01T00:15:00Z', 'endAt': '2026-02-01T02:15:00Z'");

        assertThat(schedule.countBetween(CREATED, Instant.MAX)).isEqualTo(4);
        assertThat(schedule.nextAfter(CREATED)).contains(Instant.parse("2026-02-01T00:15:00Z"));
        assertThat(schedule.lineAt(Instant.parse("2026-02-01T01:15:00Z"))).hasValue(0);
        assertThat(schedule.lineAt(Instant.parse("2026-02-01T01:30:00Z"))).hasValue(1);
        assertThat(schedule.lineAt(Instant.parse("2026-02-01T02:15:00Z"))).isEmpty();
        assertThat(schedule.lineAt(Instant.parse("2026-02-01T02:30:00Z"))).isEmpty();
    }

    @Test
    void fire_times_are_the_same_whatever_the_variables_and_the_order_of_lines() {
        StoredDefinition one = parse("['0 3 * * *', {'schedule': '0 4 * * *', 'env': {'A': '1'}}]", "");
        StoredDefinition other = parse("['0 4 * * *', '0 3 * * *']", "");
        StoredDefinition another = parse("['0 4 * * *', {'schedule': '0 3 * * *', 'zone': 'Asia/Tokyo'}]", "");

        assertThat(one.saysWhenLike(other)).isTrue();
        assertThat(JobSchedule.isSame(one.definition(), other.definition(), CREATED))
                .isTrue();
        assertThat(one.saysWhenLike(another)).isFalse();
        assertThat(JobSchedule.isSame(one.definition(), another.definition(), CREATED))
                .isFalse();
        assertThat(JobSchedule.isSame(
                        parse("['0 3 * * *']", "").definition(),
                        parse("'0 3 * * *'", "").definition(),
                        CREATED))
                .isTrue();
    }

    /** What a later version says more of a line is kept, and nothing is made from it. */
    @Test
    void a_line_that_is_not_understood_is_kept_as_it_is() {
        ObjectNode later = sent("['0 3 * * *', {'schedule': '0 4 * * *', 'unless': 'x'}]", "");
        StoredDefinition read = StoredDefinition.read(KEY, later.toString(), false);

        assertThat(read.isUnderstood()).isFalse();
        assertThat(read.schedule(CREATED)).isEmpty();
        assertThat(read.json().get("schedule")).isEqualTo(later.get("schedule"));
        assertThat(StoredDefinition.read(KEY, read.text(), false)).isEqualTo(read);
    }

    @Test
    void variables_of_a_line_belong_to_it_alone() {
        JobDefinition job = parse("['0 3 * * *', {'schedule': '0 4 * * *', 'env': {'A': '1'}}]", ", 'env': {'A': '0'}")
                .definition();

        assertThat(job.schedule().lines())
                .extracting(ScheduleLines.ScheduleLine::env)
                .containsExactly(Collections.emptyMap(), Map.of("A", "1"));
        assertThat(job.env()).isEqualTo(Map.of("A", "0"));
    }
}
