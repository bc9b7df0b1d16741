package dev.rowlock.report.verify;

import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Timeline of a job's schedules. Each has its fire times from when it came into force until it was replaced, that
 * moment included; a version with the same schedule prolongs it. Immutable.
 */
final class Timeline {

    /**
     * @param limited whether it asks for no more once the job has run as often as it may
     * @param spent whether the job had done so before it came into force, so that it asks for nothing at all
     */
    private record ValidityPeriod(
            int firstVersion,
            JobSchedule schedule,
            boolean limited,
            boolean spent,
            Instant after,
            @Nullable Instant until) {

        ValidityPeriod prolonged(@Nullable Instant through) {
            return new ValidityPeriod(firstVersion, schedule, limited, spent, after, through);
        }

        /** Returns the next fire time, while the schedule is in force. */
        Optional<Instant> nextAfter(Instant t) {
            return spent ? Optional.empty() : inForceAfter(t);
        }

        private Optional<Instant> inForceAfter(Instant t) {
            return schedule.nextAfter(later(t, after)).filter(next -> until == null || !next.isAfter(until));
        }

        Instant endOr(Instant through) {
            return until == null || through.isBefore(until) ? through : until;
        }
    }

    static final Timeline EMPTY = new Timeline(List.of());

    private final List<ValidityPeriod> periods;

    private Timeline(List<ValidityPeriod> periods) {
        this.periods = periods;
    }

    /**
     * @param versions all of one job, in order
     * @throws IllegalStateException if a schedule is not understood
     */
    static Timeline of(List<JobVersion> versions) {
        Instant createdAt = versions.get(0).from();
        List<ValidityPeriod> periods = new ArrayList<>();
        @Nullable JobDefinition before = null;
        Instant after = createdAt;
        for (JobVersion version : versions) {
            StoredDefinition stored =
                    StoredDefinition.read(version.key(), version.definition(), version.paused(), version.calendars());
            if (stored.schedule(createdAt).isEmpty()) {
                throw new IllegalStateException("a stored definition is not understood: " + stored.problem());
            }
            JobDefinition definition = stored.definition();
            ValidityPeriod last = periods.isEmpty() ? null : periods.get(periods.size() - 1);
            if (last != null && before != null && isSame(before, definition, createdAt)) {
                periods.set(periods.size() - 1, last.prolonged(version.until()));
            } else {
                after = later(after, version.from());
                periods.add(new ValidityPeriod(
                        version.version(),
                        JobSchedule.of(definition, createdAt),
                        definition.maxRuns() != null,
                        isSpent(definition, version),
                        after,
                        version.until()));
            }
            before = definition;
        }
        return new Timeline(periods);
    }

    private static boolean isSpent(JobDefinition definition, JobVersion version) {
        return definition.maxRuns() != null && version.runs() != null && version.runs() >= definition.maxRuns();
    }

    private static boolean isSame(JobDefinition one, JobDefinition other, Instant createdAt) {
        return Objects.equals(one.maxRuns(), other.maxRuns()) && JobSchedule.isSame(one, other, createdAt);
    }

    /** Returns whether fire times after {@code t} may not be asked for, as the job has run as often as it may. */
    boolean isLimitedAfter(Instant t) {
        return periodAfter(t).filter(ValidityPeriod::limited).isPresent();
    }

    /** Returns until when that limit holds; empty: forever. */
    Optional<Instant> limitedUntil(Instant t) {
        return periodAfter(t).flatMap(period -> Optional.ofNullable(period.until()));
    }

    private Optional<ValidityPeriod> periodAfter(Instant t) {
        return periods.stream()
                .filter(period -> period.until() == null || period.until().isAfter(t))
                .findFirst();
    }

    /** Returns whether the job exists. */
    boolean goesOn() {
        return periods.get(periods.size() - 1).until() == null;
    }

    /** Returns the first fire time after {@code t}. */
    Optional<Instant> nextAfter(Instant t) {
        for (ValidityPeriod period : periods) {
            if (period.until() == null || period.until().isAfter(t)) {
                Optional<Instant> next = period.nextAfter(t);
                if (next.isPresent()) {
                    return next;
                }
            }
        }
        return Optional.empty();
    }

    boolean matches(Instant t) {
        return nextAfter(t.minusMillis(1)).filter(t::equals).isPresent();
    }

    /** Returns whether the schedule in force at a fire time had a later one before it was replaced. */
    boolean hasMoreInTheSamePeriod(Instant t) {
        for (ValidityPeriod period : periods) {
            if (period.until() == null || !period.until().isBefore(t)) {
                return period.nextAfter(t).isPresent();
            }
        }
        return false;
    }

    /**
     * Returns whether one schedule replaced another, or the job was deleted, after the one instant and before the
     * other.
     */
    boolean changedBetween(Instant after, Instant before) {
        return periods.stream()
                .anyMatch(r -> r.until() != null
                        && !r.until().isBefore(after)
                        && r.until().isBefore(before));
    }

    /** Returns the number of fire times from one through the other. */
    long count(Instant from, Instant through) {
        long count = 0;
        for (ValidityPeriod period : periods) {
            Instant after = later(from.minusMillis(1), period.after());
            Instant until = period.endOr(through);
            if (!period.spent() && after.isBefore(until)) {
                count += period.schedule().countBetween(after, until);
            }
        }
        return count;
    }

    /** Returns the last fire time from one through the other. */
    Optional<Instant> last(Instant from, Instant through) {
        Optional<Instant> last = Optional.empty();
        for (ValidityPeriod period : periods) {
            Instant after = later(from.minusMillis(1), period.after());
            Optional<Instant> found =
                    period.spent() ? Optional.empty() : period.schedule().lastBetween(after, period.endOr(through));
            last = found.isPresent() ? found : last;
        }
        return last;
    }

    /** Returns whether this lay ahead when its schedule was replaced, or the job was deleted. */
    boolean wasOvertaken(AccountingEntry entry) {
        Instant until = periodOf(entry).until();
        return until != null && entry.fireTime().isAfter(until);
    }

    /** Returns whether the schedule of the entry's own version has its fire time. */
    boolean wasAskedForByItsVersion(AccountingEntry entry) {
        return periodOf(entry).schedule().matches(entry.fireTime());
    }

    private ValidityPeriod periodOf(AccountingEntry entry) {
        ValidityPeriod found = periods.get(0);
        for (ValidityPeriod period : periods) {
            if (period.firstVersion() <= entry.version()) {
                found = period;
            }
        }
        return found;
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }
}
