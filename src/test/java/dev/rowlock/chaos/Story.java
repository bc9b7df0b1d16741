package dev.rowlock.chaos;

import dev.rowlock.chaos.Ledger.Alarm;
import dev.rowlock.chaos.Ledger.Backfilled;
import dev.rowlock.chaos.Ledger.Ended;
import dev.rowlock.chaos.Ledger.Live;
import dev.rowlock.chaos.Ledger.Version;
import dev.rowlock.chaos.SessionWatch.Presence;
import dev.rowlock.definition.JobDefinition;
import dev.rowlock.definition.JobKey;
import dev.rowlock.definition.StoredDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** A run that never was, for tests of the checks. All times are milliseconds since it began, as in uptime. */
final class Story {

    static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
    private static final String NAME = "job";

    final Conditions conditions = new Conditions();
    final List<Injected> injected = new ArrayList<>();
    final List<Operators.Run> runs = new ArrayList<>();
    final List<Presence> sessions = new ArrayList<>();
    final Asked asked = new Asked();
    /** By name and the version that a definition names. */
    final Map<String, DrawnCalendar> calendars = new TreeMap<>();

    private final List<Mark> marks = new ArrayList<>();
    private final List<Ended> history = new ArrayList<>();
    private final List<Live> live = new ArrayList<>();
    private final List<Backfilled> backfills = new ArrayList<>();
    private final List<Alarm> alarms = new ArrayList<>();
    private final Map<Long, List<Version>> versions = new TreeMap<>();

    /** A job, whose number is how many there were before it, with these fields besides the usual. */
    Story job(String fields) {
        long id = versions.size();
        versions.put(id, new ArrayList<>());
        return version(id, fields, 0, null, false);
    }

    /** A further version of the last job. */
    Story version(long job, String fields, long from, @Nullable Long until, boolean paused) {
        JobKey key = new JobKey(Workload.NAMESPACE, NAME + job);
        String text = "{\"namespace\": \"" + key.namespace() + "\", \"name\": \"" + key.name()
                + "\", \"schedule\": \"* * * * * *\", \"command\": \":\"" + (fields.isEmpty() ? "" : ", " + fields)
                + "}";
        JobDefinition definition = StoredDefinition.read(key, text, paused).definition();
        List<Version> of = versions.get(job);
        of.add(new Version(
                job,
                of.size() + 1,
                key.toString(),
                definition,
                DrawnSchedule.of(text, BEGIN, (name, mark) -> calendars.get(name + " " + mark)),
                paused,
                at(from),
                until == null ? null : at(until)));
        return this;
    }

    /** The job is deleted then, with the version that is the last one. */
    Story deleted(long job, long when) {
        List<Version> of = versions.get(job);
        Version last = of.remove(of.size() - 1);
        of.add(new Version(
                job,
                last.number(),
                last.key(),
                last.definition(),
                last.schedule(),
                last.paused(),
                last.from(),
                at(when)));
        return this;
    }

    /** A backfill of these fire times, in milliseconds; its number is how many there were before it, and one. */
    Story backfill(long of, int parallel, long from, long until, int times) {
        backfills.add(new Backfilled(
                backfills.size() + 1L,
                of,
                at(from),
                at(until),
                true,
                false,
                parallel,
                times,
                at(until),
                null,
                at(until)));
        return this;
    }

    /** An alarm that what fired then had not finished by that time. */
    Story alarm(long of, long fire, long by) {
        alarms.add(new Alarm(of, at(fire), at(by)));
        return this;
    }

    /** What is told of one task, until it is {@link Task#ended}. */
    Task task(long fire) {
        return new Task(fire);
    }

    static Instant at(long millis) {
        return BEGIN.plusMillis(millis);
    }

    /** What the checks of policies find. */
    List<String> found() {
        Findings findings = new Findings();
        new PolicyChecks(evidence(), findings).check();
        return told(findings);
    }

    /** What history leaves out, has too often, or tells otherwise than the commands. */
    List<String> unaccounted() {
        Findings findings = new Findings();
        new Conservation(evidence(), findings).check();
        new RunChecks(evidence(), findings).check();
        return told(findings);
    }

    /** What came too late after a fault. */
    List<String> late() {
        Findings findings = new Findings();
        new Punctuality(evidence(), findings).check();
        return told(findings);
    }

    private Evidence evidence() {
        return new Evidence(
                new Ledger(at(1_000_000), history, live, versions, backfills, alarms),
                marks,
                Map.of(),
                injected,
                runs,
                BEGIN.toEpochMilli(),
                at(1_000_000),
                Set.of(),
                new Stalls(new CountDownLatch(1)),
                conditions,
                sessions,
                asked);
    }

    private static List<String> told(Findings findings) {
        List<String> found = new ArrayList<>();
        for (Findings.Kind kind : Findings.Kind.values()) {
            findings.of(kind).forEach(what -> found.add(kind + ": " + what));
        }
        return found;
    }

    /** One task; what is not said is the usual. */
    final class Task {
        private final long fire;
        private long id = history.size() + 1L;
        private long job;
        private int version = 1;
        private String origin = "";
        private int attempt = 1;
        private String cause = "SCHEDULE";
        private String node = "n0";
        private String run = "-";
        private String edition = "-";
        private @Nullable String line;
        private @Nullable String schedule;
        private long from = -1;
        private long until = -1;
        private long decided = -1;
        private @Nullable Integer exitCode;
        private @Nullable Long replacedBy;
        private @Nullable String reason;

        private Task(long fire) {
            this.fire = fire;
        }

        Task of(long number) {
            job = number;
            return this;
        }

        Task id(long number) {
            id = number;
            return this;
        }

        Task withVersion(int number) {
            version = number;
            return this;
        }

        Task origin(String text) {
            origin = text;
            return this;
        }

        Task attempt(int number, String why) {
            attempt = number;
            cause = why;
            return this;
        }

        Task on(String name) {
            node = name;
            return this;
        }

        /** As the command's marks tell of it. */
        Task byHand(String key) {
            run = key;
            origin = "run:" + fire;
            cause = "MANUAL";
            return this;
        }

        /** Of that task, because somebody asked for it. */
        Task rerun(long original) {
            origin = "run:again-" + original;
            cause = "MANUAL";
            return this;
        }

        Task because(String text) {
            reason = text;
            return this;
        }

        Task edition(String seen) {
            edition = seen;
            return this;
        }

        /** What the command saw of the line that has fired it; unless this is said, what it ought to see. */
        Task told(String sign, String text) {
            line = sign;
            schedule = text;
            return this;
        }

        /** As its broadcast or command was made for that backfill. */
        Task ofBackfill(long number) {
            origin = "backfill:" + number;
            cause = "BACKFILL";
            return this;
        }

        Task ran(long begin, long end) {
            from = begin;
            until = end;
            decided = begin;
            return this;
        }

        /** When the database had it started, if that was before the first mark. */
        Task decided(long when) {
            decided = when;
            return this;
        }

        Task replacedBy(long task) {
            replacedBy = task;
            return this;
        }

        Task exit(int code) {
            exitCode = code;
            return this;
        }

        Story ended(String outcome) {
            return ended(outcome, until);
        }

        Story ended(String outcome, long end) {
            JobKey key = new JobKey(Workload.NAMESPACE, NAME + job);
            String launch = from < 0 ? null : "session-of-" + node + "-" + id;
            Ended row = new Ended(
                    id,
                    job,
                    key.toString(),
                    version,
                    at(fire),
                    null,
                    origin,
                    attempt,
                    cause,
                    outcome,
                    reason,
                    launch,
                    from < 0 ? null : at(decided),
                    at(end),
                    null,
                    null,
                    exitCode,
                    1,
                    at(fire),
                    replacedBy);
            history.add(row);
            if (schedule == null && row.hasFireTime()) {
                schedule = versions.get(job)
                        .get(version - 1)
                        .schedule()
                        .lineAt(row.fire())
                        .map(DrawnSchedule.Line::text)
                        .orElse(null);
            }
            if (launch != null) {
                mark(Mark.Kind.START, key, launch, id, from);
                mark(Mark.Kind.END, key, launch, id, until);
            }
            return Story.this;
        }

        /** It has not ended, and waits. */
        Story waits() {
            live.add(new Live(id, job, at(fire), origin, attempt, cause, "IDLE", null, null, null, false));
            return Story.this;
        }

        private void mark(Mark.Kind kind, JobKey key, String launch, long id, long uptime) {
            marks.add(new Mark(
                    kind,
                    key.toString(),
                    at(fire),
                    attempt,
                    cause,
                    node,
                    "session-of-" + node,
                    launch,
                    id,
                    uptime,
                    1,
                    kind == Mark.Kind.START ? -1 : exitCode == null ? 0 : exitCode,
                    run,
                    edition,
                    line == null ? "-" : line,
                    schedule == null ? "-" : schedule.replace(' ', '_')));
        }
    }
}
