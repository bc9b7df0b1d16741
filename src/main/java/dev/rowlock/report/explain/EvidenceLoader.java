package dev.rowlock.report.explain;

import dev.rowlock.audit.AuditQueries;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.JobSchedule;
import dev.rowlock.job.store.JobLives;
import dev.rowlock.job.store.JobLives.Clock;
import dev.rowlock.job.store.JobLives.JobLife;
import dev.rowlock.job.store.JobLives.Version;
import dev.rowlock.task.TaskFilter;
import dev.rowlock.task.TaskView;
import dev.rowlock.task.query.TaskQueries;
import dev.rowlock.task.store.Trails;
import dev.rowlock.task.store.Trails.Trail;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collection of everything in a {@link Evidence}. */
final class EvidenceLoader {

    /** Most nodes with a part in one occurrence that is told in full. */
    private static final int MOST_TASKS = 500;

    static final int MOST_VERSIONS = 50;

    private final JobLives versions;
    private final TaskQueries tasks;
    private final Trails trails;
    private final AuditQueries audit;

    EvidenceLoader(JobLives versions, TaskQueries tasks, Trails trails, AuditQueries audit) {
        this.versions = versions;
        this.tasks = tasks;
        this.trails = trails;
        this.audit = audit;
    }

    /** Returns the zone of the job's present schedule; UTC if it is not known. */
    ZoneId zone(JobKey key) {
        return of(key, null)
                .flatMap(now -> now.version().flatMap(now::schedule))
                .map(JobSchedule::zone)
                .orElse(ZoneId.of("UTC"));
    }

    /** @param asked null: the database's time */
    Optional<Evidence> of(JobKey key, @Nullable Instant asked) {
        Clock clock = versions.clock();
        Instant at = (asked == null ? clock.now() : asked).truncatedTo(ChronoUnit.MILLIS);
        List<JobLife> lives = versions.lives(key);
        List<Attempt> found = attempts(key, at);
        if (lives.isEmpty() && found.isEmpty() && !tasks.isKnown(key)) {
            return Optional.empty();
        }
        @Nullable
        JobLife life = lifeAt(lives, at)
                .or(() -> lifeOf(lives, found))
                .or(() -> lifeAround(lives, at))
                .orElse(null);
        Evidence now = of(key, at, clock, life, ofLife(found, life), Evidence::main);
        Evidence all =
                now.attempts().isEmpty() && !found.isEmpty() && !asks(now) ? ofAnotherLife(now, lives, found) : now;
        return Optional.of(all.attempts().stream().allMatch(one -> isAbout(one, all)) ? all : withoutNeighbours(all));
    }

    Optional<Evidence> of(long task) {
        return tasks.find(task).or(() -> tasks.findTurn(task)).map(view -> {
            Clock clock = versions.clock();
            Instant at = view.fireTime();
            List<Attempt> found = withTask(task, view.job(), at);
            @Nullable Trail trail = trails.of(List.of(task)).get(task);
            List<JobLife> lives = versions.lives(view.job());
            @Nullable
            JobLife life = trail == null
                    ? lifeOf(lives, found).or(() -> last(lives)).orElse(null)
                    : lives.stream()
                            .filter(one -> one.jobId() == trail.jobId())
                            .findFirst()
                            .orElse(null);
            return of(
                    view.job(),
                    at,
                    clock,
                    life,
                    ofLife(found, life),
                    all -> all.stream()
                            .filter(one -> one.id() == task)
                            .findFirst()
                            .orElse(new Attempt(view, trail)));
        });
    }

    /** Returns one task; empty if there is none. */
    Optional<Attempt> attempt(long task) {
        return tasks.find(task)
                .map(view -> new Attempt(view, trails.of(List.of(task)).get(task)));
    }

    /** Returns the case of an earlier job of the same name, which was to run then while the present one was not. */
    private Evidence ofAnotherLife(Evidence now, List<JobLife> lives, List<Attempt> found) {
        @Nullable JobLife other = lifeOf(lives, found).or(() -> last(lives)).orElse(null);
        return of(now.key(), now.at(), now.clock(), other, ofLife(found, other), Evidence::main);
    }

    /** Returns the case of another instant of the same job. */
    Evidence neighbour(Evidence one, Instant at) {
        List<Attempt> found = ofLife(attempts(one.key(), at), one.life());
        return of(one.key(), at, one.clock(), one.life(), found, Evidence::main);
    }

    private Evidence of(
            JobKey key,
            Instant at,
            Clock clock,
            @Nullable JobLife life,
            List<Attempt> attempts,
            java.util.function.Function<List<Attempt>, @Nullable Attempt> choice) {
        @Nullable Attempt main = choice.apply(attempts);
        List<Version> until = life == null ? List.of() : versions.until(life.jobId(), at, MOST_VERSIONS);
        List<Version> since = life == null ? List.of() : versions.since(life.jobId(), at, MOST_VERSIONS);
        @Nullable
        Version own = life == null || main == null
                ? null
                : versions.numbered(life.jobId(), main.task().jobVersion()).orElse(null);
        Requesters requesters = Requesters.of(main, attempts, audit);
        return new Evidence(key, at, clock, life, until, since, own, attempts, main, requesters);
    }

    /**
     * Returns the attempts at an instant. One that was withdrawn before its time is included only if it is asked about.
     */
    private List<Attempt> withTask(long task, JobKey key, Instant at) {
        List<Attempt> found = attempts(key, at);
        return found.stream().anyMatch(one -> one.id() == task) ? found : attempts(key, at, true);
    }

    private List<Attempt> attempts(JobKey key, Instant at) {
        return attempts(key, at, false);
    }

    private List<Attempt> attempts(JobKey key, Instant at, boolean withdrawn) {
        List<TaskView> views = tasks.page(new TaskFilter(
                key.namespace(),
                key.name(),
                null,
                null,
                null,
                at,
                at.plusMillis(1),
                null,
                MOST_TASKS,
                true,
                withdrawn,
                null,
                null,
                List.of()));
        Map<Long, Trail> found = trails.of(views.stream().map(TaskView::id).toList());
        return views.stream()
                .map(view -> new Attempt(view, found.get(view.id())))
                .sorted(Attempt.ORDER)
                .toList();
    }

    private static List<Attempt> ofLife(List<Attempt> attempts, @Nullable JobLife life) {
        Predicate<Attempt> isOfIt =
                one -> life == null || one.trail() == null || one.trail().jobId() == life.jobId();
        return attempts.stream().filter(isOfIt).toList();
    }

    private static Optional<JobLife> lifeAt(List<JobLife> lives, Instant at) {
        return lives.stream()
                .filter(life -> life.createdAt().isBefore(at))
                .filter(life -> life.deletedAt() == null || !life.deletedAt().isBefore(at))
                .findFirst();
    }

    private static Optional<JobLife> lifeOf(List<JobLife> lives, List<Attempt> attempts) {
        return lives.stream()
                .filter(life -> attempts.stream()
                        .anyMatch(one -> one.trail() != null && one.trail().jobId() == life.jobId()))
                .findFirst();
    }

    /** Returns the job that bore the name last before an instant at which none did, or else the first one. */
    private static Optional<JobLife> lifeAround(List<JobLife> lives, Instant at) {
        return lives.stream()
                .filter(life -> life.deletedAt() != null && life.deletedAt().isBefore(at))
                .reduce((earlier, later) -> later)
                .or(() -> lives.stream().findFirst());
    }

    private static Optional<JobLife> last(List<JobLife> lives) {
        return lives.stream().reduce((earlier, later) -> later);
    }

    /** Returns whether a row is about the instant: one for several fire times also covers instants between them. */
    private static boolean isAbout(Attempt one, Evidence all) {
        return !one.task().fireTime().isBefore(all.at()) || asks(all);
    }

    /** Returns whether the schedule in force has this fire time; true if that is not known. */
    private static boolean asks(Evidence all) {
        return all.inForce()
                .flatMap(all::schedule)
                .map((JobSchedule schedule) -> schedule.matches(all.at()))
                .orElse(true);
    }

    private Evidence withoutNeighbours(Evidence all) {
        List<Attempt> own =
                all.attempts().stream().filter(one -> isAbout(one, all)).toList();
        return of(all.key(), all.at(), all.clock(), all.life(), own, Evidence::main);
    }
}
