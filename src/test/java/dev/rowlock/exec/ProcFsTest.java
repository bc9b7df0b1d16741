package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcFsTest {

    private static final int OURSELVES = Math.toIntExact(ProcessHandle.current().pid());

    private final AtomicLong nanos = new AtomicLong();
    private final ProcFs procFs = new ProcFs(nanos::get);
    private Process child;

    @BeforeEach
    void begin() throws IOException {
        child = new ProcessBuilder("sleep", "60").start();
    }

    @AfterEach
    void end() throws InterruptedException {
        child.destroyForcibly().waitFor();
    }

    @Test
    void what_is_older_is_left_out_and_what_is_not_is_found() {
        long born = proc(child).startTicks();

        assertThat(pids(born)).contains(pid(child)).doesNotContain(OURSELVES);
        assertThat(pids(born)).contains(pid(child)).doesNotContain(OURSELVES);
    }

    @Test
    void what_is_asked_for_from_an_earlier_time_on_is_found_at_once() {
        long born = proc(child).startTicks();
        long ours = new ProcFs().process(OURSELVES).startTicks();
        pids(born);

        assertThat(pids(ours)).contains(pid(child), OURSELVES);
    }

    @Test
    void what_has_come_since_the_last_look_is_found() throws Exception {
        long born = proc(child).startTicks();
        pids(born);

        Process later = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(pids(born)).contains(pid(child), pid(later));
        } finally {
            later.destroyForcibly().waitFor();
        }
    }

    @Test
    void what_was_read_counts_for_a_second_only() {
        long born = proc(child).startTicks();
        pids(new ProcFs().process(OURSELVES).startTicks());
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
        assertThat(pids(born)).contains(OURSELVES);

        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(pids(born)).contains(pid(child)).doesNotContain(OURSELVES);
    }

    private List<Integer> pids(long bornTicks) {
        return procFs.processesSince(bornTicks).stream().map(Proc::pid).toList();
    }

    private static Proc proc(Process process) {
        return new ProcFs().process(pid(process));
    }

    private static int pid(Process process) {
        return Math.toIntExact(process.pid());
    }
}
