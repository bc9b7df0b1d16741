package dev.rowlock.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.KnownValues;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock token …}: who may. */
final class TokenCommands {

    private static final View TOKENS = View.named(
            "name",
            Column.text("TOKEN", "name"),
            Column.text("ROLE", "role"),
            Column.text("NAMESPACES", "namespaces"),
            Column.time("EXPIRES", "expiresAt"),
            Column.distance("LAST USED", "lastUsedAt"),
            Column.time("MADE", "createdAt").whenWide(),
            Column.time("PREVIOUS UNTIL", "previousWorksUntil").whenWide());

    private TokenCommands() {}

    /** {@code rowlock token list}. */
    @Command(description = "Lists tokens, never the secret itself.", footer = "rowlock token list")
    @Routes("GET /api/v1/tokens")
    static final class ListTokens extends Remote {

        @Override
        protected int run() {
            return listAll("/tokens", TOKENS);
        }
    }

    /** {@code rowlock token get}. */
    @Command(description = "Shows what a token may do.", footer = "rowlock token get deploy")
    @Routes("GET /api/v1/tokens/{token}")
    static final class GetToken extends Remote {

        @Parameters(paramLabel = "TOKEN", description = "Its name.")
        private String name = "";

        @Override
        protected int run() {
            return show(ask(Ask.get("/tokens/{}", name)), TOKENS);
        }
    }

    /** Token that is shown once: alone on standard output, so that it can go into a file. */
    abstract static class IssueToken extends Change {

        final int showOnce(Ask ask, String sentence) {
            return change(ask, made -> {
                say(sentence + "; it is shown this once");
                if (isForPeople()) {
                    printer().line(made.path("token").asText());
                    return ExitCode.DONE;
                }
                return show(made, TOKENS);
            });
        }
    }

    /** {@code rowlock token add}. */
    @Command(
            description = "Makes a token, and writes it to standard output.",
            footer = "rowlock token add deploy --role editor --namespace billing --expires-in 90d > deploy.token")
    @Routes("POST /api/v1/tokens")
    static final class AddToken extends IssueToken {

        @Parameters(paramLabel = "TOKEN", description = "Its name: what the audit calls it.")
        private String name = "";

        @Option(
                names = "--role",
                required = true,
                paramLabel = "ROLE",
                completionCandidates = KnownValues.Roles.class,
                description = "${COMPLETION-CANDIDATES}.")
        private @Nullable String role;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Only there; may be given several times. Default: everywhere.")
        private List<String> namespaces = List.of();

        @Option(names = "--expires-in", paramLabel = "DURATION", description = "How long it works; default: for ever.")
        private @Nullable String expiresIn;

        @Override
        protected int run() {
            ObjectNode body = Trees.object().put("name", name);
            Bodies.put(Bodies.put(body, "role", KnownValues.small(role)), "expiresIn", expiresIn);
            if (!namespaces.isEmpty()) {
                ArrayNode list = body.putArray("namespaces");
                namespaces.forEach(list::add);
            }
            return showOnce(Ask.of("POST", "/tokens").body(body), "token " + name + " is made");
        }
    }

    /** {@code rowlock token rotate}. */
    @Command(
            description = "Makes a new token under an old name; the one before works on for a while.",
            footer = "rowlock token rotate deploy --overlap 1h > deploy.token")
    @Routes("POST /api/v1/tokens/{token}/rotate")
    static final class RotateToken extends IssueToken {

        @Parameters(paramLabel = "TOKEN", description = "Its name.")
        private String name = "";

        @Option(
                names = "--overlap",
                paramLabel = "DURATION",
                description = "How long the one before works on; 0s: not at all. Default: 1d.")
        private @Nullable String overlap;

        @Option(names = "--expires-in", paramLabel = "DURATION", description = "How long the new one works.")
        private @Nullable String expiresIn;

        @Override
        protected int run() {
            ObjectNode body = Bodies.put(Bodies.put(Trees.object(), "overlap", overlap), "expiresIn", expiresIn);
            Ask ask = Ask.of("POST", "/tokens/{}/rotate", name);
            return showOnce(body.isEmpty() ? ask : ask.body(body), "token " + name + " is rotated");
        }
    }

    /** {@code rowlock token revoke}. */
    @Command(
            description = "Revokes a token: within five seconds no node takes it.",
            footer = "rowlock token revoke deploy")
    @Routes("DELETE /api/v1/tokens/{token}")
    static final class RevokeToken extends Change.Dangerous {

        @Parameters(paramLabel = "TOKEN", description = "Its name.")
        private String name = "";

        @Override
        protected int run() {
            require("token " + name + " is going to be revoked");
            return change(Ask.of("DELETE", "/tokens/{}", name), "token " + name + " is revoked", TOKENS);
        }
    }
}
