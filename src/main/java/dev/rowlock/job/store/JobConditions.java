package dev.rowlock.job.store;

import dev.rowlock.db.Conditions;
import dev.rowlock.definition.JobFilter;
import dev.rowlock.task.Hold;
import dev.rowlock.task.Hold.Trait;
import java.util.List;
import java.util.regex.Pattern;

/** Conditions of a filter on {@code job j}. */
final class JobConditions {

    private static final String HAS = "exists (select 1 from task t where t.job_id = j.id and t.state = '%s')";
    private static final String HAS_ANY = "(exists (select 1 from job_next c where c.job_id = j.id)"
            + " or exists (select 1 from task t where t.job_id = j.id) or j.is_manual)";

    /** Text that JSON can only write in one way. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9 ._:@=+-]*");

    private JobConditions() {}

    /** Returns the source of jobs by name: the index alone if text or labels exclude many. */
    static String from(JobFilter filter) {
        return isNarrow(filter)
                ? "from job i force index (by_find) straight_join job j force index (primary) on j.id = i.id"
                : "from job j";
    }

    /** Returns the conditions that belong to {@link #from}. */
    static Conditions named(JobFilter filter) {
        String row = isNarrow(filter) ? "i" : "j";
        Conditions where = of(filter, row);
        if (filter.after() != null) {
            where.add(
                    row + ".namespace >= :afterNamespace",
                    "afterNamespace",
                    filter.after().namespace());
            where.add(
                    "(" + row + ".namespace > :afterNamespace or " + row + ".name > :afterName)",
                    "afterName",
                    filter.after().name());
        }
        return where;
    }

    /** Returns the order of {@link #from}. */
    static String order(JobFilter filter) {
        String row = isNarrow(filter) ? "i" : "j";
        return " order by " + row + ".namespace, " + row + ".name limit " + filter.limit();
    }

    private static boolean isNarrow(JobFilter filter) {
        return filter.text() != null || !filter.labels().isEmpty();
    }

    /** @param row of the job, as far as the index for finding has it */
    static Conditions of(JobFilter filter, String row) {
        Conditions where = new Conditions();
        where.add(row + ".namespace = :namespace", "namespace", filter.namespace());
        if (!filter.within().isEmpty()) {
            where.addList(row + ".namespace in (<within>)", "within", List.copyOf(filter.within()));
        }
        List<String> words = words(filter);
        for (int i = 0; i < words.size(); i++) {
            where.add(has("word" + i, searched(row)), "word" + i, words.get(i));
        }
        for (int i = 0; i < filter.labels().size(); i++) {
            label(where, filter.labels().get(i), i, row);
        }
        if (filter.state() != null) {
            where.add(stateCondition(filter.state()));
        }
        return where;
    }

    /** Returns the words to look for, all of which must match. */
    static List<String> words(JobFilter filter) {
        String text = filter.text() == null ? "" : filter.text().strip();
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+"));
    }

    /** Returns the searched text: {@code namespace/name} and the description, in lower case. */
    static String searched(String row) {
        return "concat(cast(lower(" + row + ".namespace) as binary), '/', " + row + ".search)";
    }

    /** Returns the condition that a text has a word that is bound to this name. */
    static String has(String name, String text) {
        return "locate(cast(lower(:" + name + ") as binary), " + text + ") > 0";
    }

    /**
     * Adds a condition on a label. The text of all labels shows which jobs may have one, and may have been cut; the
     * definition shows which do.
     */
    private static void label(Conditions where, JobFilter.Label label, int i, String row) {
        String may = "(length(%1$s.label_text) = 1100 or locate(cast(:%2$s as binary), %1$s.label_text) > 0)";
        where.add(may.formatted(row, "name" + i), "name" + i, quoted(label.name()));
        String path = "$.labels." + quoted(label.name());
        where.add("json_extract(j.definition, :path" + i + ") is not null", "path" + i, path);
        String value = label.value();
        if (value != null) {
            if (PLAIN.matcher(value).matches()) {
                where.add(may.formatted(row, "value" + i), "value" + i, quoted(value));
            }
            where.add("json_unquote(json_extract(j.definition, :path" + i + ")) = :label" + i, "label" + i, value);
        }
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private static String stateCondition(String state) {
        String executing = HAS.formatted("EXECUTING");
        String prepared = HAS.formatted("PREPARED");
        return switch (state) {
            case "PAUSED" -> "j.paused";
            case "EXECUTING" -> "not j.paused and " + executing;
            case "PREPARED" -> "not j.paused and not " + executing + " and " + prepared;
            case "IDLE" -> "not j.paused and not " + executing + " and not " + prepared + " and " + HAS_ANY;
            case "FAILING" -> "exists (select 1 from job_stats s where s.job_id = j.id and s.result = 'FAILED')";
            case "STUCK" ->
                "not j.paused and (exists (select 1 from task t where t.job_id = j.id and t.state = 'IDLE'"
                        + " and t.hold in " + Hold.listOf(Trait.STUCK) + ")"
                        + " or exists (select 1 from job_next c where c.job_id = j.id and c.hold = 'ERROR'))";
            case "NEVER_RAN" ->
                "not exists (select 1 from job_stats s where s.job_id = j.id"
                        + " and (s.last_task is not null or s.declined))";
            case "ENDED" -> "not j.paused and not " + HAS_ANY;
            default -> throw new IllegalArgumentException("no state of a job: " + state);
        };
    }
}
