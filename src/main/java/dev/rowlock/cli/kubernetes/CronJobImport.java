package dev.rowlock.cli.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Steps;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Manifests of CronJobs as jobs. */
public final class CronJobImport {

    /** Text for people about the differences that all of them have. */
    public static final String HEAD =
            "Kubernetes ran these in pods; here their commands run on the nodes themselves, with all that a node has.\n"
                    + "What was missed is made up for once, and a run whose node died starts again (misfire: RUN_ONCE,"
                    + " onLost: RERUN), as\n"
                    + "there, unless you say SKIP and FAIL. What a command leaves in the background is killed when it"
                    + " ends.";

    /** Tries of Kubernetes if nothing is said. */
    private static final int TRIES = 6;

    private static final Pattern ZONED = Pattern.compile("(?:CRON_)?TZ=(\\S+) (.*)");
    private static final Pattern GO = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ns|us|µs|ms|s|m|h)");
    private static final Map<String, BigDecimal> SECONDS = Map.of(
            "ns", new BigDecimal("1e-9"),
            "us", new BigDecimal("1e-6"),
            "µs", new BigDecimal("1e-6"),
            "ms", new BigDecimal("1e-3"),
            "s", BigDecimal.ONE,
            "m", BigDecimal.valueOf(60),
            "h", BigDecimal.valueOf(3600));

    private final String zone;

    /** @param zone of its controller manager, for those that name none */
    public CronJobImport(String zone) {
        this.zone = zone;
    }

    /** @param manifests documents of a file, or lists of them as kubectl prints them */
    public void read(List<JsonNode> manifests, ImportText to) {
        for (JsonNode manifest : manifests) {
            String kind = manifest.path("kind").asText("");
            if (kind.equals("List") || kind.equals("CronJobList")) {
                List<JsonNode> items = new ArrayList<>();
                manifest.path("items").forEach(items::add);
                read(items, to);
            } else if (kind.equals("CronJob")) {
                to.add(job(manifest));
            } else if (kind.equals("Template")) {
                Draft draft = new Draft("Template " + name(manifest));
                draft.lose("its values are not known here: run oc process -f FILE | rowlock import kubernetes -");
                to.add(draft);
            } else if (!manifest.isNull()) {
                to.say(List.of((kind.isEmpty() ? "a document" : kind + " " + name(manifest))
                        + " is no CronJob, and is passed over"));
            }
        }
    }

    private static String name(JsonNode manifest) {
        JsonNode meta = manifest.path("metadata");
        return meta.path("name").asText(meta.path("generateName").asText("?").replaceFirst("-+$", ""));
    }

    private Draft job(JsonNode manifest) {
        JsonNode meta = manifest.path("metadata");
        JsonNode spec = manifest.path("spec");
        JsonNode work = spec.path("jobTemplate").path("spec");
        Draft draft = new Draft("CronJob " + meta.path("namespace").asText("default") + "/" + name(manifest) + ": "
                + spec.path("schedule").asText());
        ObjectNode job = draft.job();
        if (meta.hasNonNull("namespace")) {
            job.put("namespace", meta.path("namespace").asText());
        }
        job.put("name", name(manifest));
        for (Map.Entry<String, JsonNode> label : meta.path("labels").properties()) {
            job.withObject("/labels").put(label.getKey(), label.getValue().asText());
        }
        schedule(spec, draft);
        policies(spec, draft);
        tries(work, draft);
        pod(work.path("template").path("spec"), draft);
        Set<String> unread = ManifestKeys.unread(manifest);
        if (!unread.isEmpty()) {
            draft.remark("left out, as a job has no such thing: " + String.join(", ", unread)
                    + (unread.contains("spec.nodeSelector") ? "; where it may run goes into nodes" : ""));
        }
        return draft;
    }

    private void schedule(JsonNode spec, Draft draft) {
        String schedule = spec.path("schedule").asText().strip().replaceAll("\\s+", " ");
        String named = spec.path("timeZone").asText(zone);
        Matcher zoned = ZONED.matcher(schedule);
        if (zoned.matches()) {
            if (spec.has("timeZone") && !named.equals(zoned.group(1))) {
                draft.remark("it names two zones: " + zoned.group(1) + " counts, and timeZone " + named + " does not");
            }
            named = zoned.group(1);
            schedule = zoned.group(2);
        }
        String[] fields = schedule.split(" ", -1);
        if (fields.length == 5) { // ? is * in each of them
            for (int i : new int[] {0, 1, 3}) {
                fields[i] = fields[i].replace('?', '*');
            }
            schedule = Steps.within(String.join(" ", fields), draft);
            if (!fields[2].matches("[*?](?:/1)?") && !fields[4].matches("[*?](?:/1)?")) {
                draft.remark("runs on days that match " + fields[2] + ", and on those that match " + fields[4]
                        + ": Kubernetes does the same");
            }
        } else if (schedule.startsWith("@every ")) {
            draft.remark("counts from the making of the job; there, from when the controller saw it");
            schedule = Draft.problem(schedule, named) == null
                    ? schedule
                    : every(schedule.substring(7).strip());
        }
        String problem = Draft.problem(schedule, named);
        if (problem != null && problem.contains("never matches")) {
            draft.remark("never fires, there as here: it is @manual, for runs by hand (rowlock job run)");
            schedule = "@manual";
        }
        draft.schedule(schedule, named);
        draft.job().put("daylightSaving", "PLAIN");
    }

    /** Returns the schedule of a duration of Go, in whole seconds. */
    private static String every(String duration) {
        Matcher part = GO.matcher(duration);
        BigDecimal seconds = BigDecimal.ZERO;
        int end = 0;
        while (part.lookingAt()) {
            seconds = seconds.add(
                    new BigDecimal(part.group(1)).multiply(SECONDS.getOrDefault(part.group(2), BigDecimal.ONE)));
            end = part.end();
            part.region(end, duration.length());
        }
        return "@every " + (end < duration.length() || end == 0 ? duration : Math.max(1, seconds.longValue()) + "s");
    }

    private static void policies(JsonNode spec, Draft draft) {
        ObjectNode job = draft.job();
        switch (spec.path("concurrencyPolicy").asText("Allow")) {
            case "Forbid" -> {
                job.put("overlap", "SKIP");
                draft.remark("Forbid: what is due while it runs is skipped; there it may still start after that run");
            }
            case "Replace" -> job.put("overlap", "REPLACE");
            default -> job.put("overlap", "ALLOW");
        }
        long deadline = spec.path("startingDeadlineSeconds").asLong(-1);
        if (deadline > 0) {
            job.put("startDeadline", deadline + "s");
        } else if (deadline == 0) {
            draft.remark("left out: startingDeadlineSeconds 0, which leaves no time to start");
        }
        if (spec.path("suspend").asBoolean()) {
            job.put("paused", true);
        }
        if (spec.has("successfulJobsHistoryLimit") || spec.has("failedJobsHistoryLimit")) {
            draft.remark("left out: limits of its history; the history of all jobs is kept for the same time");
        }
    }

    private static void tries(JsonNode work, Draft draft) {
        int tries = work.path("backoffLimit").asInt(TRIES);
        long seconds = work.path("activeDeadlineSeconds").asLong(-1);
        if (seconds == 0) {
            draft.remark("left out: activeDeadlineSeconds 0, which leaves no time to run");
        } else if (seconds > 0) {
            draft.job().put("timeout", seconds + "s");
            if (tries > 0) {
                draft.remark(
                        "activeDeadlineSeconds becomes timeout: here each try has as long, there all had together");
            }
        }
        if (tries > 0) {
            draft.job()
                    .putObject("retry")
                    .put("max", tries)
                    .put("backoff", "10s")
                    .put("maxBackoff", "6m");
            draft.remark((work.has("backoffLimit")
                            ? "backoffLimit"
                            : "Kubernetes tries " + TRIES + " times more if no backoffLimit is said, which")
                    + " becomes retry");
        }
    }

    private static void pod(JsonNode pod, Draft draft) {
        JsonNode containers = pod.path("containers");
        if (containers.size() != 1) {
            draft.lose("its pod has " + containers.size() + " containers, and a job has one command");
            return;
        }
        for (JsonNode first : pod.path("initContainers")) {
            draft.lack("left out: what ran before it, " + first.path("name").asText("?") + ": "
                    + ContainerText.shown(first));
        }
        JsonNode container = containers.get(0);
        new ContainerText(container, draft).addTo();
        user(first(container, pod, "runAsUser"), first(container, pod, "runAsNonRoot"), draft);
        if (pod.hasNonNull("terminationGracePeriodSeconds")) {
            draft.job()
                    .put("killGrace", pod.path("terminationGracePeriodSeconds").asLong() + "s");
        }
    }

    /** Returns a field of the container, or else of the pod. */
    private static JsonNode first(JsonNode container, JsonNode pod, String field) {
        JsonNode own = container.path("securityContext").path(field);
        return own.isMissingNode() ? pod.path("securityContext").path(field) : own;
    }

    private static void user(JsonNode number, JsonNode nonRoot, Draft draft) {
        if (number.isIntegralNumber()) {
            draft.job().put("user", number.asText());
        } else if (nonRoot.asBoolean()) {
            draft.job().put("user", "nobody");
            draft.remark("runAsNonRoot: it ran as some user of the image; here as nobody, unless you name another");
        } else {
            draft.remarkOnce(
                    "the image says as whom it ran: here it is the daemon's user, which may be root; name one as user");
        }
    }
}
