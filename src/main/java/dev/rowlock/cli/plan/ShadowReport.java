package dev.rowlock.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.JobViews;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.files.TextReader;
import dev.rowlock.cli.imports.Shadow;
import dev.rowlock.cli.imports.ShadowComparison;
import dev.rowlock.cli.imports.ShadowLog;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.field.Times;
import dev.rowlock.schedule.Durations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock shadow report}. */
@Command(
        description =
                "Compares when shadows would have run with the log of what ran: lines of cron or systemd from syslog or"
                        + " the journal, or lines with a time and the name of a job. It compares from the first line to"
                        + " the last, and no job before it was made.",
        exitCodeList = {
            ExitCode.DONE + ":both ran at the same times",
            ExitCode.DIFFERENT + ":there is a difference",
            ExitCode.USAGE + ":the command line is not understood",
            ExitCode.NOT_COMPARED + ":the log cannot be read, or no node answers",
            ExitCode.NOT_ALLOWED + ":the token does not allow it"
        },
        footer = "journalctl -u cron -o short-iso | rowlock shadow report -")
@Routes({"GET /api/v1/jobs", "GET /api/v1/tasks"})
public final class ShadowReport extends Remote {

    /** Outcomes of tasks that did not run. */
    private static final Set<String> NO_RUN = Set.of("SKIPPED", "MISSED", "CANCELLED", "EXPANDED");

    private static final View VIEW = View.named(
            "job",
            Column.text("JOB", "job"),
            Column.number("BOTH", "both"),
            Column.number("ONLY LOGGED", "onlyLogged"),
            Column.time("FIRST", "firstLogged"),
            Column.number("ONLY HERE", "onlyHere"),
            Column.time("FIRST", "firstHere"));

    @Parameters(arity = "1..*", paramLabel = "LOG|-", description = "Logs of the scheduler before.")
    private List<String> logs = List.of();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Shadows of this namespace alone.")
    private @Nullable String namespace;

    @Option(
            names = "--tolerance",
            paramLabel = "DURATION",
            defaultValue = "90s",
            description = "How far apart they may be; a job's jitter comes on top; default: ${DEFAULT-VALUE}.")
    private Duration tolerance = Duration.ofSeconds(90);

    @Option(names = "--zone", paramLabel = "ZONE", description = "Of times without an offset; default: this machine's.")
    private ZoneId logZone = ZoneId.systemDefault();

    private final Map<String, JsonNode> shadows = new TreeMap<>();
    private final Map<String, TreeSet<Instant>> here = new HashMap<>();
    private final Map<String, TreeSet<Instant>> logged = new HashMap<>();

    @Override
    public int failure() {
        return ExitCode.NOT_COMPARED;
    }

    @Override
    protected int run() {
        ShadowLog log = log();
        each("/jobs", null, job -> shadows.put(JobViews.name(job), job));
        if (shadows.isEmpty()) {
            throw new CommandFailed(failure(), "there are no shadows; rowlock import … --shadow --apply makes them");
        }
        Instant first = end(log, (a, b) -> a.isBefore(b) ? a : b).minus(tolerance);
        Instant last = end(log, (a, b) -> a.isAfter(b) ? a : b).plus(tolerance);
        each("/tasks", first, this::ran);
        sort(log);
        ArrayNode rows = Trees.object().putArray("items");
        shadows.forEach((name, job) -> rows.add(row(name, job, first, last)));
        showAll(rows, VIEW);
        boolean differs = false;
        for (JsonNode row : rows) {
            differs |= row.path("onlyLogged").asInt() + row.path("onlyHere").asInt() > 0;
        }
        return differs ? ExitCode.DIFFERENT : ExitCode.DONE;
    }

    private ShadowLog log() {
        ShadowLog log = new ShadowLog(logZone, around().clock().instant());
        for (String file : logs) {
            try {
                log.read(
                        file.equals("-")
                                ? new String(around().in().readAllBytes(), StandardCharsets.UTF_8)
                                : Files.readString(Path.of(file)));
            } catch (IOException e) {
                throw new CommandFailed(failure(), file + " cannot be read: " + TextReader.reason(e));
            }
        }
        if (log.misread() != null) {
            say("warning: no time is understood in front of lines such as: " + log.misread());
        }
        if (log.entries().isEmpty()) {
            throw new CommandFailed(failure(), "the log says of nothing when it started");
        }
        return log;
    }

    private static Instant end(ShadowLog log, BinaryOperator<Instant> which) {
        return log.entries().stream()
                .map(ShadowLog.LoggedStart::at)
                .reduce(which)
                .orElseThrow();
    }

    private void each(String path, @Nullable Instant since, Consumer<JsonNode> what) {
        pages(
                () -> Ask.get(path)
                        .with("label", Shadow.LABEL + "=true")
                        .with("namespace", namespace)
                        .with("since", Times.orNull(since)),
                items -> items.forEach(what));
    }

    private void ran(JsonNode task) {
        boolean asked = !task.path("cause").asText().matches("MANUAL|RETRY");
        if (asked
                && task.path("outcome").isTextual()
                && !NO_RUN.contains(task.path("outcome").asText())) {
            here.computeIfAbsent(TaskViews.jobName(task), job -> new TreeSet<>())
                    .add(Instant.parse(task.path("fireTime").asText()));
        }
    }

    /**
     * Assigns the starts of the log to jobs. Of jobs with the same command, a start belongs to the one that has a fire
     * time near it.
     */
    private void sort(ShadowLog log) {
        Map<String, TreeSet<String>> jobs = new HashMap<>();
        shadows.forEach((name, job) -> {
            for (String key : List.of(
                    job.path("stdin").asText(""),
                    job.path("description").asText(""),
                    job.path("name").asText(),
                    name)) {
                jobs.computeIfAbsent(ShadowLog.key(key), any -> new TreeSet<>()).add(name);
            }
        });
        jobs.remove("");
        int unknown = 0;
        String such = "";
        for (ShadowLog.LoggedStart entry : log.entries()) {
            TreeSet<String> meant = jobs.get(entry.what());
            if (meant == null) {
                unknown++;
                such = entry.what();
            } else {
                String job = meant.stream()
                        .filter(name -> isNear(name, entry.at()))
                        .findFirst()
                        .orElse(meant.first());
                logged.computeIfAbsent(job, any -> new TreeSet<>()).add(entry.at());
            }
        }
        if (unknown > 0) {
            say(unknown + " starts in the log are of nothing that has a shadow, such as: " + such);
        }
    }

    private boolean isNear(String job, Instant at) {
        TreeSet<Instant> times = here.getOrDefault(job, new TreeSet<>());
        Instant near = times.ceiling(at.minus(late(job)));
        return near != null && !near.isAfter(at.plus(tolerance));
    }

    /** Returns how much later than its fire time a job may start. */
    private Duration late(String job) {
        JsonNode jitter = shadows.getOrDefault(job, Trees.object()).path("jitter");
        return tolerance.plus(Durations.parse(jitter.asText("")).orElse(Duration.ZERO));
    }

    private ObjectNode row(String name, JsonNode job, Instant first, Instant last) {
        Instant made = Instant.parse(job.path("createdAt").asText());
        Instant from = made.isAfter(first) ? made : first;
        ShadowComparison comparison = ShadowComparison.of(
                within(logged.get(name), from, last), within(here.get(name), from, last), tolerance, late(name));
        ObjectNode row = Trees.object().put("job", name).put("both", comparison.both());
        put(row, "Logged", comparison.onlyLogged());
        put(row, "Here", comparison.onlyHere());
        return row;
    }

    private static List<Instant> within(@Nullable NavigableSet<Instant> times, Instant from, Instant until) {
        return times == null ? List.of() : List.copyOf(times.subSet(from, true, until, true));
    }

    private static void put(ObjectNode row, String where, List<Instant> times) {
        row.put("only" + where, times.size());
        if (!times.isEmpty()) {
            row.put("first" + where, Times.text(times.get(0)));
        }
    }
}
