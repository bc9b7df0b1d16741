package dev.rowlock.cli.tables;

import dev.rowlock.cli.imports.Draft;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Class that a trigger of Quartz runs, with its data, as the command of a job. */
final class QuartzJob {

    private final Map<String, String> row;
    private final Draft draft;

    QuartzJob(Map<String, String> row, Draft draft) {
        this.row = row;
        this.draft = draft;
    }

    void addTo(CommandTemplate template) {
        String type = row.getOrDefault("job_class_name", "");
        Map<String, String> data =
                new TreeMap<>(properties(row.get("details_data")).orElse(Map.of()));
        data.putAll(properties(row.get("job_data")).orElse(Map.of()));
        if (type.endsWith(".NativeJob") && data.containsKey("command")) {
            draft.job().put("command", (data.get("command") + " " + data.getOrDefault("parameters", "")).strip());
            return;
        }
        if (QuartzImport.isTrue(row, "is_update_data")) {
            draft.remark("what a run writes into its data is not there for the next one: let the command keep it");
        }
        if (!data.isEmpty() || isUnread(row.get("job_data")) || isUnread(row.get("details_data"))) {
            draft.lack(
                    "left out: the job's data" + (data.isEmpty() ? "" : " (" + String.join(", ", data.keySet()) + ")"));
        }
        String command = template.with(Map.of(
                "class", type,
                "name", row.getOrDefault("job_name", ""),
                "group", row.getOrDefault("job_group", "")));
        if (command == null) {
            draft.lackCommand(
                    "it runs the Java class " + type + ", and a job runs a command: say with --command how that"
                            + " is called, as in --command 'java -cp /opt/app.jar {class}'");
        } else {
            draft.job().put("command", command);
        }
    }

    private static boolean isUnread(@Nullable String data) {
        return data != null && !data.isEmpty() && properties(data).isEmpty();
    }

    /**
     * Reads what {@code org.quartz.jobStore.useProperties} writes; other data is objects of Java, which nobody
     * reads here.
     *
     * @return empty: it is something else
     */
    private static Optional<Map<String, String>> properties(@Nullable String data) {
        if (data == null || !data.startsWith("#")) {
            return Optional.empty();
        }
        Properties read = new Properties();
        try {
            read.load(new StringReader(data));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty(); // it has an escape that is none: Java has not written it
        }
        Map<String, String> found = new TreeMap<>();
        read.stringPropertyNames().forEach(name -> found.put(name, read.getProperty(name)));
        return Optional.of(found);
    }
}
