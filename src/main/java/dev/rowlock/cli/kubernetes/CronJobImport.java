package dev.rowlock.cli.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.imports.Draft;
import dev.rowlock.cli.imports.Imported;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Manifests of CronJobs as jobs. */
public final class CronJobImport {

    /** For people: what is different for all of them. */
    public static final String HEAD = "Kubernetes ran these in pods; here their commands run on the nodes themselves.";

    /** What Kubernetes does if nothing is said. */
    private static final int TRIES = 6;

    private static final List<String> OF_PODS =
            List.of("initContainers", "nodeSelector", "affinity", "tolerations", "serviceAccountName", "hostNetwork");
    private static final List<String> OF_JOBS = List.of("parallelism", "completions", "podFailurePolicy");

    private final String zone;
    private final boolean isShadow;

    /**
     * @param zone of its controller manager, for those that name none
     * @param isShadow whether the jobs are to run nothing
     */
    public CronJobImport(String zone, boolean isShadow) {
        this.zone = zone;
        this.isShadow = isShadow;
    }

    /** @param manifests documents of a file, or lists of them as kubectl prints them */
    public List<Imported> read(List<JsonNode> manifests) {
        List<Imported> all = new ArrayList<>();
        for (JsonNode manifest : manifests) {
            String kind = manifest.path("kind").asText("");
            if (kind.equals("List") || kind.equals("CronJobList")) {
                List<JsonNode> items = new ArrayList<>();
                manifest.path("items").forEach(items::add);
                all.addAll(read(items));
            } else if (kind.equals("CronJob")) {
                all.add(job(manifest));
            } else if (!manifest.isNull()) {
                String name = manifest.path("metadata").path("name").asText("?");
                all.add(Imported.remark(List.of(
                        (kind.isEmpty() ? "a document" : kind + " " + name) + " is no CronJob, and is passed over")));
            }
        }
        return all;
    }

    private Imported job(JsonNode manifest) {
        JsonNode meta = manifest.path("metadata");
        JsonNode spec = manifest.path("spec");
        JsonNode work = spec.path("jobTemplate").path("spec");
        Draft draft = new Draft("CronJob " + meta.path("namespace").asText("default") + "/"
                + meta.path("name").asText() + ": " + spec.path("schedule").asText());
        ObjectNode job = draft.job();
        if (meta.hasNonNull("namespace")) {
            job.put("namespace", meta.path("namespace").asText());
        }
        job.put("name", meta.path("name").asText());
        labels(meta.path("labels"), draft);
        schedule(spec, draft);
        policies(spec, draft);
        tries(work, draft);
        pod(work.path("template").path("spec"), draft);
        for (String field : OF_JOBS) {
            if (work.has(field) && !work.path(field).asText().equals("1")) {
                draft.remark("left out, as one run is one command: " + field + " "
                        + work.path(field).asText());
            }
        }
        return draft.done(isShadow);
    }

    private static void labels(JsonNode labels, Draft draft) {
        if (!labels.isEmpty()) {
            ObjectNode to = draft.job().putObject("labels");
            for (Map.Entry<String, JsonNode> label : labels.properties()) {
                if (label.getKey().length() <= 63) {
                    to.put(label.getKey(), label.getValue().asText());
                } else {
                    draft.remark("left out, as its name is too long: the label " + label.getKey());
                }
            }
        }
    }

    private void schedule(JsonNode spec, Draft draft) {
        String schedule = spec.path("schedule").asText().strip().replaceAll("\\s+", " ");
        String[] fields = schedule.split(" ", -1);
        if (fields.length == 5) { // ? is * in each of them
            for (int i : new int[] {0, 1, 3}) {
                fields[i] = fields[i].replace('?', '*');
            }
            schedule = String.join(" ", fields);
        }
        draft.schedule(schedule, spec.path("timeZone").asText(zone));
        draft.job().put("daylightSaving", "PLAIN");
        if (schedule.startsWith("@every")) {
            draft.remark("counts from the making of the job; there, from when the controller saw it");
        }
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
        long deadline = spec.path("startingDeadlineSeconds").asLong();
        if (deadline > 0) {
            job.put("startDeadline", deadline + "s");
        }
        if (spec.path("suspend").asBoolean()) {
            job.put("paused", true);
        }
        if (spec.has("successfulJobsHistoryLimit") || spec.has("failedJobsHistoryLimit")) {
            draft.remark("left out: limits of its history; the history of all jobs is kept for the same time");
        }
    }

    private static void tries(JsonNode work, Draft draft) {
        long seconds = work.path("activeDeadlineSeconds").asLong();
        int tries = work.path("backoffLimit").asInt(TRIES);
        if (seconds > 0) {
            draft.job().put("timeout", seconds + "s");
            if (tries > 0) {
                draft.remark(
                        "activeDeadlineSeconds becomes timeout: here each try has as long, there all had together");
            }
        }
        if (tries > 0) {
            draft.job()
                    .putObject("retry")
                    .put("max", Math.min(tries, 100))
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
        new ContainerText(containers.get(0), draft).addTo();
        JsonNode user = pod.path("securityContext").path("runAsUser");
        if (user.isInt() && !draft.job().has("user")) {
            draft.job().put("user", user.intValue());
        }
        if (pod.has("terminationGracePeriodSeconds")) {
            draft.job()
                    .put("killGrace", pod.path("terminationGracePeriodSeconds").asLong() + "s");
        }
        List<String> left = new ArrayList<>(OF_PODS.stream().filter(pod::has).toList());
        if (!left.isEmpty()) {
            draft.remark("left out, as it is about pods: " + String.join(", ", left)
                    + (pod.has("nodeSelector") ? "; where it may run goes into nodes" : ""));
        }
    }
}
