package dev.rowlock.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.Rows;
import dev.rowlock.support.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A short attack on a node; {@code scripts/fuzz} makes a long one. */
@Tag("database")
@Tag("slow")
class FuzzTest {

    private static final long SEED = 17;
    private static final int REQUESTS = 6_000;

    @RegisterExtension
    final TestDatabase database = new TestDatabase();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path dir;

    @Test
    void nothing_that_is_sent_breaks_a_node_or_is_stored_although_it_was_refused() throws Exception {
        try (Target target = Target.start(dir.resolve("node"), NodeProcess.on(database), new Rows(database))) {
            Outcome outcome = new Campaign(target, SEED, dir).run(REQUESTS);

            assertThat(outcome.findings()).as(outcome.text()).isEmpty();
            assertThat(outcome.statuses())
                    .as("it was no attack")
                    .containsKeys(200, 201, 400, 401, 403, 404, 415, 422, 429);
        }
    }
}
