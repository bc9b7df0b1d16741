package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.Launcher.ProcessStarter;
import dev.rowlock.exec.output.Outflow;
import dev.rowlock.exec.process.ProcFs;
import dev.rowlock.exec.process.ProcessSignals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A host that makes no processes: what it refuses is not the commands' failure, and it is asked for nothing more. */
@ParameterizedClass
@EnumSource(names = {"POSIX_SPAWN", "PROCESS_BUILDER"})
class HostRefusedTest {

    private final AtomicReference<@Nullable String> refusal = new AtomicReference<>("cannot run bash: no room");

    @AutoClose
    final TestLauncher commands;

    HostRefusedTest(SpawnMethod method) {
        commands = new TestLauncher(
                Gate.WITHIN, new ProcessSignals(new ProcFs()), directory -> refusing(directory, method));
    }

    private ProcessStarter refusing(Path directory, SpawnMethod method) {
        Shell shell = Launcher.shell(directory, method);
        return new ProcessStarter() {
            @Override
            public void prepare() {
                shell.prepare();
            }

            @Override
            public Path gate() {
                return shell.gate();
            }

            @Override
            public void probe() throws IOException {
                ask();
                shell.probe();
            }

            @Override
            public Child start(LaunchSpec spec, long deadline, Outflow.Sink output) throws IOException {
                ask();
                return shell.start(spec, deadline, output);
            }

            private void ask() throws HostRefused {
                String why = refusal.get();
                if (why != null) {
                    throw new HostRefused(why);
                }
            }
        };
    }

    @Test
    void after_three_in_a_row_nothing_can_be_made_until_an_attempt_succeeds() {
        for (int i = 0; i < 3; i++) {
            assertThat(commands.launcher.spawnProblem()).isEmpty();
            Ended ended = commands.run("touch ran");
            assertThat(ended.kind()).isEqualTo(ExitKind.HOST_REFUSED);
            assertThat(ended.note()).isEqualTo("cannot run bash: no room");
        }
        assertThat(commands.launcher.spawnProblem())
                .contains("no process can be made on this host: cannot run bash: no room");

        refusal.set(null);
        TestLauncher.await("an attempt", () -> commands.launcher.spawnProblem().isEmpty());
        assertThat(commands.run("exit 3").exitCode()).isEqualTo(3);
        assertThat(commands.directory.resolve("ran")).doesNotExist();
    }

    @Test
    void one_that_succeeds_between_them_begins_the_count_anew() {
        for (int i = 0; i < 4; i++) {
            refusal.set("once");
            commands.run("true");
            refusal.set(null);
            assertThat(commands.run("true").kind()).isEqualTo(ExitKind.EXITED);
        }
        assertThat(commands.launcher.spawnProblem()).isEmpty();
    }

    @Test
    void a_command_that_is_too_long_is_refused_for_its_own_sake() {
        refusal.set(null);
        for (int i = 0; i < 3; i++) {
            assertThat(commands.run("echo " + "x".repeat(200_000)).kind()).isEqualTo(ExitKind.NOT_STARTED);
        }
        assertThat(commands.launcher.spawnProblem()).isEmpty();
    }
}
