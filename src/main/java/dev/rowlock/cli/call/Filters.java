package dev.rowlock.cli.call;

import dev.rowlock.cli.client.Ask;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.Times;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options for the tasks that are asked for. */
public final class Filters {

    /** Sentence of the help: a count of them would have to read rows that nobody asked for. */
    public static final String LEFT_OUT = "What an edit or a deletion took back before its fire time is left out; with"
            + " --withdrawn, it is there as CANCELLED.";

    private static final int SHOWN = 100;

    @Parameters(arity = "0..1", paramLabel = "[NAMESPACE/]NAME", description = "Those of this job.")
    private @Nullable String job;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Those of one namespace.")
    private @Nullable String namespace;

    @Option(
            names = {"-l", "--label"},
            paramLabel = "NAME[=VALUE]",
            description = "Those of jobs that bear it now; may be given several times.")
    private List<String> labels = List.of();

    @Option(names = "--node", paramLabel = "NODE", description = "Those that run, or ran, there.")
    private @Nullable String node;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            completionCandidates = KnownValues.TaskOutcomes.class,
            description = "How they ended: ${COMPLETION-CANDIDATES}.")
    private @Nullable String outcome;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            completionCandidates = KnownValues.Causes.class,
            description = "Why there are such: ${COMPLETION-CANDIDATES}.")
    private @Nullable String cause;

    @Option(names = "--longer-than", paramLabel = "DURATION", description = "Those that ended and took so long.")
    private @Nullable String minDuration;

    @Option(
            names = "--since",
            paramLabel = "WHEN",
            description = "Fire times from then on: 03:00, yesterday, '2026-12-01 03:00', or how long ago, such as 2h.")
    private @Nullable When since;

    @Option(names = "--until", paramLabel = "WHEN", description = "Fire times before it.")
    private @Nullable When until;

    @Mixin
    private final TimeZoneOption zone = new TimeZoneOption();

    private @Nullable Instant from;
    private @Nullable Instant to;

    @Option(
            names = "--withdrawn",
            description = "Those, too, that an edit or a deletion took back before their fire time.")
    private boolean withdrawn;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many; default: 100.")
    private int limit = SHOWN;

    public int limit() {
        return limit;
    }

    /** Settles which times are meant, before the first page. */
    public void settle(Remote command) {
        JobKey key = job == null ? null : JobOptions.keyOf(job);
        from = since == null ? null : zone.past(command, since, key);
        to = until == null ? null : zone.past(command, until, key);
    }

    /** Returns the request for the tasks in a state; null: in any. */
    public Ask ask(@Nullable String state) {
        Ask ask = Ask.get("/tasks")
                .with("job", job)
                .with("namespace", namespace)
                .with("state", KnownValues.capitals(state))
                .with("outcome", KnownValues.capitals(outcome))
                .with("cause", KnownValues.capitals(cause))
                .with("node", node)
                .with("minDuration", minDuration)
                .with("since", Times.orNull(from))
                .with("until", Times.orNull(to))
                .with("withdrawn", withdrawn ? "true" : null);
        labels.forEach(label -> ask.with("label", label));
        return ask;
    }
}
