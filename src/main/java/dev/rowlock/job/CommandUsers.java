package dev.rowlock.job;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of the users that commands can run as.
 *
 * @param someRunAsOthers whether any live node can run commands as any user
 * @param node the name of this one
 * @param knownHere whether this node knows a user; empty: it cannot tell
 */
public record CommandUsers(
        BooleanSupplier someRunAsOthers, String node, Function<String, Optional<Boolean>> knownHere) {

    /** Users of a cluster without restrictions: any live node can run commands as any user. */
    public static final CommandUsers ANY = new CommandUsers(() -> true, "", user -> Optional.of(true));

    /** Bound on lookups: each starts a process. */
    private static final int MOST_ASKED = 20;

    /**
     * Returns a caching view for many jobs at once: nothing is asked twice, only so many users are looked up, and none
     * after a lookup failed.
     */
    public CommandUsers remembered() {
        Map<String, Optional<Boolean>> known = new HashMap<>();
        Memoized<Boolean> some = new Memoized<>(someRunAsOthers::getAsBoolean);
        return new CommandUsers(some::get, node, user -> {
            boolean asksNoMore = known.size() >= MOST_ASKED || known.containsValue(Optional.<Boolean>empty());
            return asksNoMore ? known.getOrDefault(user, Optional.empty()) : known.computeIfAbsent(user, knownHere);
        });
    }

    /**
     * Returns a warning if this node may run the job and does not know its user. Other nodes are not asked.
     *
     * @param nodes those that are alive
     */
    Optional<String> warning(JobDefinition job, Supplier<List<CandidateNode>> nodes) {
        String user = job.user();
        if (user == null) {
            return Optional.empty();
        }
        Selector selector = Selector.parse(job.nodes());
        boolean mayRunHere = nodes.get().stream().anyMatch(one -> one.name().equals(node) && one.takes(selector));
        return mayRunHere && knownHere.apply(user).equals(Optional.of(false))
                ? Optional.of("user: " + user + " is unknown on this node, " + node
                        + ", and the job fails where it is; create the user on each node that the job may run on")
                : Optional.empty();
    }

    /** Answer that is computed once, on first use. */
    private static final class Memoized<T> {

        private final Supplier<T> question;
        private @Nullable T answer;

        Memoized(Supplier<T> question) {
            this.question = question;
        }

        T get() {
            T found = answer == null ? question.get() : answer;
            answer = found;
            return found;
        }
    }
}
