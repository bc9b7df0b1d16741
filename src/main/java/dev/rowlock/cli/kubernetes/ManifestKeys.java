package dev.rowlock.cli.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keys of a manifest that are carried over, remarked where they are read, or say nothing that matters to a command on a
 * node. All others are left out with a remark, those that later versions of Kubernetes add, too.
 */
final class ManifestKeys {

    private static final String CRON_JOB = "spec";
    private static final String JOB = "spec.jobTemplate.spec";
    private static final String POD = JOB + ".template.spec";
    private static final String CONTAINER = POD + ".containers";

    /** Keys that are looked into, by where they stand. */
    private static final Map<String, Set<String>> KNOWN = Map.of(
            "",
            Set.of("apiVersion", "kind", "metadata", "spec", "status"),
            CRON_JOB,
            Set.of("""
                    schedule timeZone concurrencyPolicy startingDeadlineSeconds suspend
                    successfulJobsHistoryLimit failedJobsHistoryLimit jobTemplate""".split("\\s+")),
            "spec.jobTemplate",
            Set.of("metadata", "spec"),
            JOB,
            Set.of("activeDeadlineSeconds", "backoffLimit", "template", "ttlSecondsAfterFinished"),
            JOB + ".template",
            Set.of("metadata", "spec"),
            POD,
            Set.of("""
                    containers initContainers restartPolicy terminationGracePeriodSeconds securityContext
                    volumes imagePullSecrets schedulerName enableServiceLinks dnsPolicy""".split("\\s+")),
            POD + ".securityContext",
            Set.of("runAsUser", "runAsNonRoot"),
            CONTAINER,
            Set.of("""
                    name image imagePullPolicy command args env envFrom workingDir resources volumeMounts
                    securityContext terminationMessagePath terminationMessagePolicy""".split("\\s+")),
            CONTAINER + ".securityContext",
            Set.of("runAsUser", "runAsNonRoot"),
            CONTAINER + ".resources",
            Set.of("limits", "requests"));

    private static final Set<String> LIMITS = Set.of("memory", "cpu");

    private ManifestKeys() {}

    /**
     * Returns the keys of a CronJob that nothing here reads, except those whose values say no more than their absence.
     */
    static Set<String> unread(JsonNode manifest) {
        Set<String> unread = new TreeSet<>();
        collect(manifest, "", unread);
        return unread;
    }

    private static void collect(JsonNode node, String path, Set<String> unread) {
        Set<String> known = path.equals(CONTAINER + ".resources.limits") ? LIMITS : KNOWN.get(path);
        if (known == null) {
            return;
        }
        if (node.isArray()) {
            node.forEach(element -> collect(element, path, unread));
            return;
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (known.contains(field.getKey())) {
                collect(field.getValue(), path.isEmpty() ? field.getKey() : path + "." + field.getKey(), unread);
            } else if (!isNothing(field.getKey(), field.getValue())) {
                unread.add(path.isEmpty() ? field.getKey() : path.replaceFirst(".*\\.", "") + "." + field.getKey());
            }
        }
    }

    private static boolean isNothing(String key, JsonNode value) {
        return value.isNull()
                || (value.isContainerNode() && value.isEmpty())
                || (value.isBoolean() && !value.booleanValue() && !key.matches("automount.*|allow.*"))
                || (key.matches("parallelism|completions") && value.asInt() == 1)
                || (key.equals("completionMode") && value.asText().equals("NonIndexed"));
    }
}
