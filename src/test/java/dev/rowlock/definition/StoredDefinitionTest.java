package dev.rowlock.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.field.InvalidDefinition;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredDefinitionTest {

    private static final JobKey KEY = new JobKey("default", "j");

    @Test
    void a_definition_without_a_schedule_has_none() {
        StoredDefinition stored = StoredDefinition.read(new JobKey("default", "j"), "{}", false);

        assertThat(stored.isUnderstood()).isFalse();
        assertThat(stored.schedule(Instant.EPOCH)).isEmpty();
    }

    @Test
    void an_unknown_field_and_an_unknown_word_are_kept_and_written_back() {
        StoredDefinition read = read("\"calendar\": {\"not\": [1, 2.5]}, \"overlap\": \"SHUFFLE\"");

        assertThat(read.isUnderstood()).isFalse();
        assertThat(read.problem()).contains("calendar: ").contains("overlap: 'SHUFFLE'");
        assertThat(read.definition().command()).hasToString("true");
        assertThat(StoredDefinition.read(KEY, read.text(), false)).isEqualTo(read);
        assertThat(read.text())
                .contains("{\"not\":[1,2.5]}")
                .contains("SHUFFLE")
                .doesNotContain("paused");
    }

    /** Nodes of a version that does not know the field leave a job to others that has it, and only such a job. */
    @Test
    void what_names_no_secret_is_stored_without_the_field_and_what_names_another_kind_is_not_understood() {
        assertThat(read("\"secretEnv\": {}").text()).doesNotContain("secretEnv");
        assertThat(read("\"secretEnv\": {\"PW\": \"db\"}").text()).contains("\"secretEnv\":{\"PW\":\"db\"}");
        assertThat(read("\"secretEnv\": {\"PW\": \"db\"}").isUnderstood()).isTrue();
        assertThat(read("\"secretEnv\": {\"PW\": \"vault:kv/db\"}").isUnderstood())
                .isFalse();
        assertThat(read("\"secretEnv\": {\"PW\": \"vault:kv/db\"}").text()).contains("vault:kv/db");
    }

    @Test
    void an_unknown_field_that_is_null_means_nothing() {
        assertThat(read("\"calendar\": null").isUnderstood()).isTrue();
    }

    @Test
    void a_change_of_something_else_keeps_what_is_not_understood() {
        StoredDefinition read = read("\"calendar\": 1, \"overlap\": \"SHUFFLE\", \"overlapLimit\": 3");
        ObjectNode sent = read.json();
        sent.put("command", "false");

        StoredDefinition changed = read.changedTo(sent);

        assertThat(changed.definition().command()).hasToString("false");
        assertThat(changed.foreign()).isEqualTo(read.foreign());
        assertThat(changed.problems()).isEqualTo(read.problems());
        assertThat(changed.saysWhenLike(read)).isTrue();
    }

    @Test
    void a_change_may_take_it_away_but_not_replace_it_by_something_else_unknown() {
        StoredDefinition read = read("\"calendar\": 1");
        ObjectNode without = read.json();
        without.remove("calendar");
        ObjectNode other = read.json().put("calendar", 2);

        assertThat(read.changedTo(without).isUnderstood()).isTrue();
        assertThatThrownBy(() -> read.changedTo(other))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("calendar");
    }

    @Test
    void what_is_kept_lets_nothing_else_unknown_through() {
        StoredDefinition read = read("\"calendar\": 1");
        ObjectNode sent = read.json().put("calendar.days", 2);

        assertThatThrownBy(() -> read.changedTo(sent))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessageContaining("calendar.days: is not a field of a job");
    }

    /** Rules of how fields go together may become stricter; what was accepted before goes on. */
    @Test
    void what_makes_no_sense_together_is_refused_when_sent_and_taken_as_it_is_when_stored() {
        StoredDefinition read = read("\"startAt\": \"2026-01-02T00:00:00Z\", \"endAt\": \"2026-01-01T00:00:00Z\"");

        assertThat(read.isUnderstood()).isTrue();
        assertThat(read.schedule(Instant.EPOCH).orElseThrow().nextAfter(Instant.EPOCH))
                .isEmpty();
        assertThatThrownBy(() -> StoredDefinition.parse(read.json()))
                .isInstanceOf(InvalidDefinition.class)
                .hasMessage("endAt: must be later than startAt");
    }

    @Test
    void fire_times_are_told_only_by_what_is_understood() {
        assertThat(read("\"overlap\": \"SHUFFLE\"").schedule(Instant.EPOCH)).isPresent();
        assertThat(read("\"zone\": \"Mars/Olympus\"").schedule(Instant.EPOCH)).isEmpty();
        assertThat(read("\"schedule\": \"at dawn\"").schedule(Instant.EPOCH)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[]", "1", "null", "{", "{}", "{\"command\": {}, \"env\": 1, \"labels\": [], \"timeout\": -1}"})
    void whatever_is_stored_is_read(String text) {
        StoredDefinition read = StoredDefinition.read(KEY, text, true);

        assertThat(read.isUnderstood()).isFalse();
        assertThat(read.definition().key()).isEqualTo(KEY);
        assertThat(read.definition().paused()).isTrue();
    }

    private static StoredDefinition read(String more) {
        String former = "{\"command\": \"true\", \"schedule\": \"* * * * *\", " + more + "}";
        return StoredDefinition.read(KEY, former, false);
    }
}
