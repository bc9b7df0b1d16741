package dev.rowlock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.rowlock.faults.Trial.Result;
import dev.rowlock.faults.Trial.Step;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag(Lane.TAG)
@Tag("slow")
class TrialTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    @Test
    void classes_run_one_after_another_until_one_fails() throws Exception {
        Result result =
                run(LONG, step(Lane.FAST, Right.class), step(Lane.FAST, Wrong.class), step(Lane.FAST, Right.class));

        assertThat(result.done()).isEqualTo(1);
        assertThat(result.test()).isEqualTo("is_wrong");
        assertThat(result.why()).contains("as it was planted");
    }

    @Test
    void a_lane_runs_its_own_tests_only() throws Exception {
        assertThat(run(LONG, step(Lane.FAST, WrongIfSlow.class)).isCaught()).isFalse();
        assertThat(run(LONG, step(Lane.SLOW, WrongIfSlow.class)).test()).isEqualTo("is_wrong_in_the_slow_lane");
    }

    @Test
    void a_class_that_hangs_is_caught_and_what_it_started_is_killed() throws Exception {
        Step hanging = new Step(Lane.FAST, Hanging.class.getName(), Duration.ofSeconds(20));

        Result result = run(LONG, hanging);

        assertThat(result.why()).isEqualTo("did not end within 20 s");
        long pid =
                Long.parseLong(Files.readString(directory.resolve("output.txt")).strip());
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    void when_the_time_is_over_nothing_is_caught() throws Exception {
        Result result = run(Duration.ofSeconds(2), step(Lane.FAST, Hanging.class));

        assertThat(result.late()).isTrue();
        assertThat(result.isCaught()).isFalse();
    }

    @Test
    void a_jvm_that_ends_before_its_tests_do_is_caught() throws Exception {
        assertThat(run(LONG, step(Lane.FAST, Ending.class)).why()).isEqualTo("ended with code 3");
    }

    private Result run(Duration limit, Step... steps) throws IOException, InterruptedException {
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .toList();
        return new Trial(Path.of("").toAbsolutePath(), classPath, directory).run(List.of(steps), limit);
    }

    private static Step step(Lane lane, Class<?> type) {
        return new Step(lane, type.getName(), LONG);
    }

    /** Passes. */
    static final class Right {

        @Test
        void is_right() {
            assertThat(Lane.of("fast")).isEqualTo(Lane.FAST);
        }
    }

    /** Fails. */
    static final class Wrong {

        @Test
        void is_wrong() {
            fail("as it was planted");
        }
    }

    /** Fails in one lane. */
    static final class WrongIfSlow {

        @Test
        void is_right() {
            assertThat(Lane.of("fast")).isEqualTo(Lane.FAST);
        }

        @Test
        @Tag(Lane.TAG)
        void is_wrong_in_the_slow_lane() {
            fail("as it was planted");
        }
    }

    /** Starts a process, and waits for ever. */
    static final class Hanging {

        @Test
        void never_ends() throws Exception {
            Process process = new ProcessBuilder("sleep", "600").start();
            System.out.println(process.pid());
            new CountDownLatch(1).await();
        }
    }

    /** Ends its JVM. */
    static final class Ending {

        @Test
        void ends_all() {
            Runtime.getRuntime().halt(3);
        }
    }
}
