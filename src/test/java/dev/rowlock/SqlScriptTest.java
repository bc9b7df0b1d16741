package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code scripts/rowlock sql} with clients of two makers, of which one cannot log in; both and Java are only pretended. */
@Timeout(60)
class SqlScriptTest {

    private static final String SETTINGS =
            "[ \"${@: -1}\" != local-settings ] || { printf '%s\\n' data=/d database=own token=file; exit; }\n";
    private static final String CANNOT = """
            [ "$1" = --version ] || { echo "ERROR 1045: Authentication plugin 'caching_sha2_password' cannot be loaded" >&2; exit 1; }
            """;
    private static final String CAN = """
            [ "$1" = --version ] || { cat "${1#--defaults-file=}"; shift; echo "$(basename "$0") $*"; }
            """;

    @TempDir
    Path home;

    private Path programs = Path.of("");

    @BeforeEach
    void install() throws IOException {
        programs = Files.createDirectories(home.resolve("programs"));
        Path scripts = Files.createDirectories(home.resolve("scripts"));
        Files.copy(Path.of("scripts", "rowlock"), scripts.resolve("rowlock"));
        script(scripts.resolve("java-options"), "echo -Xint");
        Files.createFile(Files.createDirectories(home.resolve("target")).resolve("rowlock.jar"));
        script(programs.resolve("java"), SETTINGS + "echo \"# ${@: -1}\"");
    }

    @Test
    void the_client_that_gets_in_is_taken_and_told_in_its_own_words() throws Exception {
        script(programs.resolve("mysql"), CANNOT + "echo mysql Ver 9");
        script(programs.resolve("mariadb"), CAN + "[ \"$1\" != --version ] || echo mariadb from 11.4-MariaDB");

        assertThat(sql("select 1")).contains("# mariadb\n").endsWith("mariadb --table -e select 1\n");
    }

    @Test
    void the_one_of_mysql_is_taken_if_both_get_in() throws Exception {
        script(programs.resolve("mysql"), CAN);
        script(programs.resolve("mariadb"), CAN);

        assertThat(sql("select 1")).isEqualTo("# mysql\nmysql --table -e select 1\n");
    }

    @Test
    void if_none_gets_in_for_want_of_a_plugin_it_is_said_what_to_install() throws Exception {
        script(programs.resolve("mariadb"), CANNOT + "echo mariadb from 11.4-MariaDB");
        Files.createSymbolicLink(programs.resolve("mysql"), programs.resolve("mariadb"));

        assertThat(sql("select 1")).containsOnlyOnce("caching_sha2_password").contains("mysql-client for MySQL");
    }

    @Test
    void root_gets_the_variables_that_the_unit_gives_the_node() throws Exception {
        script(programs.resolve("mysql"), CAN);
        script(programs.resolve("java"), SETTINGS + "echo \"# $ROWLOCK_DATABASE_PASSWORD, $ROWLOCK_DATABASE_USER\"");
        Files.writeString(Files.createDirectories(home.resolve("config")).resolve("rowlock.env"), """
                # the node's
                ROWLOCK_DATABASE_URL=jdbc:mysql://other/d
                ROWLOCK_DATABASE_PASSWORD="pä ss$1"
                ROWLOCK_DATABASE_USER='me'\s
                PATH=/nowhere
                """);

        assertThat(sql("select 1")).startsWith("# pä ss$1, me\n");
    }

    @Test
    void without_a_database_of_the_settings_it_is_the_embedded_one_of_their_data_directory() throws Exception {
        script(programs.resolve("java"), "printf '%s\\n' data=/no/where database=embedded");

        assertThat(sql("select 1")).startsWith("rowlock: there is no database").contains("under /no/where");
    }

    @Test
    void settings_that_are_wrong_are_told_by_the_program() throws Exception {
        script(programs.resolve("java"), "echo 'rowlock: data.dir: found 1' >&2; exit 78");

        assertThat(sql("select 1")).isEqualTo("rowlock: data.dir: found 1\n");
    }

    @Test
    void without_a_statement_the_client_reads_what_whoever_called_gives_it() throws Exception {
        script(programs.resolve("mysql"), CAN.replace("shift;", "shift; [ $# -gt 0 ] || cat;"));

        assertThat(run("select 1;\nselect 2;\n", "sql")).isEqualTo("# mysql\nselect 1;\nselect 2;\nmysql \n");
    }

    private String sql(String statement) throws IOException, InterruptedException {
        return run("", "sql", statement);
    }

    private String run(String input, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(arguments));
        line.add(0, home.resolve("scripts/rowlock").toString());
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().put("PATH", programs + ":/usr/bin:/bin");
        builder.environment().keySet().removeIf(name -> name.startsWith("ROWLOCK_"));
        builder.environment().remove("JAVA_HOME");
        builder.environment().remove("ROWLOCK_HOME");
        Process process = builder.redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        return said;
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
