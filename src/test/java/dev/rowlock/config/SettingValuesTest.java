package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The outermost values of all settings are accepted with what has to be set with them. */
class SettingValuesTest extends ConfigFixture {

    /** With no fence of any length there is time for three heartbeats before this grace. */
    private static final String NEVER = "session.fence-grace=1h";

    @BeforeEach
    void secret() throws IOException {
        Files.writeString(dir.resolve("secret"), "s\n");
    }

    @Test
    void there_are_some_of_each_setting() {
        assertThat(SettingValues.all().stream()
                        .map(SettingValues.Case::key)
                        .distinct()
                        .toList())
                .isEqualTo(Settings.all().stream().map(Setting::key).toList());
    }

    @Test
    void each_is_accepted_or_refused_with_a_sentence_that_names_a_setting_of_its_kind() {
        for (SettingValues.Case one : SettingValues.all()) {
            Map<String, String> environment = new HashMap<>(one.environment());
            environment.put("ROWLOCK_HOME", dir.toString());
            boolean embedded = !one.key().equals("database.url");
            if (one.toString().equals(NEVER)) {
                assertThatThrownBy(() -> Config.load(null, environment, embedded))
                        .as(one.toString())
                        .isInstanceOfSatisfying(
                                ConfigProblems.class,
                                e -> assertThat(e.sentences())
                                        .singleElement()
                                        .asString()
                                        .startsWith("session."));
            } else {
                assertThatCode(() -> Config.load(null, environment, embedded))
                        .as(one.toString())
                        .doesNotThrowAnyException();
                assertThat(Config.load(null, environment, embedded).warnings())
                        .as(one.toString())
                        .isEqualTo(List.of());
            }
        }
    }
}
