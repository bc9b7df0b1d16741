package dev.rowlock.cli.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.definition.JobKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Options and requests that commands about jobs have in common. */
public final class JobOptions {

    private JobOptions() {}

    /** Returns the job of a text; without a namespace that of default. */
    public static JobKey keyOf(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new JobKey("default", text)
                : new JobKey(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Returns a request about one job, or about something below it. */
    public static Ask ask(String method, JobKey job, String below, Object... more) {
        List<Object> segments = new ArrayList<>(List.of(job.namespace(), job.name()));
        segments.addAll(List.of(more));
        return Ask.of(method, "/jobs/{}/{}" + below, segments.toArray());
    }

    /** Name of one job. */
    public static final class JobArgument {

        @Parameters(index = "0", paramLabel = "[NAMESPACE/]NAME", description = "The job; alone: of default.")
        @SuppressWarnings("NullAway.Init") // picocli sets what is required
        private JobKey job;

        public JobKey key() {
            return job;
        }

        public Ask ask(String method, String below, Object... more) {
            return JobOptions.ask(method, key(), below, more);
        }
    }

    /** Option that makes the request only if nobody has changed the job meanwhile. */
    public static final class Guarded {

        @Option(
                names = "--if-version",
                paramLabel = "N",
                description = "Only if this is still its version (job get shows it).")
        private @Nullable Integer version;

        public Ask guard(Ask ask) {
            return ask.header("If-Match", version == null ? null : "\"" + version + "\"");
        }
    }

    /** Options that select several jobs at once. */
    public static final class Matching {

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "All jobs of this namespace.")
        private @Nullable String namespace;

        @Option(
                names = {"-l", "--label"},
                paramLabel = "NAME=VALUE",
                description = "All that bear it; may be given several times.")
        private List<String> labels = List.of();

        @Option(
                names = "--match",
                paramLabel = "TEXT",
                description = "All with these words in their name or description.")
        private @Nullable String text;

        public boolean isGiven() {
            return namespace != null || !labels.isEmpty() || text != null;
        }

        /** Returns the body that selects them. */
        public ObjectNode body() {
            ObjectNode body = Trees.object();
            Bodies.put(body, "namespace", namespace);
            Bodies.labels(body, labels);
            return Bodies.put(body, "q", text);
        }

        @Override
        public String toString() {
            return "all jobs"
                    + (namespace == null ? "" : " of namespace " + namespace)
                    + (labels.isEmpty() ? "" : " with " + String.join(", ", labels))
                    + (text == null ? "" : " with \"" + text + "\"");
        }
    }
}
