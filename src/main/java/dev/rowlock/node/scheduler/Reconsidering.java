package dev.rowlock.node.scheduler;

import dev.rowlock.node.NodeContext;
import dev.rowlock.node.Pass;
import dev.rowlock.node.RetryBackoff;
import dev.rowlock.node.Signals.Signal;
import dev.rowlock.node.Step;
import dev.rowlock.task.transition.Asides;
import dev.rowlock.task.transition.Asides.Aside;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries of what was set aside, when its time has come, with a list of it for people. Every node does it; the first
 * does it for all.
 */
final class Reconsidering implements Step {

    private static final Logger log = LoggerFactory.getLogger(Reconsidering.class);
    private static final Duration REST = Duration.ofSeconds(5);
    private static final int BATCH = 200;

    private final NodeContext node;
    private final Asides asides;
    private final RetryBackoff<Aside> postponed;
    private volatile List<Aside> known = List.of();

    Reconsidering(NodeContext node, Asides asides) {
        this.node = node;
        this.asides = asides;
        this.postponed = new RetryBackoff<>(
                node.nanos(), Aside::task, a -> "task " + a.task() + ", which is set aside, cannot be taken up");
    }

    @Override
    public Pass runOnce() {
        return node.lease().current().isEmpty()
                ? Pass.rest(REST)
                : node.localTasks().locked(prepared -> reconsider());
    }

    private Pass reconsider() {
        List<Aside> next = asides.next(BATCH + postponed.size());
        known = next.stream().filter(Aside::aside).toList();
        asides.forget(next.stream().filter(a -> a.due() && !a.aside()).toList());
        Set<Long> ids = known.stream().filter(Aside::due).map(Aside::task).collect(Collectors.toSet());
        LongPredicate isReady = postponed.ready(ids::contains);
        List<Aside> due = known.stream()
                .filter(Aside::due)
                .filter(aside -> isReady.test(aside.task()))
                .toList();
        postponed.run(due, this::takeUp, (alone, problem) -> {
            log.warn("task {} of job {} stays set aside: it was refused again", alone.task(), alone.job(), problem);
            asides.refusedAgain(alone);
            return true;
        });
        return Pass.rest(REST);
    }

    private int takeUp(List<Aside> due) {
        asides.takeUp(due);
        log.info(
                "took up {} tasks again that were set aside, such as {} of job {}",
                due.size(),
                due.get(0).task(),
                due.get(0).job());
        node.signals().tell(Signal.TASKS_FREED);
        return due.size();
    }

    /** Returns what is set aside, as of the last pass, for people; empty if nothing is. */
    Optional<String> problem() {
        List<Aside> now = known;
        return now.stream()
                .findFirst()
                .map(first -> (now.size() >= BATCH
                                ? BATCH + " tasks or more"
                                : now.size() == 1 ? "1 task" : now.size() + " tasks")
                        + " set aside, because the database refused what was to be written of them, such as task "
                        + first.task() + " of job " + first.job() + ": " + first.why() + "; tried again at "
                        + first.nextTry() + ", or by POST /api/v1/jobs/" + first.job() + "/release");
    }
}
