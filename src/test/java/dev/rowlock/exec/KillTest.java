package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class KillTest {

    @AutoClose
    final TestLauncher commands;

    KillTest(SpawnMethod method) {
        commands = new TestLauncher(method);
    }

    @Test
    void a_command_that_takes_too_long_is_told_to_end() {
        Ended ended = commands.run(
                TestLauncher.with(commands.spec("sleep 60"), Map.of(), Duration.ofMillis(200), Duration.ofSeconds(10)));

        assertThat(ended.stopped()).isEqualTo(StopCause.TIMEOUT);
        assertThat(ended.signal()).isEqualTo(15);
        assertThat(millis(ended)).isBetween(200L, 5000L);
    }

    @Test
    void a_command_may_tidy_up_at_term_and_is_still_recorded_as_stopped() {
        LaunchSpec spec = commands.spec("trap 'echo tidy; exit 0' TERM; echo $$ >pid; while :; do sleep 0.05; done");
        commands.launcher.start(TestLauncher.with(spec, Map.of(), null, Duration.ofSeconds(10)));
        commands.awaitFile("pid");

        assertThat(commands.launcher.kill(spec.launchId(), StopCause.REQUEST)).isTrue();
        Ended ended = commands.nextEnded();
        assertThat(ended.stopped()).isEqualTo(StopCause.REQUEST);
        assertThat(ended.exitCode()).isZero();
        assertThat(commands.text(ended.launchId())).contains("tidy");
    }

    @Test
    void a_command_that_ignores_term_dies_by_kill_after_its_grace() {
        LaunchSpec spec = commands.start("trap '' TERM; echo $$ >pid; while :; do sleep 60; done");
        String pid = commands.awaitFile("pid");

        long asked = System.nanoTime();
        commands.launcher.kill(spec.launchId(), StopCause.REQUEST);
        Ended ended = commands.nextEnded();
        assertThat(ended.signal()).isEqualTo(9);
        assertThat(ended.stopped()).isEqualTo(StopCause.REQUEST);
        assertThat(Duration.ofNanos(ended.endedNanos() - asked))
                .isBetween(Duration.ofMillis(295), Duration.ofSeconds(3)); // the grace is 300 ms of whole milliseconds
        assertThat(TestLauncher.isAlive(pid)).isFalse();
    }

    /** Who finds that nothing runs, such as a node that joins again, must find the results of all that ran. */
    @Test
    void what_has_ended_counts_as_running_until_its_end_was_told() {
        commands.launcher.start(commands.spec("exit 3"));

        assertThat(commands.nextEnded().exitCode()).isEqualTo(3);
        assertThat(commands.runningWhenTold).containsExactly(1);
        TestLauncher.await("nothing to run", () -> commands.launcher.running() == 0);
    }

    /** Whoever asks for the end of a command that its node is ending anyway does not want another node to run it again. */
    @Test
    void a_request_counts_for_more_than_the_stop_of_the_node_that_came_before_it() {
        LaunchSpec spec = commands.spec("trap 'echo asked >asked' TERM; echo $$ >pid; while :; do sleep 0.05; done");
        commands.launcher.start(TestLauncher.with(spec, Map.of(), null, Duration.ofSeconds(10)));
        commands.awaitFile("pid");

        commands.launcher.killAll(StopCause.SHUTDOWN, Duration.ofSeconds(10));
        commands.awaitFile("asked");
        commands.launcher.kill(spec.launchId(), StopCause.REQUEST);
        commands.launcher.killAll(StopCause.SHUTDOWN, Duration.ZERO);

        assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.REQUEST);
    }

    @Test
    void the_stop_of_a_node_changes_nothing_for_what_was_to_end_before_it() {
        LaunchSpec spec = commands.spec("trap 'echo asked >asked' TERM; echo $$ >pid; while :; do sleep 0.05; done");
        commands.launcher.start(TestLauncher.with(spec, Map.of(), null, Duration.ofSeconds(10)));
        commands.awaitFile("pid");

        commands.launcher.kill(spec.launchId(), StopCause.REQUEST);
        commands.awaitFile("asked");
        commands.launcher.killAll(StopCause.SHUTDOWN, Duration.ZERO);

        assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.REQUEST);
    }

    @Test
    void nothing_that_runs_no_more_can_be_killed() {
        Ended ended = commands.run("true");
        TestLauncher.await("nothing to run", () -> commands.launcher.running() == 0);

        assertThat(commands.launcher.kill(ended.launchId(), StopCause.REQUEST)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 61 & echo $! >pid; wait",
                "setsid bash -c 'echo $$ >pid; sleep 61' & wait",
                "nohup sleep 61 >/dev/null 2>&1 & echo $! >pid; wait",
                "(setsid bash -c '(trap \"\" TERM; echo $BASHPID >pid; sleep 61) & exit' &) ; sleep 61",
                "env -i bash -c 'echo $$ >pid; sleep 61' & wait",
                "setsid env -i bash -c 'echo $$ >pid; sleep 61; :' & wait",
                "bash -c 'kill -STOP $$' & echo $! >pid; wait",
            })
    void everything_a_command_started_is_killed_with_it(String command) {
        LaunchSpec spec = commands.start(command);
        String pid = commands.awaitFile("pid");

        commands.launcher.kill(spec.launchId(), StopCause.REQUEST);
        Ended ended = commands.nextEnded();
        assertThat(ended.stopped()).isEqualTo(StopCause.REQUEST);
        assertThat(TestLauncher.isAlive(pid)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sleep 61 & echo $! >pid; exit 4",
                "nohup setsid bash -c 'echo $$ >pid; trap \"\" TERM; sleep 61; sleep 61' >/dev/null 2>&1 & "
                        + "until [ -s pid ]; do sleep 0.02; done; exit 4",
                "env -i bash -c 'echo $$ >pid; sleep 61; :' & until [ -s pid ]; do sleep 0.02; done; exit 4",
            })
    void what_a_command_leaves_behind_is_killed_and_changes_nothing_of_its_outcome(String command) {
        Ended ended = commands.run(command);

        assertThat(ended.exitCode()).isEqualTo(4);
        assertThat(ended.stopped()).isNull();
        assertThat(ended.note()).startsWith("left behind and killed: ");
        assertThat(TestLauncher.isAlive(commands.awaitFile("pid"))).isFalse();
    }

    @Test
    void a_child_without_any_mark_is_known_if_it_was_seen_in_time() {
        LaunchSpec spec = commands.start(
                "env -i setsid bash -c 'echo $$ >pid; sleep 61; :' & until [ -e go ]; do sleep 0.05; done; kill -9 $$");
        String pid = commands.awaitFile("pid");
        long seen = System.nanoTime() + 2 * CommandWatch.SCAN_EVERY;
        TestLauncher.await("two looks", () -> System.nanoTime() > seen);
        assertThat(commands.directory.resolve("go").toFile().mkdir()).isTrue();

        Ended ended = commands.nextEnded();
        assertThat(ended.launchId()).isEqualTo(spec.launchId());
        assertThat(ended.signal()).isEqualTo(9);
        assertThat(TestLauncher.isAlive(pid)).isFalse();
    }

    @Test
    void the_fence_ends_all_commands_within_its_grace() {
        for (int i = 0; i < 20; i++) {
            LaunchSpec spec = commands.spec("trap '' TERM; echo $$ >pid" + i + "; while :; do sleep 60; done");
            commands.launcher.start(TestLauncher.with(spec, Map.of(), null, Duration.ofSeconds(60)));
        }
        for (int i = 0; i < 20; i++) {
            commands.awaitFile("pid" + i);
        }

        long asked = System.nanoTime();
        commands.launcher.killAll(StopCause.FENCE, Duration.ofMillis(500));
        for (int i = 0; i < 20; i++) {
            assertThat(commands.nextEnded().stopped()).isEqualTo(StopCause.FENCE);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - asked))
                .isBetween(Duration.ofMillis(500), Duration.ofSeconds(3));
    }

    @Test
    void a_stop_of_all_leaves_each_its_own_grace_but_no_more_than_the_most() {
        LaunchSpec brief = commands.start("trap '' TERM; echo $$ >pid0; while :; do sleep 60; done");
        LaunchSpec patient = commands.spec("trap '' TERM; echo $$ >pid1; while :; do sleep 60; done");
        commands.launcher.start(TestLauncher.with(patient, Map.of(), null, Duration.ofSeconds(60)));
        commands.awaitFile("pid0");
        commands.awaitFile("pid1");

        long asked = System.nanoTime();
        commands.launcher.killAll(StopCause.SHUTDOWN, Duration.ofSeconds(3));
        Ended first = commands.nextEnded();
        Ended second = commands.nextEnded();

        assertThat(first.launchId()).isEqualTo(brief.launchId());
        assertThat(Duration.ofNanos(first.endedNanos() - asked))
                .isBetween(Duration.ofMillis(300), Duration.ofMillis(2900));
        assertThat(second.launchId()).isEqualTo(patient.launchId());
        assertThat(Duration.ofNanos(second.endedNanos() - asked)).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
    }

    private static long millis(Ended ended) {
        return Duration.ofNanos(ended.endedNanos() - ended.startedNanos()).toMillis();
    }
}
