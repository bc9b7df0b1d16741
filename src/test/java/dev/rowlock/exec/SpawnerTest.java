package dev.rowlock.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both ways to make processes do the same. */
class SpawnerTest {

    @TempDir
    Path dir;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private Path input;

    private final ChildThreads threads = new ChildThreads();

    static Stream<Spawner> spawners() {
        return Stream.of(SpawnMethod.POSIX_SPAWN.spawner(), SpawnMethod.PROCESS_BUILDER.spawner());
    }

    @BeforeEach
    void files() throws IOException {
        input = Files.writeString(dir.resolve("in"), "a line\n");
    }

    @Test
    void each_setting_takes_its_own_way_and_auto_the_quick_one() {
        assertThat(SpawnMethod.values()).allMatch(method -> method.problem().isEmpty());
        assertThat(SpawnMethod.AUTO.spawner()).isInstanceOf(PosixSpawn.class);
        assertThat(SpawnMethod.POSIX_SPAWN.spawner()).isInstanceOf(PosixSpawn.class);
        assertThat(SpawnMethod.PROCESS_BUILDER.spawner()).isInstanceOf(ProcessBuilderSpawn.class);
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void without_a_thread_to_wait_for_it_there_is_no_process(Spawner spawner) {
        ChildThreads none = new ChildThreads(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });

        assertThatThrownBy(() -> none.spawn(spawner, program("echo ran")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unable to create native thread");
        assertThat(output.size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void both_outputs_come_in_their_order_and_input_is_the_file(Spawner spawner) throws Exception {
        assertThat(exit(spawner, "read line; echo \"got $line\"; echo err >&2; pwd; exit 7"))
                .isEqualTo(7);
        assertThat(said()).isEqualTo("""
                got a line
                err
                /
                """);
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void the_process_leads_a_session_and_a_group_of_its_own(Spawner spawner) throws Exception {
        Child child = threads.spawn(
                spawner, program("read -r _ _ _ _ group session _ </proc/self/stat; echo $$ $group $session"));
        assertThat(exit(child)).isZero();
        assertThat(said()).isEqualTo("%1$d %1$d %1$d%n".formatted(child.pid()));
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void it_has_exactly_the_environment_that_it_was_given(Spawner spawner) throws Exception {
        Map<String, String> environment = Map.of("A", "1 = 2\n3", "EMPTY", "", "PATH", "/usr/bin:/bin");
        assertThat(exit(threads.spawn(spawner, program("exec env -0", environment))))
                .isZero();
        assertThat(said().split("\0"))
                .contains("A=1 = 2\n3", "EMPTY=", "PATH=/usr/bin:/bin")
                .allMatch(variable -> variable.matches("(?s)(A|EMPTY|PATH|PWD|OLDPWD|SHLVL|_)=.*"));
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void no_other_file_of_ours_is_open_in_it(Spawner spawner) throws Exception {
        try (ServerSocket socket = new ServerSocket(0);
                var file = Files.newInputStream(input)) {
            assertThat(socket.isBound()).isTrue();
            assertThat(exit(spawner, "for fd in {0..999}; do [ -e /proc/$$/fd/$fd ] && echo $fd; done; exit 0"))
                    .isZero();
            assertThat(said()).isEqualTo("0\n1\n2\n");
            assertThat(file.read()).isEqualTo('a');
        }
    }

    @Test
    void no_signal_is_blocked_or_ignored() throws Exception { // the other way hands on that the JVM blocks SIGQUIT
        Spawner spawner = SpawnMethod.POSIX_SPAWN.spawner();
        assertThat(exit(spawner, "trap '' USR1; exec grep -E '^Sig(Blk|Ign)' /proc/self/status"))
                .isZero();
        assertThat(signals("SigIgn")).isEqualTo(1L << (10 - 1));
        assertThat(exit(spawner, "exec grep -E '^Sig(Blk|Ign)' /proc/self/status"))
                .isZero();
        assertThat(signals("SigIgn")).isZero();
        assertThat(signals("SigBlk")).isZero();
    }

    /** The last ones said, but for 32 and 33, which belong to the C library. */
    private long signals(String kind) throws IOException {
        String last = said().lines()
                .filter(line -> line.startsWith(kind))
                .reduce((first, second) -> second)
                .orElseThrow();
        return Long.parseUnsignedLong(last.replaceFirst(".*\\s", ""), 16) & ~(0b11L << 31);
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void a_signal_is_told_as_a_shell_would(Spawner spawner) throws Exception {
        assertThat(exit(spawner, "kill -KILL $$")).isEqualTo(137);
        assertThat(exit(spawner, "kill -TERM $$")).isEqualTo(143);
        assertThat(exit(spawner, "exit 255")).isEqualTo(255);
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void text_beyond_ascii_arrives_if_it_can_be_passed(Spawner spawner) throws Exception {
        String text = "grün € 𝄞";
        assertThat(exit(threads.spawn(spawner, program("printf '%s|" + text + "' \"$X\"", Map.of("X", text)))))
                .isZero();
        if (spawner.canPass(text)) {
            assertThat(said()).isEqualTo(text + "|" + text);
        }
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void what_cannot_be_run_is_said_by_its_name(Spawner spawner) {
        Spawner.Program missing =
                new Spawner.Program(List.of("/no/such/program"), Map.of(), input.toFile(), bytes -> {});
        if (spawner instanceof PosixSpawn) { // setsid says it itself, and exits
            assertThatThrownBy(() -> threads.spawn(spawner, missing))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("/no/such/program", "No such file or directory");
        }
        assertThatThrownBy(() -> threads.spawn(spawner, program("true", Map.of("LONG", "x".repeat(200_000)))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Argument list too long");
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void a_null_character_is_refused_and_cuts_nothing(Spawner spawner) {
        assertThatThrownBy(() -> threads.spawn(spawner, program("echo a\0; echo b")))
                .isInstanceOf(IOException.class);
        assertThat(output.size()).isZero();
    }

    @ParameterizedTest
    @MethodSource("spawners")
    void many_at_once_are_all_collected(Spawner spawner) throws Exception {
        List<Child> children = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            children.add(threads.spawn(spawner, program("exit " + i)));
        }
        for (int i = 0; i < 200; i++) {
            assertThat(exit(children.get(i))).isEqualTo(i);
        }
        assertThat(children).allMatch(child -> !Files.exists(Path.of("/proc/" + child.pid())));
    }

    private int exit(Spawner spawner, String command) throws Exception {
        return exit(threads.spawn(spawner, program(command)));
    }

    /** When all that it wrote has come. */
    private static int exit(Child child) throws InterruptedException, ExecutionException, TimeoutException {
        child.outflow().end().get(20, TimeUnit.SECONDS);
        return child.exit().get(20, TimeUnit.SECONDS);
    }

    private Spawner.Program program(String command) {
        return program(command, Map.of("PATH", "/usr/bin:/bin"));
    }

    private Spawner.Program program(String command, Map<String, String> environment) {
        return new Spawner.Program(List.of("/bin/bash", "-c", command), environment, input.toFile(), this::take);
    }

    private synchronized void take(ByteBuffer bytes) {
        byte[] some = new byte[bytes.remaining()];
        bytes.get(some);
        output.writeBytes(some);
    }

    private synchronized String said() {
        return output.toString(StandardCharsets.UTF_8);
    }
}
