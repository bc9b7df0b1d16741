package dev.rowlock.job;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.Misfire;
import dev.rowlock.definition.Overlap;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.schedule.Durations;
import dev.rowlock.schedule.Zones;
import dev.rowlock.task.rule.FirePolicy;
import dev.rowlock.task.rule.NoEligibleNode;
import dev.rowlock.task.rule.Placement.CandidateNode;
import dev.rowlock.task.rule.Selector;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Warnings about a job that was just saved; none is an error. */
public final class JobWarnings {

    /** Number of fire times among which the shortest distance is sought. */
    private static final int CONSIDERED = 100;

    private JobWarnings() {}

    /**
     * @param usualDuration of its command, as far as known
     * @param nodes those that are alive
     */
    public static List<String> of(
            StoredJob job, Optional<Duration> usualDuration, Supplier<List<CandidateNode>> nodes, CommandUsers users) {
        if (!job.stored().isUnderstood()) {
            return List.of("this node does not understand all of the definition and kept the rest as it was: "
                    + job.stored().problem());
        }
        JobSchedule schedule = JobSchedule.of(job.definition(), job.createdAt());
        List<String> warnings = new ArrayList<>(schedule.warnings(job.updatedAt()));
        if (!schedule.isManual() && schedule.nextAfter(job.updatedAt()).isEmpty()) {
            warnings.add("the schedule asks for no fire time any more; the job runs only when asked for");
        }
        Set<String> zones = new LinkedHashSet<>(job.definition().schedule().zones());
        zones.add(job.definition().zone());
        zones.forEach(zone -> Zones.warning(zone).ifPresent(warnings::add));
        warnings.addAll(withoutEffect(job.definition()));
        usualDuration
                .flatMap(usual -> tooOften(job.definition(), schedule, job.updatedAt(), usual))
                .ifPresent(warnings::add);
        nobody(job.definition(), nodes).ifPresent(warnings::add);
        users.warning(job.definition(), nodes).ifPresent(warnings::add);
        return List.copyOf(warnings);
    }

    /** Returns a warning if none of the live nodes may run the job. */
    static Optional<String> nobody(JobDefinition job, Supplier<List<CandidateNode>> alive) {
        Selector selector = Selector.parse(job.nodes());
        if (selector.isAny()) {
            return Optional.empty();
        }
        List<CandidateNode> nodes = alive.get();
        return nodes.stream().anyMatch(node -> node.takes(selector))
                ? Optional.empty()
                : Optional.of(
                        "nodes: " + NoEligibleNode.of(selector, nodes, null).reason()
                                + "; what is due waits until one does (hold NODE)");
    }

    /** Returns warnings of fields without effect, as another one overrides them. */
    private static List<String> withoutEffect(JobDefinition job) {
        List<String> warnings = new ArrayList<>();
        if (job.schedule().isManual()) {
            ofNoSchedule(job)
                    .forEach(field -> warnings.add(field + " has no effect: a job that is @manual has no fire times"));
        }
        if (job.command().text() != null && job.command().text().contains("\r\n")) {
            warnings.add("command has line ends of Windows (CR LF), which a shell takes for a part of each last word:"
                    + " save it with LF alone");
        }
        if (job.maxPerNode() != null && job.overlap() != Overlap.ALLOW) {
            warnings.add("maxPerNode has no effect: with overlap " + job.overlap()
                    + " one task of the job executes at most" + (job.broadcast() ? " on each node" : ""));
        }
        if (job.misfireThreshold() != null
                && job.startDeadline() != null
                && job.misfireThreshold().compareTo(job.startDeadline()) >= 0) {
            warnings.add("misfireThreshold has no effect: what is that late is past its startDeadline, and missed");
        }
        if (job.limits() != null
                && job.limits().processes() != null
                && ("root".equals(job.user()) || "0".equals(job.user()))) {
            warnings.add("limits.processes has no effect: the kernel does not count root's processes");
        }
        return warnings;
    }

    private static List<String> ofNoSchedule(JobDefinition job) {
        List<String> fields = new ArrayList<>();
        if (job.misfire() != Misfire.RUN_ONCE) {
            fields.add("misfire");
        }
        if (job.startAt() != null) {
            fields.add("startAt");
        }
        if (job.endAt() != null) {
            fields.add("endAt");
        }
        return fields;
    }

    private static Optional<String> tooOften(JobDefinition job, JobSchedule schedule, Instant from, Duration usual) {
        Optional<Instant> fireTime = schedule.nextAfter(from);
        for (int i = 0; i < CONSIDERED && fireTime.isPresent(); i++) {
            Instant earlier = fireTime.get();
            fireTime = schedule.nextAfter(earlier);
            if (fireTime.isPresent()
                    && Duration.between(earlier, fireTime.get()).compareTo(usual) < 0) {
                return Optional.of("the command usually takes " + Durations.format(usual) + ", but " + fireTime.get()
                        + " comes only " + Durations.format(Duration.between(earlier, fireTime.get())) + " after "
                        + earlier + ": " + overlapping(job));
            }
        }
        return Optional.empty();
    }

    private static String overlapping(JobDefinition job) {
        return switch (job.overlap()) {
            case SKIP -> "what comes while it runs is skipped (overlap SKIP)";
            case QUEUE ->
                "what comes while it runs waits, and is skipped if "
                        + FirePolicy.of(job).overlapLimit() + " wait already (overlap QUEUE)";
            case ALLOW ->
                job.overlapLimit() == null
                        ? "its runs run side by side, as many as there are slots (overlap ALLOW)"
                        : "its runs run side by side, and what comes while " + job.overlapLimit()
                                + " run is skipped (overlap ALLOW)";
            case REPLACE -> "each run is killed by the next one, and few come to their end (overlap REPLACE)";
        };
    }
}
