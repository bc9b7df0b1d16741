package dev.rowlock.exec;

import static dev.rowlock.exec.HostIdentity.ProcessExistence.ALIVE;
import static dev.rowlock.exec.HostIdentity.ProcessExistence.GONE;
import static dev.rowlock.exec.HostIdentity.ProcessExistence.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.exec.process.Proc;
import dev.rowlock.exec.process.ProcFs;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessPresenceTest {

    @Test
    void what_proc_hides_is_gone_only_if_the_kernel_says_so() {
        assertThat(new ProcessPresence(shows(null), pid -> false).of(7, 100)).isEqualTo(UNKNOWN);
        assertThat(new ProcessPresence(shows(null), pid -> true).of(7, 100)).isEqualTo(GONE);
    }

    @Test
    void what_proc_shows_is_judged_by_its_start() {
        ProcFs shows = shows(new Proc(7, "java", 'S', 1, 7, 30, 100));

        assertThat(new ProcessPresence(shows, pid -> false).of(7, 100)).isEqualTo(ALIVE);
        assertThat(new ProcessPresence(shows, pid -> false).of(7, 99)).isEqualTo(GONE);
        assertThat(new ProcessPresence(shows(new Proc(7, "java", 'Z', 1, 7, 1, 100)), pid -> false).of(7, 100))
                .isEqualTo(GONE);
    }

    @Test
    void of_a_process_that_was_collected_the_kernel_says_that_it_is_gone() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        int pid = Math.toIntExact(process.pid());
        Proc proc = new ProcFs().process(pid);
        assertThat(proc).isNotNull();
        assertThat(HostIdentity.presenceOf(pid, proc.startTicks())).isEqualTo(ALIVE);
        assertThat(new ProcessPresence(shows(null), ProcessPresence.surelyGone()).of(pid, proc.startTicks()))
                .as("hidden, but there")
                .isEqualTo(UNKNOWN);

        process.destroyForcibly().waitFor();

        assertThat(HostIdentity.presenceOf(pid, proc.startTicks())).isEqualTo(GONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    proc /proc proc rw,nosuid,relatime 0 0                    | true
                    proc /proc proc rw,hidepid=0 0 0                          | true
                    proc /proc proc rw,hidepid=off 0 0                        | true
                    proc /proc proc rw,relatime,hidepid=2 0 0                 | false
                    proc /proc proc rw,hidepid=invisible 0 0                  | false
                    proc /proc proc rw,hidepid=noaccess,gid=4 0 0             | false
                    tmpfs /proc tmpfs rw 0 0                                  | false
                    sysfs /sys sysfs rw 0 0                                   | false
                    """)
    void where_the_kernel_cannot_be_asked_the_mount_says_whether_anything_may_be_hidden(String mount, boolean open) {
        assertThat(ProcessPresence.hidesNothing(List.of(mount))).isEqualTo(open);
    }

    @Test
    void the_mount_on_top_is_the_one_that_counts() {
        assertThat(ProcessPresence.hidesNothing(
                        List.of("proc /proc proc rw 0 0", "proc /proc proc rw,hidepid=invisible 0 0")))
                .isFalse();
    }

    private static ProcFs shows(@Nullable Proc proc) {
        return new ProcFs() {
            @Override
            @Nullable
            public Proc process(int pid) {
                return proc;
            }
        };
    }
}
