package dev.rowlock.store.task;

import dev.rowlock.job.Cause;
import dev.rowlock.job.LaunchId;
import dev.rowlock.policy.FireDecision;
import dev.rowlock.policy.FireDecision.Facts;
import dev.rowlock.policy.FireDecision.Kind;
import dev.rowlock.policy.MisfireDecision;
import dev.rowlock.store.task.Start.Result;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What is decided of the claims of one transaction. */
final class FireDecisions {

    private final Map<Kind, List<Decided>> byKind = new EnumMap<>(Kind.class);

    /** @param rows those that are still ours to start, by task */
    FireDecisions(List<Claim> claims, Map<Long, Row> rows, Duration misfire, int slots) {
        List<Claim> ours = new ArrayList<>(claims.size());
        List<Facts> facts = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            Row row = rows.get(claim.id());
            if (row != null) {
                ours.add(claim);
                facts.add(row.facts(claim));
            }
        }
        List<FireDecision> decisions = FireDecision.of(facts, misfire, slots);
        for (int i = 0; i < ours.size(); i++) {
            Claim claim = ours.get(i);
            Row row = Objects.requireNonNull(rows.get(claim.id()));
            FireDecision decision = decisions.get(i);
            byKind.computeIfAbsent(decision.kind(), kind -> new ArrayList<>()).add(new Decided(claim, row, decision));
        }
    }

    /** A claim with its row, and what becomes of it. */
    record Decided(Claim claim, Row row, FireDecision decision) {

        private StartedTask started(Map<Integer, Long> counters) {
            return new StartedTask(
                    claim.id(),
                    claim.jobId(),
                    claim.version(),
                    claim.shard(),
                    row.fireTime,
                    row.attempt,
                    row.cause,
                    claim.launch(),
                    Objects.requireNonNull(counters.get(claim.shard())) + 1);
        }
    }

    List<Decided> decided(Kind kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    List<Claim> claims(Kind kind) {
        return decided(kind).stream().map(Decided::claim).toList();
    }

    Result result(Map<Integer, Long> counters) {
        return new Result(
                decided(Kind.START).stream().map(d -> d.started(counters)).toList(),
                ids(Kind.EARLY),
                ids(Kind.NO_SLOT),
                ids(Kind.SKIP));
    }

    private Set<Long> ids(Kind kind) {
        return decided(kind).stream().map(d -> d.claim.id()).collect(Collectors.toSet());
    }

    /**
     * One row as it stands under the lock.
     *
     * @param version of its job; 0: there is no such job
     */
    record Row(
            long id,
            LaunchId launch,
            Instant fireTime,
            int attempt,
            Cause cause,
            boolean due,
            Duration late,
            int version,
            boolean held,
            boolean executing,
            int selector,
            boolean queued) {

        /** By the order of the columns and without dates: hundreds of them are read while others wait for the lock. */
        static Row read(ResultSet row) throws SQLException {
            return new Row(
                    row.getLong(1),
                    new LaunchId(row.getString(2)),
                    Instant.ofEpochMilli(row.getLong(3)),
                    row.getInt(4),
                    Cause.valueOf(row.getString(5)),
                    row.getBoolean(6),
                    Duration.of(row.getLong(7), ChronoUnit.MICROS),
                    row.getInt(8),
                    row.getBoolean(9),
                    row.getBoolean(10),
                    row.getInt(11),
                    row.getBoolean(12));
        }

        private Facts facts(Claim claim) {
            Duration waitedForNobody = queued ? Duration.ZERO : late;
            return new Facts(claim.jobId(), cause, waitedForNobody, due, isUnchanged(claim), executing);
        }

        private boolean isUnchanged(Claim claim) {
            return version == claim.version() && !held;
        }

        /** Whether it would be started now, if this node may run it and nothing else is in the way. */
        boolean isToStart(Claim claim, Duration misfire) {
            return due && isUnchanged(claim) && (queued || !MisfireDecision.isMisfire(cause, late, misfire));
        }
    }
}
