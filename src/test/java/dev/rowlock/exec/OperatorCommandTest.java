package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.nodes.Until;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands by which messages go out. */
@Timeout(60)
class OperatorCommandTest {

    private static final byte[] INPUT = "{}".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path dir;

    @Test
    void one_that_takes_too_long_is_killed_with_what_it_started() throws Exception {
        Path pids = dir.resolve("pids");
        String command = "sleep 300 & echo $! $$ > " + pids + "; sleep 300";

        assertThat(new OperatorCommand(dir.resolve("work")).run(command, Map.of(), INPUT, Duration.ofSeconds(2)))
                .isEqualTo(-1);

        for (String pid : Files.readString(pids).strip().split(" ", -1)) {
            Until.holds(Duration.ofSeconds(20), "the end of " + pid, () -> isGone(Long.parseLong(pid)));
        }
        try (var left = Files.list(dir.resolve("work"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void what_one_leaves_in_the_background_ends_with_it() throws Exception {
        Path pids = dir.resolve("pids");
        String command = "(sleep 300 & echo $! > " + pids + "); exit 3";

        assertThat(new OperatorCommand(dir.resolve("work")).run(command, Map.of(), INPUT, Duration.ofSeconds(60)))
                .isEqualTo(3);

        long left = Long.parseLong(Files.readString(pids).strip());
        Until.holds(Duration.ofSeconds(20), "the end of " + left, () -> isGone(left));
    }

    private static boolean isGone(long pid) {
        return ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true);
    }

    /** The daemon's may hold the password of the database. */
    @Test
    void it_gets_nothing_of_the_daemon_s_environment() throws Exception {
        Path out = dir.resolve("out");
        String command = "env | cut -d= -f1 | sort > " + out;

        assertThat(new OperatorCommand(dir.resolve("work"))
                        .run(command, Map.of("ROWLOCK_ALERT_ID", "msg_1"), INPUT, Duration.ofSeconds(30)))
                .isZero();

        assertThat(Files.readAllLines(out))
                .containsAll(List.of("ROWLOCK_ALERT_ID", "PATH"))
                .isSubsetOf("HOME", "LANG", "OLDPWD", "PATH", "PWD", "ROWLOCK_ALERT_ID", "SHLVL", "_");
    }
}
