package dev.rowlock.cli.imports;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.files.JobText;
import dev.rowlock.cli.output.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** File of imported jobs: a document for each source, and a comment for all that has to be said. */
public final class ImportText {

    /** Remarks that are made of each job, however alike they are. */
    private static final Set<String> OWN =
            Set.of("name", "description", "schedule", "command", "stdin", "broadcast", "paused");

    private final String namespace;
    private final boolean isShadow;
    private final JobNames names = new JobNames();
    private final List<ImportSource> sources = new ArrayList<>();
    private final List<String> documents = new ArrayList<>();
    private final List<Imported> all = new ArrayList<>();
    private final ArrayNode entries = Trees.object().putArray("entries");
    private int jobs;
    private int lost;

    /**
     * @param together what is to be said if several entries have become one job; empty: nothing
     * @param entries drafts of jobs, and lists of texts that only say something
     */
    private record ImportSource(String head, String together, List<Object> entries) {}

    /**
     * @param namespace of jobs that name none
     * @param isShadow whether the jobs are to run nothing
     */
    public ImportText(String namespace, boolean isShadow) {
        this.namespace = namespace;
        this.isShadow = isShadow;
    }

    /** Returns the names of its jobs, which no two share. */
    public JobNames names() {
        return names;
    }

    /**
     * Begins what one source has.
     *
     * @param head for people: what it is, and what is different for all of it
     */
    public void begin(String head) {
        begin(head, "");
    }

    /**
     * Begins what one source has.
     *
     * @param together what is different, too, if several entries become one job
     */
    public void begin(String head, String together) {
        sources.add(new ImportSource(head, together, new ArrayList<>()));
    }

    /** Adds an entry to the source that was begun last. */
    public void add(Draft entry) {
        sources.get(sources.size() - 1).entries().add(entry);
    }

    /** Adds a comment that belongs to no entry. */
    public void say(List<String> comments) {
        sources.get(sources.size() - 1).entries().add(List.copyOf(comments));
    }

    /** Settles all that was added. */
    public void finish() {
        List<ImportSource> joined = sources.stream().map(this::join).toList();
        names.settle();
        for (ImportSource source : joined) {
            Set<String> told = new HashSet<>();
            document(
                    source.head(),
                    source.entries().stream()
                            .map(entry -> imported(entry, told))
                            .toList());
        }
    }

    /** Makes one job of parts that differ in their schedules alone. */
    private ImportSource join(ImportSource source) {
        Map<String, List<Draft>> wholes = new HashMap<>();
        List<Object> entries = new ArrayList<>();
        for (Object entry : source.entries()) {
            String whole = entry instanceof Draft draft ? draft.whole() : null;
            if (whole == null) {
                entries.add(entry);
                continue;
            }
            Draft part = (Draft) entry;
            List<Draft> earlier = wholes.computeIfAbsent(whole, name -> new ArrayList<>());
            if (earlier.stream().anyMatch(draft -> draft.takeIn(part))) {
                names.forget(part);
            } else {
                earlier.add(part);
                entries.add(part);
            }
        }
        boolean isToBeTold =
                entries.size() < source.entries().size() && !source.together().isEmpty();
        String head = source.head() + (isToBeTold ? "\n" + source.together() : "");
        return new ImportSource(head, source.together(), entries);
    }

    private Imported imported(Object entry, Set<String> told) {
        if (entry instanceof Draft draft) {
            Imported item = draft.done(isShadow, told);
            return isShadow ? shadow(item) : item;
        }
        return new Imported(((List<?>) entry).stream().map(String::valueOf).toList(), null, false);
    }

    private void document(String head, List<Imported> items) {
        List<ObjectNode> made = jobsOf(items);
        jobs += made.size();
        lost += (int) items.stream().filter(Imported::isLost).count();
        all.addAll(items);
        items.forEach(this::addEntry);
        ObjectNode defaults = defaults(made);
        StringBuilder document = new StringBuilder();
        head.lines()
                .forEach(line -> document.append("# ").append(printable(line)).append('\n'));
        if (isShadow) {
            document.append("# These are shadows: they run nothing, and print what they would have run.\n");
        }
        document.append(JobText.yaml(Trees.object().set("defaults", defaults)));
        document.append(made.isEmpty() ? "jobs: []\n" : "jobs:\n");
        items.forEach(item -> append(document, item, defaults));
        documents.add(document.toString());
    }

    private static Imported shadow(Imported item) {
        ObjectNode job = item.job();
        return job == null ? item : new Imported(item.comments(), Shadow.of(job), false);
    }

    private static void append(StringBuilder document, Imported item, ObjectNode defaults) {
        item.comments()
                .forEach(comment ->
                        document.append("  # ").append(printable(comment)).append('\n'));
        ObjectNode job = item.job();
        if (job != null) {
            document.append(element(JobText.yaml(job.deepCopy().remove(names(defaults, job)))));
        }
    }

    private void addEntry(Imported item) {
        ObjectNode job = item.job();
        if (job != null || item.isLost()) {
            ObjectNode entry = entries.addObject();
            item.comments().forEach(entry.putArray("comments")::add);
            if (job != null) {
                ObjectNode whole = Trees.object().put("namespace", namespace);
                entry.set("job", whole.setAll(job));
            }
        }
    }

    /** Returns what became of all that was added. */
    public List<Imported> items() {
        return all;
    }

    /** Returns the text as {@code rowlock apply} reads it. */
    public String text() {
        return String.join("---\n", documents);
    }

    /** Returns all of it for programs: entries with their comments, and the job that each has become, if any. */
    public JsonNode tree() {
        return entries;
    }

    /** Returns how many jobs there are. */
    public int jobs() {
        return jobs;
    }

    /** Returns how many entries have become no job. */
    public int lost() {
        return lost;
    }

    private static List<ObjectNode> jobsOf(List<Imported> items) {
        List<ObjectNode> jobs = new ArrayList<>();
        for (Imported item : items) {
            if (item.job() != null) {
                jobs.add(item.job());
            }
        }
        return jobs;
    }

    /** Returns the fields that need not be said again: those with the value of their default. */
    private static List<String> names(ObjectNode defaults, ObjectNode job) {
        List<String> names = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : defaults.properties()) {
            if (field.getValue().equals(job.get(field.getKey()))) {
                names.add(field.getKey());
            }
        }
        return names;
    }

    /** Returns what all of them say alike. */
    private ObjectNode defaults(List<ObjectNode> all) {
        ObjectNode defaults = Trees.object().put("namespace", namespace);
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

    /** Returns the text as an element of a list. */
    private static String element(String yaml) {
        return yaml.lines()
                        .map(line -> line.isEmpty() ? line : "    " + line)
                        .collect(Collectors.joining("\n"))
                        .replaceFirst("^ {4}", "  - ")
                + "\n";
    }

    private static String printable(String comment) {
        return comment.replaceAll("\\s", " ").replaceAll("\\p{Cntrl}", "?");
    }
}
