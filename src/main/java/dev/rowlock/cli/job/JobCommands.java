package dev.rowlock.cli.job;

import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock job …}: what is there. */
public final class JobCommands {

    private JobCommands() {}

    /** State of a job that a list may ask for. */
    enum JobState {
        PAUSED,
        EXECUTING,
        PREPARED,
        IDLE,
        ENDED,
        FAILING,
        STUCK,
        NEVER_RAN
    }

    /** Order of a list. */
    enum Sort {
        NAME,
        NEXT,
        OUTCOME,
        LAST
    }

    /** {@code rowlock job list}. */
    @Command(
            description = "Lists jobs: when each runs next, and how it fared.",
            footer = "rowlock job list --namespace ops --sort outcome")
    @Routes("GET /api/v1/jobs")
    public static final class ListJobs extends Remote {

        @Parameters(arity = "0..1", paramLabel = "TEXT", description = "Part of the name or description.")
        private @Nullable String text;

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "Those of one namespace.")
        private @Nullable String namespace;

        @Option(
                names = {"-l", "--label"},
                paramLabel = "NAME[=VALUE]",
                description = "Those that bear it; may be given several times.")
        private List<String> labels = List.of();

        @Option(names = "--state", paramLabel = "STATE", description = "${COMPLETION-CANDIDATES}.")
        private @Nullable JobState state;

        @Option(
                names = "--sort",
                paramLabel = "ORDER",
                description = "name (default); next: what runs next first; outcome: what failed first; last: what ended"
                        + " last first.")
        private @Nullable Sort sort;

        @Option(names = "--limit", paramLabel = "N", description = "At most so many; default: all.")
        private @Nullable Integer limit;

        @Override
        protected int run() {
            return list(this::asked, limit, JobViews.JOBS);
        }

        private Ask asked() {
            Ask ask = Ask.get("/jobs")
                    .with("namespace", namespace)
                    .with("q", text)
                    .with("state", state)
                    .with("sort", sort == null ? null : sort.name().toLowerCase(Locale.ROOT));
            labels.forEach(label -> ask.with("label", label));
            return ask;
        }
    }

    /** {@code rowlock job get}. */
    @Command(
            description = "Shows a job: its definition, and what goes on with it.",
            footer = "rowlock job get ops/backup -o yaml")
    @Routes("GET /api/v1/jobs/{ns}/{name}")
    public static final class GetJob extends Remote {

        @Mixin
        private final JobOptions.JobArgument named = new JobOptions.JobArgument();

        @Override
        protected int run() {
            return show(ask(named.ask("GET", "")), JobViews.JOBS);
        }
    }
}
