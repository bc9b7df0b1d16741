package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command that changes something. */
public abstract class Change extends Remote {

    @Option(
            names = "--dry-run",
            arity = "0",
            description = "Change nothing; say what would be asked of the node, or what the node says of it.")
    private boolean dryRun;

    /** Command that cannot be undone, so that somebody has to confirm it. */
    public abstract static class Dangerous extends Change {

        @Mixin
        private final Sure sure = new Sure();

        /** Asks whoever sits at the terminal, unless it was said; refuses where nobody sits. */
        public final void require(String what) {
            if (!sure.yes && !isDryRun()) {
                Asking.whether(this, what);
            }
        }

        /** Deletes something once somebody means it. */
        protected final int delete(String what, Ask ask, View view) {
            require(what + " is going to be deleted");
            return change(ask, what + " is deleted", view);
        }
    }

    /** Option that says that somebody means it. */
    static final class Sure {
        @Option(
                names = {"-y", "--yes"},
                arity = "0",
                description = "Do it without asking; needed where there is no terminal.")
        private boolean yes;
    }

    public final boolean isDryRun() {
        return dryRun;
    }

    /**
     * Carries it out, or says what would be asked.
     *
     * @param sentence for people, when it is done
     */
    protected final int change(Ask ask, String sentence, View view) {
        return change(ask, answer -> done(sentence, answer, view));
    }

    /** Carries it out and does something with the answer, or says what would be asked. */
    protected final int change(Ask ask, ToIntFunction<JsonNode> then) {
        return dryRun ? would(ask) : then.applyAsInt(ask(ask));
    }

    /** Says what would be asked. */
    protected final int would(Ask ask) {
        client(); // an address and a token that are missing would fail it, too
        JsonNode body = ask.body();
        printer().line("would ask for " + ask + (body == null ? "" : " with " + Trees.text(body)));
        return ExitCode.DONE;
    }

    /** Dialogue with whoever sits at the terminal. */
    private static final class Asking {

        private Asking() {}

        static void whether(Remote command, String what) {
            Surroundings around = command.around();
            if (!around.canAsk()) {
                throw new CommandFailed(
                        ExitCode.USAGE, what + ": nobody is there to be asked; add --yes if you mean it");
            }
            around.err().print(what + ". Go on? [y/N] ");
            around.err().flush();
            try {
                String answer =
                        new BufferedReader(new InputStreamReader(around.in(), StandardCharsets.UTF_8)).readLine();
                if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
                    throw new CommandFailed(ExitCode.FAILED, "nothing was changed");
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
