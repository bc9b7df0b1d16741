package dev.rowlock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that start at once on one fresh directory. */
class NodeKeysTest {

    private static final int NODES = 4;

    @RepeatedTest(20)
    void all_have_the_key_that_one_of_them_has_made_and_nobody_else_can_read_it(@TempDir Path dir) {
        Path file = dir.resolve("data/secrets.key");
        CyclicBarrier together = new CyclicBarrier(NODES);
        ExecutorService nodes = Executors.newFixedThreadPool(NODES);
        List<CompletableFuture<String>> keys = IntStream.range(0, NODES)
                .mapToObj(node -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                together.await();
                                return Files.readString(NodeKeys.made(file));
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                        },
                        nodes))
                .toList();

        assertThat(keys.stream().map(CompletableFuture::join).distinct()).hasSize(1);
        nodes.shutdown();
        assertThat(file.getParent().toFile().list()).containsExactly("secrets.key");
        assertThat(permissions(file)).isEqualTo("rw-------");
    }

    private static String permissions(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
