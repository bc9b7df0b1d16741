package dev.rowlock.job;

import dev.rowlock.definition.SecretReference;
import dev.rowlock.definition.SecretReference.ReferenceKind;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.field.FieldProblem;
import dev.rowlock.field.InvalidDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Check of what a definition requires of nodes, before it is saved. What the job required before is not refused: the
 * node that has it may be away for a while, and somebody else may have been allowed to require it.
 *
 * @param someRunAsOthers whether any live node can run commands as any user
 */
public record DefinitionCheck(BooleanSupplier someRunAsOthers) {

    /**
     * Checks what is new in a definition.
     *
     * @param within the namespaces to which whoever saves it is limited; empty: to none
     * @throws InvalidDefinition no live node could run it, or the caller may not ask for that
     */
    public void check(Set<String> within, @Nullable StoredDefinition before, StoredDefinition to) {
        String user = to.definition().user();
        boolean isNew = before == null || !user(before).equals(user(to));
        if (user != null && isNew && !someRunAsOthers.getAsBoolean()) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "user",
                    "no live node can run a command as user " + user
                            + ": start the daemon of one as root (a packaged one by the drop-in host-cron.conf, see"
                            + " docs/operations.md), or leave the user out")));
        }
        if (!within.isEmpty()) {
            checkSecrets(before, to);
        }
    }

    /** Refuses files and variables of nodes, which belong to no namespace, to callers limited to namespaces. */
    private static void checkSecrets(@Nullable StoredDefinition before, StoredDefinition to) {
        Collection<String> known =
                before == null ? List.of() : before.definition().secretEnv().values();
        List<FieldProblem> problems = new ArrayList<>();
        to.definition().secretEnv().forEach((name, text) -> {
            boolean local = SecretReference.parse(text).kind() != ReferenceKind.STORED;
            if (local && !known.contains(text)) {
                problems.add(new FieldProblem(
                        "secretEnv." + name,
                        "names a file or a variable of the nodes, which belong to no namespace: that needs a token"
                                + " without namespaces; store the secret instead (PUT /api/v1/secrets/"
                                + to.definition().key().namespace() + "/NAME)"));
            }
        });
        InvalidDefinition.throwIfAny(problems);
    }

    private static String user(StoredDefinition stored) {
        String user = stored.definition().user();
        return user == null ? "" : user;
    }
}
