package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.Surroundings.Stream;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Client;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.client.Unreachable;
import dev.rowlock.cli.context.WrongContext;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Format;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Printer;
import dev.rowlock.cli.output.View;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Command that asks a node. A subclass declares what it understands and which {@link Routes} it asks for, and says in
 * {@link #run} what it does with the answers: data goes to standard output, messages to standard error.
 */
public abstract class Remote implements Callable<Integer> {

    /** Number of items that the API gives at once. */
    private static final int PAGE = 1000;

    /** Number of items that the API gives of any list. */
    private static final int SHORT_PAGE = 500;

    @Mixin
    private final RemoteOptions options = new RemoteOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // in(…) is called before anything else
    private Surroundings around;

    private @Nullable Client client;

    /** Sets the surroundings; to be called before anything else. */
    public final Remote in(Surroundings surroundings) {
        around = surroundings;
        return this;
    }

    /** @return the exit code */
    protected abstract int run();

    /** Returns the exit code of a failure that has no code of its own. */
    public int failure() {
        return ExitCode.FAILED;
    }

    @Override
    public final Integer call() {
        try {
            return run();
        } catch (RequestRefused e) {
            throw new CommandFailed(e.isNotAllowed() ? ExitCode.NOT_ALLOWED : failure(), NearNames.added(client(), e));
        } catch (Unreachable | WrongContext e) {
            throw new CommandFailed(failure(), String.valueOf(e.getMessage()));
        }
    }

    public final Surroundings around() {
        return around;
    }

    public final RemoteOptions options() {
        return options;
    }

    /** Returns the client of the node that is meant. */
    protected final Client client() {
        Client known = client;
        if (known == null) {
            known = new Client(options.choice().target(around().environment()), options.timeout(), this::heard);
            client = known;
        }
        return known;
    }

    protected final void heard(String request) {
        if (options.verbose()) {
            say(request);
        }
    }

    /** Returns the answer of a node as JSON; missing if it has no more to say than that it is done. */
    public final JsonNode ask(Ask ask) {
        Progress progress = new Progress(around(), ask);
        try (Reply reply = client().send(ask)) {
            return reply.json();
        } finally {
            progress.close();
        }
    }

    public final Printer printer() {
        return printer(options.format());
    }

    public final Printer printer(Format format) {
        return new Printer(
                around().out(),
                format,
                around().isColoured(),
                new Moments(around().clock().instant(), options.zone()));
    }

    public final boolean isForPeople() {
        return options.format() == Format.TABLE || options.format() == Format.WIDE;
    }

    /** Returns true if a program reads it, which gets what the API answered. */
    protected final boolean isTree() {
        return options.format() == Format.JSON || options.format() == Format.YAML;
    }

    /** Shows one thing that was asked for. */
    protected final int show(JsonNode thing, View view) {
        printer().one(thing, view);
        return ExitCode.DONE;
    }

    /** Shows a list that is one answer. */
    protected final int showAll(JsonNode items, View view) {
        Printer.Rows rows = printer().rows(view);
        rows.page(items);
        rows.end();
        return ExitCode.DONE;
    }

    /** Says what was done, and what a person should know; with {@code -o json} and the like, what was answered. */
    protected final int done(String sentence, JsonNode answer, View view) {
        say(sentence);
        warn(answer);
        if (!isForPeople() && !answer.isMissingNode()) {
            printer().one(answer, view);
        }
        return ExitCode.DONE;
    }

    public final void warn(JsonNode answer) {
        answer.path("warnings").forEach(warning -> say("warning: " + CommandNames.in(warning.asText())));
    }

    /** Shows all of a list that is never long. */
    protected final int listAll(String path, View view) {
        return list(() -> Ask.get(path), null, SHORT_PAGE, view);
    }

    /**
     * Shows a list page by page, so that it may be of any length.
     *
     * @param asked makes the request for it
     * @param most how many; null: all
     */
    protected final int list(Supplier<Ask> asked, @Nullable Integer most, View view) {
        return list(asked, most, PAGE, view);
    }

    private int list(Supplier<Ask> asked, @Nullable Integer most, int page, View view) {
        Printer.Rows rows = printer().rows(view);
        boolean more = pages(asked, most, page, rows::page);
        rows.end();
        if (more && isForPeople()) {
            say("there are more; a higher --limit shows them");
        }
        return ExitCode.DONE;
    }

    /** Reads all of a list page by page, none of which is kept, until nobody reads any more what becomes of it. */
    protected final void pages(Supplier<Ask> asked, Consumer<JsonNode> items) {
        pages(asked, null, PAGE, items);
    }

    /** @return whether there are more */
    private boolean pages(Supplier<Ask> asked, @Nullable Integer most, int size, Consumer<JsonNode> items) {
        int left = most == null ? Integer.MAX_VALUE : most;
        String cursor = null;
        do {
            JsonNode page = ask(asked.get().with("limit", Math.min(left, size)).with("cursor", cursor));
            items.accept(page.path("items"));
            left -= page.path("items").size();
            cursor = page.path("nextCursor").textValue();
        } while (cursor != null && left > 0 && !around().out().checkError());
        return cursor != null;
    }

    /** Prints a message to standard error. */
    public final void say(String sentence) {
        around().err().println(sentence);
    }

    /** Returns the exception for a mistake that only shows when all of the command line is known. */
    public final ParameterException misunderstood(String why) {
        return new ParameterException(spec.commandLine(), why);
    }

    /** Progress line on the terminal while something takes longer than a second; elsewhere, nothing at all. */
    private static final class Progress {

        private static final long PATIENCE_MILLIS = 1000;

        private final Surroundings around;
        private final Runnable callOff;
        private volatile boolean shown;

        Progress(Surroundings around, Ask ask) {
            this.around = around;
            this.callOff = around.isTerminal(Stream.ERR)
                    ? around.later().after(PATIENCE_MILLIS, () -> {
                        shown = true;
                        String what = ask.method() + " " + ask.target().replaceFirst("\\?.*", "");
                        around.err().print("waiting for " + what + " …");
                        around.err().flush();
                    })
                    : () -> {};
        }

        /** Takes the line back. */
        void close() {
            callOff.run();
            if (shown) {
                around.err().print("\r\u001b[K");
                around.err().flush();
            }
        }
    }
}
