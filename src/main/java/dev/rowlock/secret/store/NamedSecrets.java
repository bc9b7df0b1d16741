package dev.rowlock.secret.store;

import static dev.rowlock.db.Sql.query;

import dev.rowlock.db.Decision;
import dev.rowlock.db.JsonRows;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Stored secrets that jobs name, and whether they exist. */
public final class NamedSecrets {

    private static final String USERS = """
            select namespace, name, json_extract(definition, '$.secretEnv') as secret_env
              from job force index (by_secrets)
             where uses_secrets = 1 and namespace = :namespace
             order by name
            """;
    private static final String SHARED =
            "select name from secret where namespace = :namespace and name in (<names>) lock in share mode";

    private NamedSecrets() {}

    static boolean users(Handle handle, String namespace, SecretStore.Users users) {
        query(handle, USERS, "namespace", namespace)
                .map((row, context) -> {
                    JobKey job = new JobKey(row.getString("namespace"), row.getString("name"));
                    Set<String> names =
                            new HashSet<>(JsonRows.someTexts(row, "secret_env").values());
                    names.forEach(name -> users.uses(name, job));
                    return job;
                })
                .list();
        return true;
    }

    /**
     * Requires the secrets of a job within the transaction that saves it, so that they stay as long as it does: those
     * that it did not name before must exist.
     *
     * @param before null: there was no such job
     * @throws InvalidDefinition they are not
     */
    public static void mustBeThere(Handle handle, @Nullable JobDefinition before, JobDefinition to) {
        Set<String> names = to.storedSecrets();
        if (before != null) {
            names.removeAll(before.storedSecrets());
        }
        if (!names.isEmpty()) {
            Decision.NAMES.exclude(handle);
            handle.createQuery(SHARED)
                    .bind("namespace", to.namespace())
                    .bindList("names", List.copyOf(names))
                    .mapTo(String.class)
                    .forEach(names::remove);
            InvalidDefinition.throwIfAny(missing(to, names));
        }
    }

    /** Returns the problems of a job whose secrets of these names are missing. */
    public static List<FieldProblem> missing(JobDefinition job, Set<String> names) {
        List<FieldProblem> problems = new ArrayList<>();
        job.secretEnv().entrySet().stream()
                .filter(variable -> names.contains(variable.getValue()))
                .sorted(Map.Entry.comparingByKey())
                .forEach(variable -> problems.add(new FieldProblem(
                        "secretEnv." + variable.getKey(),
                        "there is no secret " + job.namespace() + "/" + variable.getValue()
                                + "; create it with PUT /api/v1/secrets/" + job.namespace() + "/" + variable.getValue()
                                + ", or name another, file:/PATH or env:NAME")));
        return problems;
    }
}
