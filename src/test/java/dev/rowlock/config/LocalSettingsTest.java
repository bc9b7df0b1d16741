package dev.rowlock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts and commands find the node of this machine by the settings that it was started with. */
class LocalSettingsTest extends ConfigFixture {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                             |             | data  | http://127.0.0.1:7575 | false
            {http: {port: 18123}, data.dir: other}         |             | other | http://127.0.0.1:18123 | false
            {http: {port: 18123, host: '::'}}              |             | data  | http://[::1]:18123    | false
            {http: {host: 0.0.0.0}}                        | HTTP_PORT=9 | data  | http://127.0.0.1:9    | false
            {http: {tls: {certificate: a, key: b}}}        |             | data  | https://127.0.0.1:7575 | false
            {data: {dir: other}}                           | DATA_DIR=x  | x     | http://127.0.0.1:7575 | false
            {database: {pool-size: 3, url: 'jdbc:mysql:'}} |             | data  | http://127.0.0.1:7575 | true
            {database: {}, ping: {url: x}}                 |             | data  | http://127.0.0.1:7575 | false
            {}                                             | DATABASE_URL=x | data | http://127.0.0.1:7575 | true
            {node: {capacity: none}, nonsense: 1}          |             | data  | http://127.0.0.1:7575 | false
            """)
    void they_are_read_as_a_node_reads_them(
            String yaml, @Nullable String variable, String data, String url, boolean ownDatabase) throws IOException {
        Map<String, String> environment = environment(yaml);
        if (variable != null) {
            int equals = variable.indexOf('=');
            environment.put("ROWLOCK_" + variable.substring(0, equals), variable.substring(equals + 1));
        }

        assertThat(LocalSettings.load(null, environment))
                .isEqualTo(new LocalSettings(dir.resolve(data), url, null, ownDatabase))
                .isEqualTo(LocalSettings.loadReadable(environment));
    }

    @Test
    void what_is_wrong_with_these_is_said_and_nothing_else() throws IOException {
        assertThatThrownBy(() -> LocalSettings.load(null, environment("{http: {port: x, prot: 1}}")))
                .isInstanceOfSatisfying(
                        ConfigProblems.class,
                        e -> assertThat(e.sentences())
                                .singleElement()
                                .asString()
                                .startsWith("http.port: found 'x'"));
        assertThatThrownBy(() -> LocalSettings.load(null, environment("{http: ")))
                .isInstanceOf(ConfigProblems.class)
                .hasMessageContaining("rowlock.yaml:1:");
        Map<String, String> nowhere = environment("{}");
        assertThatThrownBy(() -> LocalSettings.load(dir.resolve("none.yaml"), nowhere))
                .isInstanceOf(ConfigProblems.class)
                .hasMessageContaining("there is no file");
    }

    @Test
    void a_file_that_begins_with_a_byte_order_mark_is_read() throws IOException {
        assertThat(LocalSettings.load(null, environment("\uFEFFhttp: {port: 9}\n"))
                        .url())
                .isEqualTo("http://127.0.0.1:9");
    }

    private Map<String, String> environment(String yaml) throws IOException {
        Path config = Files.createDirectories(dir.resolve("config"));
        Files.writeString(config.resolve("rowlock.yaml"), yaml);
        return new HashMap<>(Map.of("ROWLOCK_HOME", dir.toString()));
    }
}
