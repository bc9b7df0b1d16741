package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.db.embedded.EmbeddedDatabase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowlock database} as it is typed: what it says, and its exit codes. */
class EmbeddedCommandsTest {

    @TempDir
    Path home;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int database(Path data, String... words) {
        out.reset();
        err.reset();
        List<String> line = new ArrayList<>(List.of("database"));
        line.addAll(List.of(words));
        return Main.run(
                line,
                Map.of("ROWLOCK_HOME", home.toString(), "ROWLOCK_DATA_DIR", data.toString()),
                new PrintStream(out, true),
                new PrintStream(err, true));
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String complained() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void where_there_is_none_it_is_said_and_none_is_made() {
        Path data = home.resolve("data");
        for (String command : List.of("status", "stop", "dump")) {
            assertThat(database(data, command)).isEqualTo(ExitCode.UNAVAILABLE);
            assertThat(complained())
                    .isEqualTo("rowlock database " + command + ": there is no embedded database under "
                            + data.resolve("mariadb") + " (data.dir, ROWLOCK_DATA_DIR)\n");
        }
        assertThat(data).doesNotExist();
    }

    /** Root makes none that the user of the node could not use. */
    @Test
    void a_dump_is_loaded_by_the_user_of_the_node_alone() throws Exception {
        assumeTrue(Files.getAttribute(home, "unix:uid").equals(0), "only root can give a directory away");
        Path data = home.resolve("data");
        Files.setAttribute(Files.createDirectories(data.resolve("nodes")), "unix:uid", 65534);
        Path file = Files.writeString(home.resolve("rowlock.sql"), "-- Dump completed\n");

        assertThat(database(data, "load", file.toString())).isEqualTo(ExitCode.FAILED);

        assertThat(complained()).contains("the node of " + data + " runs as nobody: run this as that user");
        assertThat(data.resolve("mariadb")).doesNotExist();
    }

    @Test
    void a_dump_goes_to_a_file_of_its_owner_or_to_standard_output_and_loads_elsewhere() throws Exception {
        Path data = home.resolve("data");
        Path file = home.resolve("rowlock.sql");
        EmbeddedDatabase.start(data.resolve("mariadb")).close();

        assertThat(database(data, "status")).isZero();
        assertThat(said()).contains("server            does not run\n", "used by           nobody\n");
        assertThat(database(data, "dump")).isZero();
        assertThat(said()).endsWith("\n").contains("-- Dump completed");
        assertThat(complained()).isEmpty();
        assertThat(database(data, "dump", file.toString())).isZero();
        assertThat(complained()).startsWith("The embedded database is dumped to " + file + ", ");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).contains("-- Dump completed");
        assertThat(home.resolve("rowlock.sql.new")).doesNotExist();
        assertThat(database(data, "dump", home.resolve("none/x.sql").toString()))
                .isEqualTo(ExitCode.FAILED);
        assertThat(complained())
                .endsWith("cannot be read or written: " + home.resolve("none/x.sql.new") + ": there is no such file\n");
        assertThat(database(data, "stop")).isZero();
        assertThat(said()).endsWith(" does not run\n");

        assertThat(database(home.resolve("other"), "load", file.toString())).isZero();
        assertThat(complained()).endsWith("; start the nodes\n");
        assertThat(database(data, "load", home.resolve("none.sql").toString())).isEqualTo(ExitCode.FAILED);
        assertThat(complained()).endsWith("none.sql cannot be read\n");
    }
}
