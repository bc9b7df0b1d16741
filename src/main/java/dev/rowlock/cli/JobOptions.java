package dev.rowlock.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.job.JobKey;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What commands about one job have in common. */
final class JobOptions {

    private JobOptions() {}

    /** The job of a text, without a namespace that of default; null: there is none. */
    static @Nullable JobKey keyOf(@Nullable String text) {
        if (text == null) {
            return null;
        }
        int slash = text.indexOf('/');
        return slash < 0
                ? new JobKey("default", text)
                : new JobKey(text.substring(0, slash), text.substring(slash + 1));
    }

    /** Which job. */
    static final class Named {

        @Parameters(index = "0", paramLabel = "[NAMESPACE/]NAME", description = "The job; alone: of default.")
        private @Nullable JobKey job;

        JobKey key() {
            JobKey known = job;
            if (known == null) {
                throw new IllegalStateException("a job that is required");
            }
            return known;
        }

        Ask ask(String method, String below, Object... more) {
            Object[] segments = new Object[2 + more.length];
            segments[0] = key().namespace();
            segments[1] = key().name();
            System.arraycopy(more, 0, segments, 2, more.length);
            return Ask.of(method, "/jobs/{}/{}" + below, segments);
        }
    }

    /** Only if nobody has changed it meanwhile. */
    static final class Guarded {

        @Option(
                names = "--if-version",
                paramLabel = "N",
                description = "Only if this is still its version (job get shows it).")
        private @Nullable Integer version;

        Ask guard(Ask ask) {
            return ask.header("If-Match", version == null ? null : "\"" + version + "\"");
        }
    }

    /** Several jobs at once. */
    static final class Matching {

        @Option(
                names = {"-n", "--namespace"},
                paramLabel = "NAMESPACE",
                description = "All jobs of this namespace.")
        private @Nullable String namespace;

        @Option(
                names = {"-l", "--label"},
                paramLabel = "NAME=VALUE",
                description = "All that bear it; may be given several times.")
        private Map<String, String> labels = Map.of();

        @Option(
                names = "--match",
                paramLabel = "TEXT",
                description = "All with these words in their name or description.")
        private @Nullable String text;

        boolean isGiven() {
            return namespace != null || !labels.isEmpty() || text != null;
        }

        /** The body that asks for them. */
        ObjectNode body() {
            ObjectNode body = Trees.object();
            Bodies.put(body, "namespace", namespace);
            if (!labels.isEmpty()) {
                labels.forEach(body.putObject("labels")::put);
            }
            return Bodies.put(body, "q", text);
        }

        @Override
        public String toString() {
            return "all jobs"
                    + (namespace == null ? "" : " of namespace " + namespace)
                    + (labels.isEmpty() ? "" : " with " + labels)
                    + (text == null ? "" : " with \"" + text + "\"");
        }
    }
}
