package dev.rowlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.RemoteOptions;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.secret.KeyRing;
import dev.rowlock.support.NodeProcess;
import dev.rowlock.support.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import picocli.CommandLine;

/** A real node with a fresh database, and the command line that asks it. */
public final class CliNode implements BeforeAllCallback, AfterAllCallback {

    private static final ObjectMapper JSON = new ObjectMapper();
    /** As {@code --verbose} says what was asked. */
    private static final Pattern SENT = Pattern.compile("(?m)^([A-Z]+) (/\\S*): .*\\n");

    private final TestDatabase database = new TestDatabase();
    private @Nullable Path home;
    private @Nullable NodeProcess node;

    /** What a command said, and with which code it ended. */
    public record Said(int exitCode, String out, String err) {

        public JsonNode json() {
            try {
                return JSON.readTree(out);
            } catch (IOException e) {
                throw new UncheckedIOException(out, e);
            }
        }

        public List<String> lines() {
            return out.lines().toList();
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        database.beforeAll(context);
        Path dir = Files.createTempDirectory("rowlock-cli");
        home = dir;
        Map<String, String> environment = new TreeMap<>(NodeProcess.on(database));
        environment.put("ROWLOCK_NODE_NAME", "node-a");
        environment.put("ROWLOCK_SECRETS_KEY", KeyRing.newKey());
        node = NodeProcess.start(dir, environment).awaitReady(Duration.ofSeconds(60));
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        if (node != null) {
            node.close();
        }
        database.afterAll(context);
    }

    NodeProcess node() {
        return Objects.requireNonNull(node);
    }

    /** The database of the node, for who asks it by SQL. */
    TestDatabase database() {
        return database;
    }

    Path home() {
        return Objects.requireNonNull(home);
    }

    /** What is said without a terminal. */
    public Said run(String... words) {
        return new Run(this).run(words);
    }

    /** The same as JSON. */
    public JsonNode json(String... words) {
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "-o";
        all[words.length + 1] = "json";
        Said said = run(all);
        if (said.exitCode() != 0) {
            throw new AssertionError(said);
        }
        return said.json();
    }

    public Run with() {
        return new Run(this);
    }

    /** Whoever edits a text. */
    @FunctionalInterface
    interface Editor {
        String edit(String text) throws IOException;
    }

    /** Around one command. */
    public static final class Run {

        private final Map<String, String> environment = new HashMap<>();
        private final Set<Surroundings.Stream> terminals = EnumSet.noneOf(Surroundings.Stream.class);
        private InputStream in = InputStream.nullInputStream();
        private Surroundings.Programs programs = words -> {
            throw new IOException("no program is expected: " + words);
        };

        Run(CliNode node) {
            environment.put("HOME", node.home().toString());
            environment.put("ROWLOCK_URL", node.node().url());
            environment.put("ROWLOCK_TOKEN", node.node().token());
        }

        Run environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        Run without(String name) {
            environment.remove(name);
            return this;
        }

        public Run input(String text) {
            return input(text.getBytes(StandardCharsets.UTF_8));
        }

        public Run input(byte[] bytes) {
            in = new ByteArrayInputStream(bytes);
            return this;
        }

        /** What happens while a question is open, which is then answered with yes. */
        Run asked(Runnable meanwhile) {
            return input("y\n", meanwhile);
        }

        /** What happens before the first of this text is read. */
        Run input(String text, Runnable meanwhile) {
            in = new InputStream() {
                private final InputStream bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
                private boolean isAsked;

                @Override
                public int read() throws IOException {
                    ask();
                    return bytes.read();
                }

                @Override
                public int read(byte[] into, int from, int most) throws IOException {
                    ask();
                    return bytes.read(into, from, most);
                }

                private void ask() {
                    if (!isAsked) {
                        isAsked = true;
                        meanwhile.run();
                    }
                }
            };
            return this;
        }

        /** What happens to a file in an editor. */
        Run editor(Editor editor) {
            environment.put("EDITOR", "an-editor --wait");
            programs = words -> {
                Path file = Path.of(words.get(words.size() - 1));
                Files.writeString(file, editor.edit(Files.readString(file)));
                return 0;
            };
            return this;
        }

        public Run terminals(Surroundings.Stream... all) {
            terminals.addAll(List.of(all));
            return this;
        }

        public Said run(String... words) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Surroundings around = new Surroundings(
                    environment,
                    in,
                    new PrintStream(out, true, StandardCharsets.UTF_8),
                    new PrintStream(err, true, StandardCharsets.UTF_8),
                    Clock.systemUTC(),
                    terminals,
                    (millis, what) -> () -> {},
                    programs);
            List<String> line = new ArrayList<>(List.of(words));
            CommandLine meant = meant(line);
            boolean asks = meant.getCommand() instanceof Remote;
            if (asks) {
                line.add("--verbose");
            }
            int code = commands(around).run(line);
            String said = err.toString(StandardCharsets.UTF_8);
            if (asks) {
                requireDeclared(meant, said);
                said = List.of(words).contains("-v") ? said : SENT.matcher(said).replaceAll("");
            }
            return new Said(code, out.toString(StandardCharsets.UTF_8), said);
        }

        /** The command that these words are for. */
        private static CommandLine meant(List<String> words) {
            int first = 0;
            while (first < words.size() && words.get(first).startsWith("-")) {
                first += RemoteOptions.NAMES.contains(words.get(first)) ? 2 : 1;
            }
            List<String> rest = words.subList(Math.min(first, words.size()), words.size());
            CommandLine line = commands(Map.of()).commandLine(rest);
            for (String word : rest) {
                CommandLine next = line.getSubcommands().get(word);
                if (next == null) {
                    break;
                }
                line = next;
            }
            return line;
        }

        /** What was asked of a node is what the command says that it asks. */
        private static void requireDeclared(CommandLine command, String said) {
            Routes declared = command.getCommand().getClass().getAnnotation(Routes.class);
            for (MatchResult sent : SENT.matcher(said).results().toList()) {
                String request = sent.group(1) + " " + sent.group(2).replaceFirst("\\?.*", "");
                if (request.equals("GET /api/v1/jobs") && said.contains(": 404")) {
                    continue; // any command suggests other names
                }
                assertThat(List.of(declared.value()))
                        .as(command.getCommandName())
                        .anyMatch(route -> request.matches(route.replaceAll("\\{[a-z]+}", "[^/]+")));
            }
        }
    }

    static Commands commands(Map<String, String> environment) {
        PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), true);
        return commands(new Surroundings(
                environment,
                InputStream.nullInputStream(),
                nothing,
                nothing,
                Clock.systemUTC(),
                Set.of(),
                (millis, what) -> () -> {},
                words -> 1));
    }

    private static Commands commands(Surroundings around) {
        return new Commands(
                () -> {
                    throw new AssertionError("a command that asks a node needs nothing else");
                },
                "1.2.3",
                around);
    }
}
