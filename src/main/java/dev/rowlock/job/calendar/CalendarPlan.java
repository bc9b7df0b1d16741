package dev.rowlock.job.calendar;

import dev.rowlock.definition.FieldChange;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.definition.StoredDefinition;
import dev.rowlock.definition.StoredJob;
import dev.rowlock.definition.calendar.CalendarDefinition;
import dev.rowlock.schedule.Schedule;
import dev.rowlock.schedule.calendar.Calendar;
import dev.rowlock.schedule.calendar.OnClosed;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Effect that a change of a calendar would have on the jobs that name it, in the year ahead.
 *
 * @param isThere whether there is such a calendar
 * @param changes of the calendar itself
 * @param jobs those whose fire times move, by name; the first so many fire times of all of them are told
 * @param jobCount how many jobs name the calendar
 * @param addedCount how many fire times appear
 * @param removedCount how many vanish
 */
public record CalendarPlan(
        String name,
        boolean isThere,
        List<FieldChange> changes,
        List<JobEffect> jobs,
        long jobCount,
        long addedCount,
        long removedCount) {

    private static final int DAYS = 366;
    private static final int TOLD = 1_000;
    private static final Duration DAY = Duration.ofDays(1);

    /**
     * Fire times of one job that move.
     *
     * @param added the first of those that appear
     * @param removed the first of those that vanish
     * @param never whether it is left without any
     */
    public record JobEffect(
            String namespace,
            String name,
            List<Instant> added,
            long addedCount,
            List<Instant> removed,
            long removedCount,
            boolean never) {}

    /** Maker of a plan, job by job. */
    static final class PlanMaker {

        private final String name;
        private final boolean isThere;
        private final List<FieldChange> changes;
        private final Instant now;
        private final List<JobEffect> jobs = new ArrayList<>();
        private final List<JobKey> leftOff = new ArrayList<>();
        private long count;
        private long addedCount;
        private long removedCount;
        private int told;
        private final BitSet all = new BitSet();
        /** Days from now on that may differ where nothing moves to others. */
        private final BitSet changed = new BitSet();

        PlanMaker(String name, Optional<CalendarDefinition> seen, CalendarDefinition to, Instant now) {
            this.name = name;
            this.now = now;
            this.isThere = seen.isPresent();
            all.set(0, DAYS);
            seen.ifPresent(was -> {
                if (Objects.equals(was.zone(), to.zone())) {
                    setChanged(was.calendar(name), to.calendar(name));
                } else {
                    changed.or(all);
                }
            });
            this.changes =
                    seen.map(was -> FieldChange.between(was.json(), to.json())).orElse(List.of());
        }

        /** Notes the days about those that were opened or closed; dates of zones begin up to a day before or after. */
        private void setChanged(Calendar was, Calendar is) {
            long today = LocalDate.ofInstant(now, ZoneOffset.UTC).toEpochDay();
            for (int day = -1; day <= DAYS + 1; day++) {
                if (was.isOpen(today + day) != is.isOpen(today + day)) {
                    changed.set(Math.max(0, day - 2), Math.min(DAYS, day + 2));
                }
            }
        }

        /** Returns whether days other than those that were opened or closed may have other fire times, too. */
        private static boolean movesDays(JobDefinition job) {
            boolean stays = job.onClosed() == OnClosed.SKIP || job.onClosed() == OnClosed.RUN;
            return !stays || job.schedule().toString().toUpperCase(Locale.ROOT).contains("B");
        }

        void add(StoredJob job, StoredDefinition by) {
            count++;
            FireTimeDifference found = new FireTimeDifference(
                    JobSchedule.of(job.definition(), job.createdAt()),
                    JobSchedule.of(by.definition(), job.createdAt()));
            boolean never = found.after.nextAfter(now).isEmpty();
            if (never && found.before.nextAfter(now).isPresent()) {
                leftOff.add(job.key());
            }
            BitSet days = movesDays(job.definition()) ? all : changed;
            for (int day = days.nextSetBit(0); day >= 0; day = days.nextSetBit(day + 1)) {
                found.look(now.plus(DAY.multipliedBy(day)), now.plus(DAY.multipliedBy(day + 1L)));
            }
            if (found.addedCount + found.removedCount > 0) {
                addedCount += found.addedCount;
                removedCount += found.removedCount;
                jobs.add(new JobEffect(
                        job.key().namespace(),
                        job.key().name(),
                        List.copyOf(found.added),
                        found.addedCount,
                        List.copyOf(found.removed),
                        found.removedCount,
                        never));
            }
        }

        /** Returns the jobs that are left without any fire time. */
        List<JobKey> leftOff() {
            return leftOff;
        }

        CalendarPlan made() {
            jobs.sort(Comparator.comparing(JobEffect::namespace).thenComparing(JobEffect::name));
            return new CalendarPlan(name, isThere, changes, jobs, count, addedCount, removedCount);
        }

        /** Difference of two schedules, looked for where a day has more or fewer fire times, or others at its ends. */
        private final class FireTimeDifference {

            private final Schedule before;
            private final Schedule after;
            private final List<Instant> added = new ArrayList<>();
            private final List<Instant> removed = new ArrayList<>();
            private long addedCount;
            private long removedCount;

            FireTimeDifference(Schedule before, Schedule after) {
                this.before = before;
                this.after = after;
            }

            void look(Instant from, Instant until) {
                long was = before.countBetween(from, until);
                long is = after.countBetween(from, until);
                boolean same = was == is
                        && (was == 0
                                || (before.nextAfter(from).equals(after.nextAfter(from))
                                        && before.lastBetween(from, until).equals(after.lastBetween(from, until))));
                if (same) {
                    return;
                }
                if (was == 0 || is == 0) { // mostly: a day that was closed, or opened
                    addedCount += is;
                    removedCount += was;
                    if (told < TOLD) {
                        tell(first(after, from, until), added);
                        tell(first(before, from, until), removed);
                    }
                } else {
                    compare(all(before, from, until), all(after, from, until));
                }
            }

            private void compare(Set<Instant> was, Set<Instant> is) {
                List<Instant> appear = is.stream().filter(t -> !was.contains(t)).toList();
                List<Instant> vanish = was.stream().filter(t -> !is.contains(t)).toList();
                addedCount += appear.size();
                removedCount += vanish.size();
                tell(appear, added);
                tell(vanish, removed);
            }

            private void tell(List<Instant> times, List<Instant> list) {
                for (Instant t : times) {
                    if (told < TOLD) {
                        list.add(t);
                        told++;
                    }
                }
            }

            private List<Instant> first(Schedule schedule, Instant from, Instant until) {
                List<Instant> first = new ArrayList<>();
                Optional<Instant> next = schedule.nextAfter(from);
                while (next.isPresent() && !next.get().isAfter(until) && told + first.size() < TOLD) {
                    first.add(next.get());
                    next = schedule.nextAfter(next.get());
                }
                return first;
            }
        }

        private static Set<Instant> all(Schedule schedule, Instant from, Instant until) {
            Set<Instant> all = new LinkedHashSet<>();
            Optional<Instant> next = schedule.nextAfter(from);
            while (next.isPresent() && !next.get().isAfter(until)) {
                all.add(next.get());
                next = schedule.nextAfter(next.get());
            }
            return all;
        }
    }
}
