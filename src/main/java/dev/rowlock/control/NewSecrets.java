package dev.rowlock.control;

import dev.rowlock.job.FieldProblem;
import dev.rowlock.job.JobDefinition;
import dev.rowlock.job.JobKey;
import dev.rowlock.job.StoredDefinition;
import dev.rowlock.store.job.NamedSecrets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Stored secrets that planned jobs name for the first time. A secret that a job named before is not refused. */
final class NewSecrets {

    private final Map<JobKey, List<Use>> uses = new LinkedHashMap<>();

    private record Use(String place, JobDefinition job) {}

    /** @param before null: there is no such job */
    void add(String place, @Nullable StoredDefinition before, StoredDefinition to) {
        Set<String> names = to.definition().storedSecrets();
        if (before != null) {
            names.removeAll(before.definition().storedSecrets());
        }
        for (String name : names) {
            uses.computeIfAbsent(new JobKey(to.definition().namespace(), name), key -> new ArrayList<>())
                    .add(new Use(place, to.definition()));
        }
    }

    /** @param there answers those of some secrets that exist */
    List<FieldProblem> problems(Function<Set<JobKey>, Set<JobKey>> there) {
        Set<JobKey> known = uses.isEmpty() ? Set.of() : there.apply(uses.keySet());
        List<FieldProblem> problems = new ArrayList<>();
        uses.forEach((secret, some) -> some.stream()
                .filter(use -> !known.contains(secret))
                .forEach(use -> NamedSecrets.missing(use.job(), Set.of(secret.name()))
                        .forEach(problem -> problems.add(problem.in(use.place())))));
        return problems;
    }
}
