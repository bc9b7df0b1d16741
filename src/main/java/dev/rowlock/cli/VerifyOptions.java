package dev.rowlock.cli;

import dev.rowlock.job.DefinitionJson;
import dev.rowlock.job.Durations;
import dev.rowlock.job.JobKey;
import dev.rowlock.verify.Accounting.Scope;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code verify} was asked. Times may be given as durations before the database's time, which is not known yet. */
public final class VerifyOptions {

    private @Nullable String since;
    private @Nullable String until;
    private @Nullable JobKey job;
    private @Nullable Path config;
    private boolean embedded;
    private boolean verbose;

    private VerifyOptions() {}

    /** @throws UsageProblem if they are not understood */
    public static VerifyOptions parse(List<String> args) {
        VerifyOptions options = new VerifyOptions();
        Iterator<String> words = args.iterator();
        while (words.hasNext()) {
            String word = words.next();
            int equals = word.indexOf('=');
            boolean joined = word.startsWith("--") && equals > 0;
            options.take(joined ? word.substring(0, equals) : word, joined ? word.substring(equals + 1) : null, words);
        }
        return options;
    }

    /** The settings file; null: the usual one. */
    public @Nullable Path config() {
        return config;
    }

    /** Whether the embedded database is meant even if another is configured. */
    public boolean embedded() {
        return embedded;
    }

    boolean verbose() {
        return verbose;
    }

    /** @param now the database's time */
    Scope scope(Instant now) {
        return new Scope(since == null ? null : time(since, now), until == null ? null : time(until, now), job);
    }

    private void take(String option, @Nullable String joined, Iterator<String> further) {
        switch (option) {
            case "--since" -> since = checked(option, value(option, joined, further));
            case "--until" -> until = checked(option, value(option, joined, further));
            case "--job" -> job = job(value(option, joined, further));
            case "--config" -> config = Path.of(value(option, joined, further));
            case "--embedded" -> embedded = flag(option, joined);
            case "--verbose" -> verbose = flag(option, joined);
            default -> throw new UsageProblem("\"" + option + "\" is not understood");
        }
    }

    private static String value(String option, @Nullable String joined, Iterator<String> further) {
        if (joined != null) {
            return joined;
        }
        if (!further.hasNext()) {
            throw new UsageProblem(option + " needs a value");
        }
        return further.next();
    }

    private static boolean flag(String option, @Nullable String joined) {
        if (joined != null) {
            throw new UsageProblem(option + " takes no value");
        }
        return true;
    }

    private static String checked(String option, String text) {
        if (instant(text).isEmpty() && Durations.parse(text).isEmpty()) {
            throw new UsageProblem(
                    option + ": \"" + text
                            + "\" is neither a time, such as 2026-12-01T03:00:00Z, nor how long ago that is, such as 90s, 2h or 7d");
        }
        return text;
    }

    private static Instant time(String text, Instant now) {
        return instant(text).orElseGet(() -> now.minus(Durations.parse(text).orElse(Duration.ZERO)));
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static JobKey job(String text) {
        int slash = text.indexOf('/');
        JobKey key = slash < 0
                ? new JobKey("default", text)
                : new JobKey(text.substring(0, slash), text.substring(slash + 1));
        String wrong = DefinitionJson.namespaceProblem(key.namespace()) != null
                ? DefinitionJson.namespaceProblem(key.namespace())
                : DefinitionJson.nameProblem(key.name());
        if (wrong != null) {
            throw new UsageProblem("--job: \"" + text + "\" is not namespace/name: " + wrong);
        }
        return key;
    }
}
