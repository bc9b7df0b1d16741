package dev.rowlock.store.job;

import dev.rowlock.db.Conditions;
import dev.rowlock.job.JobFilter;

/** What a filter asks of {@code job j}. */
final class JobConditions {

    private static final String HAS = "exists (select 1 from task t where t.job_id = j.id and t.state = '%s')";
    private static final String HAS_ANY = "(exists (select 1 from task t where t.job_id = j.id) or j.is_manual)";

    private JobConditions() {}

    static Conditions of(JobFilter filter) {
        Conditions where = new Conditions();
        where.add("j.namespace = :namespace", "namespace", filter.namespace());
        if (filter.after() != null) {
            where.add(
                    "j.namespace >= :afterNamespace",
                    "afterNamespace",
                    filter.after().namespace());
            where.add(
                    "(j.namespace > :afterNamespace or j.name > :afterName)",
                    "afterName",
                    filter.after().name());
        }
        where.add(
                "(locate(lower(:text), lower(j.name)) > 0"
                        + " or locate(lower(:text),"
                        + " lower(json_unquote(json_extract(j.definition, '$.description')))) > 0)",
                "text",
                filter.text());
        for (int i = 0; i < filter.labels().size(); i++) {
            JobFilter.Label label = filter.labels().get(i);
            String path = "$.labels.\"" + label.name() + "\"";
            where.add("json_extract(j.definition, :path" + i + ") is not null", "path" + i, path);
            where.add(
                    "json_unquote(json_extract(j.definition, :path" + i + ")) = :label" + i,
                    "label" + i,
                    label.value());
        }
        if (filter.state() != null) {
            where.add(stateCondition(filter.state()));
        }
        return where;
    }

    private static String stateCondition(String state) {
        String executing = HAS.formatted("EXECUTING");
        String prepared = HAS.formatted("PREPARED");
        return switch (state) {
            case "PAUSED" -> "j.paused";
            case "EXECUTING" -> "not j.paused and " + executing;
            case "PREPARED" -> "not j.paused and not " + executing + " and " + prepared;
            case "IDLE" -> "not j.paused and not " + executing + " and not " + prepared + " and " + HAS_ANY;
            case "ENDED" -> "not j.paused and not " + HAS_ANY;
            default -> throw new IllegalArgumentException("no state of a job: " + state);
        };
    }
}
