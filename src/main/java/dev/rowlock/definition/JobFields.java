package dev.rowlock.definition;

import static dev.rowlock.definition.JobFieldTypes.map;
import static dev.rowlock.definition.JobFieldTypes.name;
import static dev.rowlock.definition.JobFieldTypes.path;
import static dev.rowlock.definition.JobFieldTypes.selector;
import static dev.rowlock.definition.JobFieldTypes.zone;
import static dev.rowlock.definition.Misfire.RUN_ONCE;
import static dev.rowlock.definition.OnLost.RERUN;
import static dev.rowlock.definition.Overlap.SKIP;
import static dev.rowlock.field.Field.added;
import static dev.rowlock.field.Field.optional;
import static dev.rowlock.field.Field.required;
import static dev.rowlock.field.FieldType.duration;
import static dev.rowlock.field.FieldType.flag;
import static dev.rowlock.field.FieldType.instant;
import static dev.rowlock.field.FieldType.number;
import static dev.rowlock.field.FieldType.numbers;
import static dev.rowlock.field.FieldType.object;
import static dev.rowlock.field.FieldType.text;
import static dev.rowlock.field.FieldType.word;
import static dev.rowlock.schedule.DaylightSaving.SHIFT;
import static java.time.Duration.ofSeconds;

import dev.rowlock.field.Field;
import dev.rowlock.field.FieldTable;
import dev.rowlock.field.Place;
import dev.rowlock.schedule.DaylightSaving;
import dev.rowlock.schedule.Zones;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a job, each declared once. Reading, checking, writing, storing and the documentation go by this; a further
 * field is an entry here, and a component of {@link JobDefinition}.
 */
public final class JobFields {

    public static final Field<ScheduleLines> SCHEDULE = required(
            "schedule",
            ScheduleLines.type(),
            ScheduleLines.NONE,
            "a cron expression such as '0 3 * * *', @every, @at or @manual; or a list of them, for all their times");
    public static final Field<String> ZONE = optional("zone", zone(), "UTC", "where times of day are meant");
    public static final Field<DaylightSaving> DAYLIGHT_SAVING = optional(
            "daylightSaving",
            word(DaylightSaving.class),
            SHIFT,
            "what becomes of times that the clocks skip or repeat");

    private static final List<Field<?>> FIELDS = List.of(
            optional("namespace", name(64), "default", "what the job belongs to"),
            required("name", name(128), "", "what the job is called within its namespace"),
            optional("description", text(4 * 1024), "", "a note for people"),
            optional("labels", map("texts", 4 * 63, Names::labelProblem), Map.of(), "what jobs can be filtered by"),
            SCHEDULE,
            ZONE,
            DAYLIGHT_SAVING,
            required(
                    "command",
                    RunFieldTypes.command().meant(command -> command.isBlank() ? null : command),
                    Command.of(""),
                    "what its shell is to execute"),
            optional("workdir", path(4 * 1024), null, "the directory that the command starts in"),
            optional("env", map("texts", 32 * 1024, Names::variableProblem), Map.of(), "variables of the command"),
            added(
                    "secretEnv",
                    map("names of secrets", 4 * 1024, Names::secretVariableProblem),
                    Map.of(),
                    "variables of the command that hold secrets"),
            optional("user", RunFieldTypes.user(), null, "whom the command runs as; `null`: the daemon's user"),
            optional("timeout", duration("1s", "365d"), null, "when the command is killed; `null`: never"),
            optional("killGrace", duration("0s", "10m"), ofSeconds(10), "what TERM leaves a command until KILL"),
            optional("retry", object("an object, see below", Retry.TABLE), null, "how what failed is tried again"),
            optional("overlap", word(Overlap.class), SKIP, "what becomes of what is due while the job runs"),
            added("overlapLimit", number(1, 1000), null, "how many may wait (`QUEUE`, 100) or run at once (`ALLOW`)"),
            optional("misfire", word(Misfire.class), RUN_ONCE, "what becomes of what is too late"),
            added(
                    "misfireThreshold",
                    duration("1s", "365d"),
                    null,
                    "what is too late; `null`: `misfire.threshold` of the configuration"),
            added("catchUpLimit", number(1, 1000), null, "how many `RUN_ALL` runs at most, the newest; `null`: 100"),
            added("startDeadline", duration("1s", "365d"), null, "how late an occurrence may start; `null`: any time"),
            optional("onLost", word(OnLost.class), RERUN, "what becomes of a run in the middle of which its node died"),
            optional("priority", number(-100, 100), 0, "of what is due on a node, the higher goes first"),
            added("group", name(64), null, "the group whose limit it shares"),
            added("nodes", selector(), "", "which nodes may run it, by their labels; empty: all"),
            added("maxPerNode", number(1, 1000), null, "how many of its tasks execute on one node at most"),
            optional("broadcast", flag(), false, "whether it runs on all those nodes"),
            added("broadcastParallel", number(1, 1000), null, "on how many of them at a time; `null`: all"),
            added("stopOnFailure", flag(), false, "whether one failure of a broadcast cancels what has not started"),
            optional("startAt", instant(), null, "no fire time before it; `@every` counts from it"),
            optional("endAt", instant(), null, "no fire time at or after it"),
            added("maxRuns", number(1, 1_000_000_000), null, "after how many runs of the schedule the job has ended"),
            optional("jitter", duration("1s", "1d"), null, "how far starts are spread behind their fire times"),
            optional("successExitCodes", numbers(0, 255), Set.of(0), "the exit codes that mean success"),
            added("skipExitCodes", numbers(0, 255), null, "the exit codes by which a run declines: it is `SKIPPED`"),
            added(
                    "finishBy",
                    RunFieldTypes.finishBy(),
                    null,
                    "when an occurrence is to have succeeded: a time of day such as `06:00`, or a duration after its"
                            + " fire time"),
            added("umask", RunFieldTypes.umask(), null, "the permissions that new files lack; `null`: the daemon's"),
            added("nice", number(-20, 19), null, "how far it steps back for others; `null`: as the daemon does"),
            added(
                    "limits",
                    object("an object, see below", Limits.TABLE).meant(l -> l.isNone() ? null : l),
                    null,
                    "what its processes may use"),
            added("shell", RunFieldTypes.shell(), CommandShell.BASH, "what executes the command"),
            added("stdin", text(64 * 1024), null, "what the command reads from standard input; `null`: nothing"),
            added("metrics", flag(), false, "whether `/metrics` has series of its own for it"),
            added(
                    "ping",
                    object("an object, see below", Ping.TABLE).meant(p -> p.isNone() ? null : p),
                    null,
                    "URLs that an outside watchdog waits for"),
            optional("paused", flag(), false, "whether what the schedule asks for is held back"));

    /** Fields of a job's JSON that nobody can set. */
    private static final List<String> READ_ONLY = List.of(
            "state",
            "hold",
            "pausedUntil",
            "pauseReason",
            "nextFireTime",
            "nextFireTimeLocal",
            "lastTask",
            "skippedSince",
            "streak",
            "version",
            "createdAt",
            "updatedAt",
            "warnings");

    static final FieldTable<JobDefinition> TABLE = new FieldTable<>("a job", JobDefinition.class, FIELDS, READ_ONLY);

    /** Fields that determine fire times. */
    static final List<String> SAYS_WHEN = List.of("schedule", "zone", "daylightSaving", "startAt", "endAt");

    private JobFields() {}

    /** Checks a schedule, which is more than a text: it has to parse, with the fields that belong to it. */
    public static void checkSchedule(
            ScheduleLines schedule, String zone, DaylightSaving rule, @Nullable Instant anchor, Place whole) {
        schedule.check(Zones.of(zone), rule, anchor == null ? Instant.EPOCH : anchor, whole.field(SCHEDULE.name()));
    }

    /**
     * Checks fields that make no sense together. Only what people send is checked: what is stored is taken as it is.
     */
    static void checkTogether(JobDefinition job, Place whole) {
        if (job.startAt() != null && job.endAt() != null && !job.startAt().isBefore(job.endAt())) {
            whole.field("endAt").refuse("must be later than startAt");
        }
        if (job.retry() != null) {
            job.retry().check(job, whole.field("retry"));
        }
        job.successExitCodes().stream()
                .filter(job::declinesWith)
                .forEach(code -> whole.field("skipExitCodes")
                        .refuse(code + " means success, by successExitCodes; leave it out of one of them"));
        Combinations.check(job, whole);
        job.secretEnv().keySet().stream()
                .filter(name -> job.env().containsKey(name)
                        || job.schedule().variables().contains(name))
                .sorted()
                .forEach(name -> whole.field("secretEnv")
                        .field(name)
                        .refuse("is a variable of env, too; leave it out of one of them"));
        if (!whole.isRefused("shell")) { // else it is not the one that was meant
            RunFieldTypes.check(job.command(), job.shell(), whole);
        }
    }
}
