package dev.rowlock.control;

import dev.rowlock.job.FieldProblem;
import dev.rowlock.job.InvalidDefinition;
import dev.rowlock.job.StoredDefinition;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the user of a job can be had at all.
 *
 * @param someRunAsOthers whether any live node can run commands as any user
 */
record UserCheck(BooleanSupplier someRunAsOthers) {

    /**
     * The user that a job had before is not refused: the node that could run it may be away for a while.
     *
     * @throws InvalidDefinition if no live node could run it
     */
    void check(@Nullable StoredDefinition before, StoredDefinition to) {
        String user = to.definition().user();
        boolean isNew = before == null || !user(before).equals(user(to));
        if (user != null && isNew && !someRunAsOthers.getAsBoolean()) {
            throw new InvalidDefinition(List.of(new FieldProblem(
                    "user",
                    "no live node can run a command as user " + user
                            + ": start the daemon of one as root, or leave the user out")));
        }
    }

    private static String user(StoredDefinition stored) {
        String user = stored.definition().user();
        return user == null ? "" : user;
    }
}
