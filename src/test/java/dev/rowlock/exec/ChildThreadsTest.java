package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rowlock.exec.Spawner.SpawnedProcess;
import dev.rowlock.exec.output.Outflow;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChildThreadsTest {

    private static final Spawner.Program PROGRAM =
            new Spawner.Program(List.of("/bin/true"), Map.of(), new File("/dev/null"), bytes -> {});

    private final ChildThreads threads = new ChildThreads();

    /** Else its command would hold its slot for ever. */
    @Test
    void an_end_that_cannot_be_awaited_is_told_without_an_exit_code() throws Exception {
        Child child = threads.spawn(made(new OutOfMemoryError("no room")), PROGRAM);

        assertThat(child.pid()).isEqualTo(4711);
        assertThat(child.exit().get(10, TimeUnit.SECONDS)).isEqualTo(-1);
    }

    @Test
    void a_process_that_cannot_be_made_is_none() {
        Spawner refusing = spawner(program -> {
            throw new IOException("no such program");
        });

        assertThatThrownBy(() -> threads.spawn(refusing, PROGRAM))
                .isInstanceOf(IOException.class)
                .hasMessage("no such program");
    }

    private interface Maker {
        SpawnedProcess make(Spawner.Program program) throws IOException;
    }

    private static Spawner made(Error whenAwaited) {
        return spawner(program -> new SpawnedProcess() {
            @Override
            public int pid() {
                return 4711;
            }

            @Override
            public int await() {
                throw whenAwaited;
            }

            @Override
            public Outflow outflow() {
                return Outflow.NONE;
            }
        });
    }

    private static Spawner spawner(Maker maker) {
        return new Spawner() {
            @Override
            public SpawnedProcess make(Program program) throws IOException {
                return maker.make(program);
            }

            @Override
            public boolean canPass(String text) {
                return true;
            }
        };
    }
}
