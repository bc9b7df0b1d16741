package dev.rowlock.control;

import dev.rowlock.job.JobSchedule;
import dev.rowlock.job.StoredJob;
import dev.rowlock.policy.Elsewhere;
import dev.rowlock.policy.Placement;
import dev.rowlock.policy.Selector;
import dev.rowlock.schedule.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What a person should know about a job that was just saved: nothing here is an error. */
final class JobWarnings {

    /** Among how many fire times the shortest pause is sought. */
    private static final int CONSIDERED = 100;

    private JobWarnings() {}

    /**
     * @param usualDuration of its command, as far as known
     * @param nodes those that are alive
     */
    static List<String> of(StoredJob job, Optional<Duration> usualDuration, Supplier<List<Placement.Node>> nodes) {
        if (!job.stored().isUnderstood()) {
            return List.of("this node does not understand all of the definition and kept the rest as it was: "
                    + job.stored().problem());
        }
        JobSchedule schedule = JobSchedule.of(job.definition(), job.createdAt());
        List<String> warnings = new ArrayList<>(schedule.warnings(job.updatedAt()));
        if (!schedule.isManual() && schedule.nextAfter(job.updatedAt()).isEmpty()) {
            warnings.add("the schedule asks for no fire time any more; the job runs only when asked for");
        }
        usualDuration
                .flatMap(usual -> tooOften(schedule, job.updatedAt(), usual))
                .ifPresent(warnings::add);
        Selector selector = Selector.parse(job.definition().nodes());
        if (!selector.isAny()) {
            nobody(selector, nodes.get()).ifPresent(warnings::add);
        }
        return List.copyOf(warnings);
    }

    private static Optional<String> nobody(Selector selector, List<Placement.Node> nodes) {
        return nodes.stream().anyMatch(node -> node.takes(selector))
                ? Optional.empty()
                : Optional.of("nodes: " + Elsewhere.of(selector, nodes, null).reason()
                        + "; what is due waits until one does (hold NODE)");
    }

    private static Optional<String> tooOften(JobSchedule schedule, Instant from, Duration usual) {
        Optional<Instant> fireTime = schedule.nextAfter(from);
        for (int i = 0; i < CONSIDERED && fireTime.isPresent(); i++) {
            Instant earlier = fireTime.get();
            fireTime = schedule.nextAfter(earlier);
            if (fireTime.isPresent()
                    && Duration.between(earlier, fireTime.get()).compareTo(usual) < 0) {
                return Optional.of("the command usually takes " + Durations.format(usual) + ", but " + fireTime.get()
                        + " comes only " + Durations.format(Duration.between(earlier, fireTime.get())) + " after "
                        + earlier + ": what comes while it runs is skipped (overlap SKIP)");
            }
        }
        return Optional.empty();
    }
}
