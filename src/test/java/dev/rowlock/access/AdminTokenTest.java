package dev.rowlock.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.rowlock.access.AdminToken.TokenLocation;
import dev.rowlock.audit.Audit;
import dev.rowlock.audit.Author;
import dev.rowlock.db.Database;
import dev.rowlock.db.DatabaseAddress;
import dev.rowlock.db.Servers;
import dev.rowlock.support.LogLines;
import dev.rowlock.support.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("database")
class AdminTokenTest {

    private static final Author AUTHOR = new Author("root@a", "admin", "local", "request");

    @RegisterExtension
    final TestDatabase testDatabase = new TestDatabase();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private TokenStore tokens;

    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void open() {
        DatabaseAddress address = new DatabaseAddress(testDatabase.url(), testDatabase.user(), testDatabase.password());
        database = Database.pooled(new Servers(address), 2, Duration.ofSeconds(5));
        tokens = new TokenStore(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private TokenLocation ensure(String node, @Nullable String configured) throws IOException {
        return new AdminToken(tokens, Files.createDirectories(dir.resolve(node)), configured).ensure();
    }

    private Path file(String node) {
        return dir.resolve(node).resolve("admin.token");
    }

    private boolean permits(String token) {
        return new TokenCheck(tokens, nanos::get).find(token).isPresent();
    }

    @Test
    void the_first_node_makes_a_token_that_nobody_else_may_read() throws IOException {
        assertThat(ensure("a", null)).isEqualTo(TokenLocation.FILE);

        String token = Files.readString(file("a")).strip();
        assertThat(token).matches("[A-Za-z0-9_-]{43}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("a"))))
                .isEqualTo("rw-------");
        assertThat(tokens.find("admin").orElseThrow()).isEqualTo(TokenText.hash(token));
        assertThat(permits(token)).isTrue();
        assertThat(permits(token + "x")).isFalse();
        assertThat(ensure("a", null)).as("at its next start").isEqualTo(TokenLocation.FILE);
        assertThat(Files.readString(file("a")).strip()).isEqualTo(token);
    }

    /** Twenty times, as the two meet in a moment that no test can make them wait in. */
    @RepeatedTest(20)
    void two_nodes_of_one_directory_that_start_at_once_keep_one_token() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        Callable<TokenLocation> start = () -> {
            together.await();
            return ensure("a", null);
        };
        ExecutorService nodes = Executors.newFixedThreadPool(2);
        try {
            for (Future<TokenLocation> place : nodes.invokeAll(List.of(start, start))) {
                assertThat(place.get()).isEqualTo(TokenLocation.FILE);
            }
        } finally {
            nodes.shutdown();
        }

        assertThat(tokens.find("admin").orElseThrow())
                .isEqualTo(TokenText.hash(Files.readString(file("a")).strip()));
        try (Stream<Path> left = Files.list(dir.resolve("a"))) {
            assertThat(left).containsExactly(file("a"));
        }
    }

    @Test
    void a_later_node_has_none_of_its_own() throws IOException {
        ensure("a", null);

        assertThat(ensure("b", null)).isEqualTo(TokenLocation.ELSEWHERE);
        assertThat(file("b")).doesNotExist();
    }

    @Test
    void a_node_that_died_before_the_hash_was_stored_goes_on_with_its_file() throws IOException {
        Files.createDirectories(dir.resolve("a"));
        Files.writeString(file("a"), "made-before-the-crash\n");

        assertThat(ensure("a", null)).isEqualTo(TokenLocation.FILE);
        assertThat(permits("made-before-the-crash")).isTrue();
    }

    @Test
    void a_file_that_is_not_of_this_cluster_is_left_alone_but_does_not_count() throws IOException {
        ensure("a", null);
        Files.createDirectories(dir.resolve("b"));
        Files.writeString(file("b"), "of-another-cluster");

        assertThat(ensure("b", null)).isEqualTo(TokenLocation.ELSEWHERE);
        assertThat(file("b")).exists();
        assertThat(permits("of-another-cluster")).isFalse();
    }

    @Test
    void a_configured_token_is_set_where_there_is_none() throws IOException {
        assertThat(ensure("a", "from-the-settings")).isEqualTo(TokenLocation.CONFIGURED);
        assertThat(permits("from-the-settings")).isTrue();
        assertThat(ensure("b", "from-the-settings")).isEqualTo(TokenLocation.CONFIGURED);
        assertThat(file("a")).doesNotExist();
    }

    @Test
    void a_configured_token_that_differs_is_refused_and_the_node_says_so() throws IOException {
        ensure("a", "that-of-the-cluster");
        AdminToken other = new AdminToken(tokens, Files.createDirectories(dir.resolve("b")), "that-of-b");
        assertThat(other.state()).startsWith("not known yet");
        assertThat(other.isRefusedHere("that-of-b")).isFalse();

        try (LogLines log = LogLines.of(AdminToken.class)) {
            assertThat(other.ensure()).isEqualTo(TokenLocation.REFUSED);
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("ROWLOCK_ADMIN_TOKEN", "refused", "scripts/rowlock admin-token replace")
                    .doesNotContain("that-of");
        }

        assertThat(other.state()).contains("is refused");
        assertThat(other.isRefusedHere("that-of-b")).isTrue();
        assertThat(other.isRefusedHere("that-of-the-cluster")).isFalse();
        assertThat(permits("that-of-the-cluster")).isTrue();
        assertThat(permits("that-of-b")).isFalse();
    }

    @Test
    void it_is_replaced_on_purpose_by_the_configured_one() throws IOException {
        ensure("a", "before");
        AdminToken b = new AdminToken(tokens, Files.createDirectories(dir.resolve("b")), "afterwards");

        assertThat(b.replace(AUTHOR)).isEqualTo(TokenLocation.CONFIGURED);

        assertThat(permits("afterwards")).isTrue();
        assertThat(permits("before")).isFalse();
        assertThat(b.ensure()).isEqualTo(TokenLocation.CONFIGURED);
        assertThat(ensure("a", "before")).isEqualTo(TokenLocation.REFUSED);
    }

    @Test
    void it_is_replaced_on_purpose_by_a_new_one_that_is_in_the_file() throws IOException {
        ensure("a", null);
        String before = Files.readString(file("a")).strip();

        assertThat(new AdminToken(tokens, dir.resolve("a"), null).replace(AUTHOR))
                .isEqualTo(TokenLocation.FILE);

        String after = Files.readString(file("a")).strip();
        assertThat(permits(after)).isTrue();
        assertThat(permits(before)).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file("a"))))
                .isEqualTo("rw-------");
        assertThat(ensure("a", null)).isEqualTo(TokenLocation.FILE);
    }

    @Test
    void an_empty_file_is_an_error_that_says_what_to_do() throws IOException {
        Files.createDirectories(dir.resolve("a"));
        Files.writeString(file("a"), "\n");

        assertThatThrownBy(() -> ensure("a", null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is empty");
    }

    @Test
    void a_hash_that_was_read_is_believed_for_a_few_seconds_and_doubted_sooner() {
        tokens.replace("admin", TokenText.hash("one"), Audit.NONE);
        TokenCheck access = new TokenCheck(tokens, nanos::get);
        assertThat(access.find("one").isPresent()).isTrue();
        tokens.replace("admin", TokenText.hash("two"), Audit.NONE);

        assertThat(access.find("two").isPresent()).isFalse();
        nanos.addAndGet(Duration.ofMillis(1100).toNanos());
        assertThat(access.find("one").isPresent()).as("still believed").isTrue();
        assertThat(access.find("two").isPresent()).as("doubted").isTrue();
        assertThat(access.find("one").isPresent()).isFalse();
        nanos.addAndGet(Duration.ofMillis(5100).toNanos());
        assertThat(access.find("two").isPresent()).isTrue();
    }

    /** As by {@code sudo rowlock admin-token replace} for a node that runs as somebody else. */
    @Test
    void a_file_that_root_makes_belongs_to_whom_the_directory_does() throws IOException {
        assumeThat(System.getProperty("user.name")).as("only root can").isEqualTo("root");
        Files.setAttribute(dir, "unix:uid", 65534);

        new AdminToken(tokens, dir, null).replace(AUTHOR);

        assertThat(Files.getAttribute(dir.resolve("admin.token"), "unix:uid")).isEqualTo(65534);
    }
}
