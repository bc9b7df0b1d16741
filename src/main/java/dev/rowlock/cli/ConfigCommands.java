package dev.rowlock.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.context.ContextFile;
import dev.rowlock.cli.context.NamedContext;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Format;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock config …}: which clusters there are for this user. They ask nobody. */
final class ConfigCommands {

    private static final View CONTEXTS = View.named(
            "name",
            Column.of("CURRENT", row -> row.path("current").asBoolean() ? Cell.of("*") : Cell.of(" ")),
            Column.text("NAME", "name"),
            Column.text("URL", "url"),
            Column.text("TOKEN", "token"));

    private ConfigCommands() {}

    private static ContextFile file(Remote command) {
        return ContextFile.read(ContextFile.place(command.around().environment()));
    }

    /** {@code rowlock config get-contexts}. */
    @Command(
            description = "Lists the contexts: clusters that have a name here.",
            footer = "rowlock config get-contexts")
    @Routes({})
    static final class GetContexts extends Remote {

        @Override
        protected int run() {
            ContextFile file = file(this);
            ArrayNode rows = Trees.object().putArray("rows");
            file.contexts()
                    .forEach((name, context) -> rows.addObject()
                            .put("name", name)
                            .put("current", name.equals(file.current()))
                            .put("url", context.url())
                            .put(
                                    "token",
                                    context.tokenFile() == null
                                            ? context.token() == null ? "" : "***"
                                            : context.tokenFile()));
            return showAll(rows, CONTEXTS);
        }
    }

    /** {@code rowlock config use-context}. */
    @Command(description = "Chooses the context that commands mean.", footer = "rowlock config use-context prod")
    @Routes({})
    static final class UseContext extends Remote {

        @Parameters(paramLabel = "NAME", description = "The context.")
        private String name = "";

        @Override
        protected int run() {
            file(this).withCurrent(name).write();
            say("commands mean context " + name + " now");
            return ExitCode.DONE;
        }
    }

    /** {@code rowlock config set-context}. */
    @Command(
            description = {
                "Makes a context, or changes it, in a file that only you can read. The first one is chosen at once.",
                "The token is read from standard input with --token-stdin; --url, --token, --token-file and --ca are"
                        + " kept as they are given."
            },
            footer = "rowlock config set-context prod --url https://rowlock.example.com --token-stdin < deploy.token")
    @Routes({})
    static final class SetContext extends Remote {

        @Parameters(paramLabel = "NAME", description = "The context.")
        private String name = "";

        @Option(names = "--token-stdin", arity = "0", description = "Read the token from standard input, and keep it.")
        private boolean fromInput;

        @Override
        protected int run() {
            ContextFile file = file(this);
            var given = options().choice();
            NamedContext before = file.contexts().get(name);
            if (before == null && given.url() == null) {
                throw misunderstood("a new context needs --url");
            }
            NamedContext base = before == null ? new NamedContext(given.required(), null, null, null) : before;
            NamedContext context = base.with(
                    given.url(),
                    fromInput ? token() : given.token(),
                    absolute(given.tokenFile()),
                    absolute(given.authorities()));
            context.check("context " + name);
            file.with(name, context).write();
            say("context " + name + " is kept in " + file.path());
            return ExitCode.DONE;
        }

        private static @Nullable String absolute(@Nullable Path path) {
            return path == null ? null : path.toAbsolutePath().toString();
        }

        private String token() {
            try {
                String token = Bodies.text(Path.of("-"), around().in()).strip();
                if (token.isEmpty() || token.lines().count() > 1) {
                    throw new CommandFailed(ExitCode.FAILED, "standard input must have one line, the token");
                }
                return token;
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.FAILED, "standard input cannot be read: " + TextReader.reason(e));
            }
        }
    }

    /** {@code rowlock config view}. */
    @Command(description = "Shows the file of contexts, without tokens.", footer = "rowlock config view")
    @Routes({})
    static final class ViewFile extends Remote {

        @Override
        protected int run() {
            ContextFile file = file(this);
            ObjectNode tree = file.tree(false);
            if (isForPeople()) {
                say("# " + file.path());
            }
            printer(options().format() == Format.JSON ? Format.JSON : Format.YAML)
                    .tree(tree);
            return ExitCode.DONE;
        }
    }
}
