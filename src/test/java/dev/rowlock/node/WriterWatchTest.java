package dev.rowlock.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.cluster.Lease;
import dev.rowlock.db.Writers;
import dev.rowlock.db.Writers.WriterMode;
import dev.rowlock.support.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WriterWatchTest {

    private final Lease lease = new Lease(() -> 0, Duration.ofSeconds(20));
    private final AtomicReference<Optional<Writers>> answer = new AtomicReference<>(Optional.empty());
    private final WriterWatch watch = new WriterWatch(lease, answer::get);

    @Test
    void several_writers_behind_one_address_are_said_once_and_when_that_is_over() {
        lease.begin("s", 0, 0);
        try (LogLines log = LogLines.of(WriterWatch.class)) {
            watch.runOnce();
            assertThat(watch.hasAsked()).isFalse();

            says(new Writers(WriterMode.GALERA, List.of()));
            says(new Writers(WriterMode.GALERA, List.of()));
            assertThat(watch.problem()).get().asString().contains("Galera");
            answer.set(Optional.empty()); // away
            watch.runOnce();
            assertThat(watch.problem()).isPresent();
            says(Writers.ONE);

            assertThat(watch.problem()).isEmpty();
            assertThat(log.texts())
                    .hasSize(2)
                    .first()
                    .asString()
                    .startsWith("The database is a Galera cluster, all of whose members take writes.");
        }
    }

    @Test
    void nobody_is_asked_before_the_node_has_joined() {
        says(Writers.ONE);

        assertThat(watch.hasAsked()).isFalse();
    }

    private void says(Writers writers) {
        answer.set(Optional.of(writers));
        watch.runOnce();
    }
}
