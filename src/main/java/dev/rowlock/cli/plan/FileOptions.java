package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Surroundings;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.yaml.Located;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the definitions that are meant, and for the jobs that are to go because none of these names them. */
final class FileOptions {

    @Option(
            names = {"-f", "--file"},
            required = true,
            paramLabel = "FILE|DIR|-",
            description = "YAML or JSON with jobs, a directory of such files, or standard input; may be given several"
                    + " times.")
    private List<String> files = List.of();

    @Option(
            names = "--prune-namespace",
            paramLabel = "NAMESPACE",
            description = "Remove the jobs of this namespace that the files do not name.")
    private @Nullable String pruneNamespace;

    @Option(
            names = "--prune-label",
            paramLabel = "NAME=VALUE",
            description = "Remove the jobs that bear this label and that the files do not name; may be given several"
                    + " times. With --prune-namespace, both must hold.")
    private Map<String, String> pruneLabels = new LinkedHashMap<>();

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "7",
            description = "Compare the fire times of so many days, 1 to 31; default: ${DEFAULT-VALUE}.")
    private int days = 7;

    @Option(
            names = "--freeze",
            paramLabel = "FROM/UNTIL",
            description = "Say which fire times a freeze would cover: two times as the API takes them.")
    private @Nullable String freeze;

    @Option(names = "--force", arity = "0", description = "Also if calendars leave jobs without any fire time.")
    private boolean force;

    int days() {
        return days;
    }

    /** Reads the definitions, and adds the options of the request. */
    PlannedFiles read(Surroundings around) {
        ObjectNode calendars = Trees.object();
        List<Located> jobs = JobFiles.read(files, around.in(), calendars);
        return new PlannedFiles(jobs, calendars, prune(), days, freeze(), force);
    }

    String named() {
        return String.join(", ", files);
    }

    private @Nullable ObjectNode freeze() {
        if (freeze == null) {
            return null;
        }
        int slash = freeze.indexOf('/');
        return Trees.object()
                .put("from", slash < 0 ? freeze : freeze.substring(0, slash))
                .put("until", slash < 0 ? null : freeze.substring(slash + 1));
    }

    private @Nullable ObjectNode prune() {
        if (pruneNamespace == null && pruneLabels.isEmpty()) {
            return null;
        }
        ObjectNode prune = Trees.object();
        if (pruneNamespace != null) {
            prune.put("namespace", pruneNamespace);
        }
        if (!pruneLabels.isEmpty()) {
            pruneLabels.forEach(prune.putObject("labels")::put);
        }
        return prune;
    }

    /** Returns true if a later run with the same options would find it, should the files name it no more. */
    boolean canPrune(JsonNode job) {
        boolean isThere = pruneNamespace == null
                || pruneNamespace.equals(job.path("namespace").asText("default"));
        return isThere
                && pruneLabels.entrySet().stream()
                        .allMatch(label -> label.getValue()
                                .equals(job.path("labels").path(label.getKey()).textValue()));
    }

    boolean prunes() {
        return prune() != null;
    }
}
