package dev.rowlock.cli.crontab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.crontab.Crontab.Item;
import dev.rowlock.cli.files.JobText;
import dev.rowlock.cli.output.Trees;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Crontabs as files with jobs: one document for each, and names that no two of them share. */
public final class CrontabImport {

    /** What is said of each job, however alike they are. */
    private static final Set<String> OWN = Set.of("name", "schedule", "command", "stdin", "broadcast");

    private final String namespace;
    private final ZoneId zone;
    private final CommandName names = new CommandName();
    private int jobs;
    private int lost;

    /** @param zone of the host that cron runs on */
    public CrontabImport(String namespace, ZoneId zone) {
        this.namespace = namespace;
        this.zone = zone;
    }

    /**
     * What one crontab becomes.
     *
     * @param from what it is called
     * @param withUser whether there is a column for the user, as in {@code /etc/crontab}
     * @param owner whose crontab it is; null: it is not known
     */
    public String document(String from, String text, boolean withUser, @Nullable String owner) {
        List<Item> items = new Crontab(withUser, owner, zone, names).read(text);
        jobs += (int) items.stream().filter(item -> item.job() != null).count();
        lost += (int) items.stream().filter(Item::isLost).count();
        StringBuilder document =
                new StringBuilder("# From " + from + ". On each host cron runs these by itself; here each"
                        + " runs on one node, unless it says broadcast.\n");
        ObjectNode defaults = defaults(items);
        document.append(JobText.yaml(Trees.object().set("defaults", defaults)));
        document.append(items.stream().anyMatch(item -> item.job() != null) ? "jobs:\n" : "jobs: []\n");
        for (Item item : items) {
            item.comments()
                    .forEach(comment ->
                            document.append("  # ").append(printable(comment)).append('\n'));
            if (item.job() != null) {
                item.job().remove(names(defaults));
                document.append(element(JobText.yaml(item.job())));
            }
        }
        return document.toString();
    }

    /** How many jobs there are. */
    public int jobs() {
        return jobs;
    }

    /** How many entries have become no job. */
    public int lost() {
        return lost;
    }

    private static List<String> names(ObjectNode defaults) {
        List<String> names = new ArrayList<>();
        defaults.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** What all of them say alike. */
    private ObjectNode defaults(List<Item> items) {
        ObjectNode defaults = Trees.object().put("namespace", namespace);
        List<ObjectNode> all = new ArrayList<>();
        for (Item item : items) {
            if (item.job() != null) {
                all.add(item.job());
            }
        }
        if (!all.isEmpty()) {
            for (Map.Entry<String, JsonNode> field : all.get(0).properties()) {
                boolean isShared = all.stream().allMatch(job -> field.getValue().equals(job.get(field.getKey())));
                if (isShared && !OWN.contains(field.getKey())) {
                    defaults.set(field.getKey(), field.getValue());
                }
            }
        }
        return defaults;
    }

    /** As it stands in a list. */
    private static String element(String yaml) {
        return yaml.lines()
                        .map(line -> line.isEmpty() ? line : "    " + line)
                        .collect(Collectors.joining("\n"))
                        .replaceFirst("^ {4}", "  - ")
                + "\n";
    }

    private static String printable(String comment) {
        return comment.replaceAll("\\p{Cntrl}", "?");
    }
}
