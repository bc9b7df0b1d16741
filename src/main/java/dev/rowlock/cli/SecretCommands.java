package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.definition.JobKey;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock secret …}: what commands need and nobody sees. */
final class SecretCommands {

    private static final View SECRETS = new View(
            JobViews::name,
            Column.text("NAMESPACE", "namespace"),
            Column.text("NAME", "name"),
            Column.number("VERSION", "version"),
            Column.time("CHANGED", "updatedAt"),
            Column.text("JOBS", "jobs"),
            Column.text("KEY", "keyId").whenWide());

    private SecretCommands() {}

    /** {@code rowlock secret list}. */
    @Command(
            description = "Lists secrets and the jobs that use them, never their values.",
            footer = "rowlock secret list ops")
    @Routes({"GET /api/v1/secrets", "GET /api/v1/secrets/{ns}"})
    static final class ListSecrets extends Remote {

        @Parameters(arity = "0..1", paramLabel = "NAMESPACE", description = "Those of this namespace.")
        private @Nullable String namespace;

        @Override
        protected int run() {
            return list(
                    () -> namespace == null ? Ask.get("/secrets") : Ask.get("/secrets/{}", namespace), null, SECRETS);
        }
    }

    /** Name of one secret. */
    static final class SecretArgument {

        @Parameters(index = "0", paramLabel = "[NAMESPACE/]NAME", description = "The secret; alone: of default.")
        @SuppressWarnings("NullAway.Init") // picocli sets what is required
        private JobKey secret;

        public JobKey key() {
            return secret;
        }

        public Ask ask(String method) {
            return Ask.of(method, "/secrets/{}/{}", key().namespace(), key().name());
        }
    }

    /** {@code rowlock secret get}. */
    @Command(description = "Shows what is known of a secret, never its value.", footer = "rowlock secret get ops/db")
    @Routes("GET /api/v1/secrets/{ns}/{name}")
    static final class GetSecret extends Remote {

        @Mixin
        private final SecretArgument named = new SecretArgument();

        @Override
        protected int run() {
            return show(ask(named.ask("GET")), SECRETS);
        }
    }

    /** {@code rowlock secret set}. */
    @Command(
            description = {
                "Stores a secret. The value is read from standard input, or from a file.",
                "It cannot be given as an argument: whoever is on this host could read it there. The last line feed is"
                        + " no part of it."
            },
            footer = "rowlock secret set ops/db --file db.password")
    @Routes("PUT /api/v1/secrets/{ns}/{name}")
    static final class SetSecret extends Change {

        @Mixin
        private final SecretArgument named = new SecretArgument();

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "The value is what is in this file; default: standard input.")
        private Path file = Path.of("-");

        @Override
        protected int run() {
            if (isDryRun()) {
                client();
                printer()
                        .line("would ask for " + named.ask("PUT") + " with the value from "
                                + (file.equals(Path.of("-")) ? "standard input" : file));
                return ExitCode.DONE;
            }
            if (file.equals(Path.of("-")) && around().canAsk()) {
                say("type the value of secret " + named.key() + ", then Ctrl-D");
            }
            Ask ask = named.ask("PUT").body(Trees.object().put("value", value()));
            return done("secret " + named.key() + " is stored", ask(ask), SECRETS);
        }

        private String value() {
            try {
                return Bodies.text(file, around().in()).replaceFirst("\\r?\\n$", "");
            } catch (IOException e) {
                throw new CommandFailed(ExitCode.FAILED, file + " cannot be read: " + TextReader.reason(e));
            }
        }
    }

    /** {@code rowlock secret delete}. */
    @Command(
            description = "Deletes a secret that no job uses; with --force, also one that is used.",
            footer = "rowlock secret delete ops/db --yes")
    @Routes("DELETE /api/v1/secrets/{ns}/{name}")
    static final class DeleteSecret extends Change.Dangerous {

        @Mixin
        private final SecretArgument named = new SecretArgument();

        @Option(names = "--force", arity = "0", description = "Also if jobs use it; their runs fail then.")
        private boolean force;

        @Override
        protected int run() {
            return delete("secret " + named.key(), named.ask("DELETE").with("force", force ? true : null), SECRETS);
        }
    }

    /** {@code rowlock secret rotate}. */
    @Command(
            description = "Encrypts all secrets again, under the newest key of the node that is asked.",
            footer = "rowlock secret rotate")
    @Routes("POST /api/v1/secrets/rotate")
    static final class RotateSecrets extends Change {

        @Override
        protected int run() {
            return change(Ask.of("POST", "/secrets/rotate"), this::rotated);
        }

        private int rotated(JsonNode answer) {
            for (JsonNode left : answer.path("left")) {
                say(left.path("reason").asText());
            }
            String sentence = answer.path("rotated").asText() + " secrets are encrypted under key "
                    + answer.path("keyId").asText();
            int code = done(sentence, answer, View.named("keyId"));
            return answer.path("left").isEmpty() ? code : ExitCode.FAILED;
        }
    }
}
