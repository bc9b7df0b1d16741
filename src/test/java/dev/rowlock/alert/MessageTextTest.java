package dev.rowlock.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.alert.MessagePart.PartKind;
import dev.rowlock.definition.JobKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageTextTest {

    private static final Instant AT = Instant.parse("2026-12-01T03:00:07.250Z");

    @Test
    void a_failure_says_what_happened_and_what_to_do() {
        ObjectNode detail = JsonNodeFactory.instance
                .objectNode()
                .put("outcome", "FAILED")
                .put("reason", "exit code 2")
                .put("fireTime", "2026-12-01T03:00:00.000Z")
                .put("exitCode", 2)
                .put("streak", 2);
        MessagePart part = new MessagePart(
                PartKind.RAISED, job(AlertCondition.FAILED_IN_A_ROW, detail, null), List.of("dumping", "disk full"));
        MessageText text = new MessageText(List.of(part), 1, "https://rowlock.example.com");
        assertThat(text.subject()).isEqualTo("db/backup failed 2 times in a row");
        assertThat(text.body()).isEqualTo("""
                db/backup failed 2 times in a row
                  When: 2026-12-01 03:00:07 UTC
                  Fire time: 2026-12-01 03:00:00 UTC
                  Node: db-1
                  Reason: exit code 2
                  Output, its end:
                    dumping
                    disk full
                  See: https://rowlock.example.com/#/tasks/123
                  Rule: nightly
                  What to do: read the output (rowlock task logs 123, or GET /api/v1/tasks/123/output), mend the cause, run it again (rowlock job run db/backup, or POST /api/v1/jobs/db/backup/run)
                """);
    }

    @Test
    void a_recovery_says_what_is_over() {
        ObjectNode detail = JsonNodeFactory.instance
                .objectNode()
                .put("outcome", "TIMED_OUT")
                .put("reason", "too long")
                .put("fireTime", "2026-12-01T03:00:00.000Z");
        detail.putObject("recovered")
                .put("task", 125)
                .put("at", "2026-12-01T03:59:59.000Z")
                .put("failures", 2);
        MessagePart part = new MessagePart(
                PartKind.RECOVERED, job(AlertCondition.FAILED, detail, AT.plusSeconds(3600)), List.of());
        MessageText text = new MessageText(List.of(part), 1, "https://rowlock.example.com");
        assertThat(text.subject()).isEqualTo("db/backup recovered");
        assertThat(text.body()).isEqualTo("""
                db/backup recovered
                  When: 2026-12-01 03:59:59 UTC
                  Succeeded: task 125, after 2 failures in a row
                  Told of: timed out, 2026-12-01 03:00:07 UTC
                  See: https://rowlock.example.com/#/tasks/125
                  Rule: nightly
                """);
    }

    @Test
    void a_test_of_a_channel_names_no_job() {
        ObjectNode test = MessageJson.test("Test of channel ops", "Nothing has failed.", AT);
        assertThat(test.path("type").asText()).isEqualTo("test");
        assertThat(test.at("/data/subject").asText()).isEqualTo("Test of channel ops");
        assertThat(test.at("/data/text").asText()).isEqualTo("Nothing has failed.");
        assertThat(test.at("/data/alerts")).isEmpty();
        assertThat(test.toString()).doesNotContain("failed with", "/api/v1");
    }

    @Test
    void many_are_counted_and_the_first_are_named() {
        MessagePart part = new MessagePart(
                PartKind.RAISED, job(AlertCondition.FAILED, JsonNodeFactory.instance.objectNode(), null), List.of());
        MessageText text = new MessageText(List.of(part, part), 1234, null);
        assertThat(text.subject()).isEqualTo("1,234 failed: db/backup, …");
        assertThat(text.body()).endsWith("… and 1,232 more: rowlock alert list, or GET /api/v1/alerts\n");
        assertThat(MessageJson.of(text, List.of(part, part), 1234, AT)
                        .path("type")
                        .asText())
                .isEqualTo("alerts");
    }

    private static RaisedAlert job(AlertCondition condition, ObjectNode detail, @Nullable Instant closedAt) {
        return new RaisedAlert(
                1,
                "nightly",
                condition,
                "job:7",
                7L,
                new JobKey("db", "backup"),
                Map.of(),
                123L,
                "db-1",
                detail,
                AT,
                AT,
                closedAt,
                closedAt == null ? null : "RECOVERED",
                "WAITING");
    }
}
