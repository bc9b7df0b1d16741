package dev.rowlock.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Imported;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No key of a CronJob, its job, its pod or its container is dropped without a word. */
class ManifestKeysTest {

    private static final String KEYS = """
            CRON: schedule timeZone startingDeadlineSeconds concurrencyPolicy suspend successfulJobsHistoryLimit
             failedJobsHistoryLimit somethingNew
            JOB: parallelism completions activeDeadlineSeconds podFailurePolicy successPolicy backoffLimit
             backoffLimitPerIndex maxFailedIndexes selector manualSelector ttlSecondsAfterFinished completionMode suspend
             podReplacementPolicy managedBy somethingNew
            POD: volumes initContainers ephemeralContainers restartPolicy terminationGracePeriodSeconds
             activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount automountServiceAccountToken
             nodeName hostNetwork hostPID hostIPC shareProcessNamespace securityContext imagePullSecrets hostname subdomain
             affinity schedulerName tolerations hostAliases priorityClassName priority dnsConfig readinessGates
             runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os
             hostUsers schedulingGates resourceClaims resources somethingNew
            CONTAINER: args workingDir ports envFrom env resources resizePolicy restartPolicy volumeMounts volumeDevices
             livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy
             imagePullPolicy securityContext stdin stdinOnce tty somethingNew
            SECURITY: capabilities privileged seLinuxOptions windowsOptions runAsUser runAsGroup runAsNonRoot
             readOnlyRootFilesystem allowPrivilegeEscalation procMount seccompProfile appArmorProfile fsGroup
             supplementalGroups sysctls somethingNew
            """;

    /** What says nothing of what the command does. */
    private static final Set<String> SILENT = Set.of(
            "JOB.ttlSecondsAfterFinished",
            "POD.volumes",
            "POD.restartPolicy",
            "POD.dnsPolicy",
            "POD.imagePullSecrets",
            "POD.schedulerName",
            "POD.enableServiceLinks",
            "POD.securityContext",
            "CONTAINER.terminationMessagePath",
            "CONTAINER.terminationMessagePolicy",
            "CONTAINER.imagePullPolicy",
            "CONTAINER.securityContext",
            "CONTAINER.resources");

    static Stream<String> keys() {
        return KEYS.replace("\n ", " ")
                .lines()
                .flatMap(line -> Stream.of(line.replaceFirst("^.*?: *", "").split("\\s+", -1))
                        .map(key -> line.replaceFirst(":.*", "") + "." + key));
    }

    private static Imported read(String key) {
        String field = key.replaceFirst(".*\\.", "") + ": "
                + (key.matches(".*\\.(?:env|envFrom|volumeMounts|initContainers)")
                        ? "[{name: x, value: y, mountPath: /m, secretRef: {name: s}, image: i}]"
                        : key.matches(".*\\.(?:args)")
                                ? "[a]"
                                : key.endsWith("Policy") ? "Replace" : key.endsWith("workingDir") ? "/w" : "3");
        String text = """
                kind: CronJob
                metadata: {name: x}
                spec:
                  schedule: "0 3 * * *"
                  #CRON
                  jobTemplate:
                    spec:
                      #JOB
                      template:
                        spec:
                          #POD
                          containers:
                            - command: [x]
                              image: i
                              #CONTAINER
                              securityContext:
                                procMount: Default
                                #SECURITY
                """;
        String filled = key.equals("CONTAINER.securityContext") || key.startsWith("CRON.schedule")
                ? text
                : text.replace("#" + key.replaceFirst("\\..*", ""), field)
                        .replaceFirst("procMount: Default\n\\s+(?=procMount)", "");
        ImportText to = new ImportText("default", false);
        to.begin("x");
        new CronJobImport("UTC").read(JobFiles.trees("x.yaml", filled), to);
        to.finish();
        return to.items().get(0);
    }

    @ParameterizedTest
    @MethodSource("keys")
    void a_key_is_carried_remarked_or_refused(String key) {
        Imported without = read("CRON.schedule");
        Imported with = read(key);
        ObjectNode job = with.job();
        String name = key.replaceFirst(".*\\.", "");

        boolean isSaid = with.comments().stream().anyMatch(comment -> comment.contains(name));
        assertThat(job == null
                        || !Objects.equals(job, without.job())
                        || isSaid
                        || with.comments().size() != without.comments().size()
                        || SILENT.contains(key)
                        || key.startsWith("CRON.schedule"))
                .as(key + ": " + with.comments())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "64Mi, 64MiB",
        "128M, 128000000",
        "500000000, 500000000",
        "1.5Gi, 1536MiB",
        "1e9, 1000000000",
        "0.5Ti, 524288MiB",
        "64k, 64000",
        "2Q,",
    })
    void a_quantity_is_bytes(String quantity, String memory) {
        assertThat(ContainerText.memory(quantity)).isEqualTo(memory);
    }
}
