package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import dev.rowlock.support.HungDirectory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Words about commands that have not begun, however their processes are made. */
class StartProblemTest {

    @Test
    void people_are_told_what_does_not_answer() throws Exception {
        try (TestLauncher slow = launcher();
                HungDirectory dead = HungDirectory.mount()) {
            LaunchSpec spec = TestLauncher.in(dead.path(), slow.spec("true"));
            slow.launcher.start(spec);

            TestLauncher.await(
                    "the directory to be named",
                    () -> slow.launcher.startProblem().isPresent());
            assertThat(slow.launcher.startProblem())
                    .contains("1 command has not begun: " + spec.launchId() + ": its working directory " + dead.path()
                            + " does not answer");
            assertThat(slow.launcher.spawnProblem()).isEmpty();
            slow.launcher.kill(spec.launchId(), StopCause.REQUEST);
            slow.nextEnded();
            TestLauncher.await(
                    "the problem to be over", () -> slow.launcher.startProblem().isEmpty());
        }
    }

    @Test
    void others_are_spoken_of_only_if_there_are_more_than_are_named() throws Exception {
        try (TestLauncher slow = launcher();
                HungDirectory dead = HungDirectory.mount()) {
            for (int i = 0; i < 5; i++) {
                slow.launcher.start(TestLauncher.in(dead.path(), slow.spec("true")));
            }
            TestLauncher.await(
                    "five to be counted",
                    () -> slow.launcher.startProblem().orElse("").startsWith("5 commands have not begun"));
            assertThat(slow.launcher.startProblem().orElseThrow()).doesNotContain("and others");
            slow.launcher.start(TestLauncher.in(dead.path(), slow.spec("true")));
            TestLauncher.await(
                    "the sixth to be one of the others",
                    () -> slow.launcher.startProblem().orElse("").endsWith("; and others"));
        }
    }

    private static TestLauncher launcher() {
        return new TestLauncher(SpawnMethod.AUTO, Duration.ofSeconds(60), new ProcessSignals(new ProcFs()));
    }
}
