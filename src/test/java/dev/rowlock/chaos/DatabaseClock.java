package dev.rowlock.chaos;

import dev.rowlock.chaos.Fault.Skipped;
import dev.rowlock.chaos.Findings.Kind;
import dev.rowlock.chaos.Plan.Planned;
import dev.rowlock.exec.process.Uptime;
import dev.rowlock.nodes.Until;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * The clock of the database's server steps, and comes back. Nothing may be settled, purged or moved on for a time that
 * has not come. While it is wrong nobody changes a job and no node starts: what that would mean, nobody can say.
 */
final class DatabaseClock {

    private static final List<Duration> STEPS = List.of(
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            Duration.ofHours(26),
            Duration.ofMinutes(5),
            Duration.ofHours(5),
            Duration.ofSeconds(-20),
            Duration.ofMinutes(-10),
            Duration.ofHours(-26));

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long TOLERANCE_MILLIS = 500;

    /**
     * No schedule of the workload asks for less than one run in a minute. While the clock leaps, what is due within a
     * minute and the horizon may be prepared, as a leap by less is no cause for doubt.
     */
    private static final int AHEAD_SECONDS = 130;

    private final ChaosDatabase database;
    private final Path file;
    private final Operators operators;
    private final Findings findings;
    private final List<ChaosNode> nodes;
    private final ReadWriteLock starting;
    private final long offsetMillis;

    /**
     * @param starting held for writing while no node may start
     * @param offsetMillis the database's time minus the uptime while its clock is right
     */
    DatabaseClock(
            ChaosDatabase database,
            List<ChaosNode> nodes,
            ReadWriteLock starting,
            Operators operators,
            Findings findings,
            long offsetMillis) {
        this.nodes = nodes;
        this.starting = starting;
        this.database = database;
        this.file = database.server().clock().orElse(Path.of(""));
        this.operators = operators;
        this.findings = findings;
        this.offsetMillis = offsetMillis;
    }

    Fault of(Planned planned) throws Exception {
        if (database.server().clock().isEmpty()) {
            throw new Skipped("the clock of the database's server cannot be set");
        }
        Duration step = STEPS.get(planned.salt() % STEPS.size());
        // A lock that a thread takes in begin() and gives back in end(): both are called by that of the lane.
        if (!starting.writeLock().tryLock(1, TimeUnit.SECONDS)) {
            throw new Skipped("a node was starting");
        }
        boolean ready = false;
        try {
            ready = nodes.stream().allMatch(DatabaseClock::isDownOrReady) && operators.pause();
        } finally {
            if (!ready) {
                starting.writeLock().unlock();
            }
        }
        if (!ready) {
            throw new Skipped("a node was starting, or a change was on its way for too long");
        }
        return new Step(step);
    }

    /** By how much a fault set it; zero: it is none of the clock. */
    static Duration stepOf(Injected fault) {
        return STEPS.stream()
                .filter(step -> fault.what().equals(words(step)))
                .findFirst()
                .orElse(Duration.ZERO);
    }

    static String words(Duration step) {
        return "clock of the database at " + (step.isNegative() ? "" : "+") + step.toSeconds() + " s";
    }

    /** What starts has nothing yet by which to doubt a clock. */
    private static boolean isDownOrReady(ChaosNode node) {
        return node.running().map(process -> process.status("/readyz") == 200).orElse(true);
    }

    static void set(Path file, Duration offset) throws java.io.IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, (offset.isNegative() ? "" : "+") + offset.toSeconds() + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * How far the clock is from what it would be, had it never been touched; what is fetched from a server that is away
     * is waited for.
     */
    private long wrongBy() throws SQLException {
        try (Connection admin = database.admin();
                Statement statement = admin.createStatement();
                ResultSet row = statement.executeQuery(
                        "select timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000")) {
            row.next();
            return row.getLong(1) - Uptime.millis() - offsetMillis;
        }
    }

    private void await(Duration offset) throws Exception {
        Until.holds(LIMIT, "a clock of the database that is wrong by " + offset, () -> {
            try {
                return Math.abs(wrongBy() - offset.toMillis()) < TOLERANCE_MILLIS;
            } catch (SQLException e) {
                return false; // another fault has it away
            }
        });
    }

    /** What was done as if the time had come: looked at when the clock is right again. */
    private void findAhead(Duration step) throws Exception {
        String after = "', right after the database's clock was ahead by " + step;
        database.retry("looking for what was done ahead of time", statement -> {
            report(statement, "rows of history lie in the future, such as '", after, """
                    select count(*), min(concat(job, ' ', fire_time, ' to ', last_fire_time, ' ', outcome)) from task_history
                     where origin = '' and last_fire_time > utc_timestamp(3) + interval %d second
                       and outcome <> 'CANCELLED'
                    """.formatted(AHEAD_SECONDS));
            report(
                    statement,
                    "rows of history were purged that are too young even now, such as '",
                    after,
                    Purging.YOUNG);
            report(statement, "cursors have moved into the future, such as '", after, """
                    select count(*), min(concat(j.name, ' ', c.fire_time)) from job_next c join job j on j.id = c.job_id
                     where c.fire_time > utc_timestamp(3) + interval %d second and not j.uses_calendar
                    """.formatted(AHEAD_SECONDS));
        });
    }

    private void report(Statement statement, String what, String when, String sql) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            row.next();
            if (row.getLong(1) > 0) {
                findings.add(Kind.AHEAD, row.getLong(1) + " " + what + row.getString(2) + when);
            }
        }
    }

    /** One step there and back. */
    private final class Step implements Fault {
        private final Duration step;
        private long endedAt = -1;

        Step(Duration step) {
            this.step = step;
        }

        @Override
        public String what() {
            return words(step);
        }

        @Override
        public void begin() throws Exception {
            set(file, step);
            await(step);
        }

        /**
         * When a clock that was slow comes back, that is a step forward like any other: how long it is doubted is not
         * judged.
         */
        @Override
        public long goodFrom() {
            return step.isNegative() ? -1 : endedAt;
        }

        @Override
        public void end() throws Exception {
            try {
                set(file, Duration.ZERO);
                await(Duration.ZERO);
                endedAt = Uptime.millis();
                findAhead(step);
            } finally {
                operators.goOn();
                starting.writeLock().unlock();
            }
        }
    }
}
