package dev.rowlock.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.imports.Imported;
import dev.rowlock.cli.output.Trees;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What manifests of CronJobs become. */
class CronJobImportTest {

    private static final String MANIFEST = """
            apiVersion: batch/v1
            kind: CronJob
            metadata: {name: report, namespace: shop, labels: {team: sales}}
            spec:
              schedule: "*/5 3 * * 1-5"
              timeZone: Europe/Berlin
              concurrencyPolicy: Forbid
              startingDeadlineSeconds: 120
              suspend: true
              jobTemplate:
                spec:
                  activeDeadlineSeconds: 600
                  backoffLimit: 2
                  template:
                    spec:
                      restartPolicy: Never
                      terminationGracePeriodSeconds: 45
                      nodeSelector: {disk: ssd}
                      containers:
                        - name: main
                          image: shop/report:7
                          command: [/bin/sh, -c, "report $(DAY) $$(date) $(WHO)"]
                          workingDir: /srv
                          env:
                            - {name: DAY, value: today}
                            - {name: KEY, valueFrom: {secretKeyRef: {name: db, key: password}}}
                          envFrom: [{configMapRef: {name: more}}]
                          resources: {limits: {memory: 256Mi, cpu: "2"}}
                          volumeMounts: [{name: data, mountPath: /data}]
            """;

    private static List<Imported> read(String text) {
        ImportText to = new ImportText("default", false);
        to.begin("x");
        new CronJobImport("UTC").read(JobFiles.trees("x.yaml", text), to);
        to.finish();
        return to.items();
    }

    private static ObjectNode job(Imported imported) {
        return Objects.requireNonNull(imported.job(), () -> imported.comments().toString());
    }

    @Test
    void a_manifest_becomes_a_job() {
        List<Imported> all = read(MANIFEST + "---\napiVersion: v1\nkind: Secret\nmetadata: {name: db}\n");

        assertThat(Trees.text(job(all.get(0)))).isEqualTo(Trees.text(Trees.json("""
                {"namespace": "shop", "name": "report", "labels": {"team": "sales"}, "schedule": "*/5 3 * * 1-5",
                 "zone": "Europe/Berlin", "daylightSaving": "PLAIN", "overlap": "SKIP", "startDeadline": "120s",
                 "paused": true, "timeout": "600s", "retry": {"max": 2, "backoff": "10s", "maxBackoff": "6m"},
                 "env": {"DAY": "today"}, "shell": "sh", "command": "report today $(date) ${WHO}", "workdir": "/srv",
                 "limits": {"memory": "256MiB"}, "killGrace": "45s"}
                """)));
        assertThat(all.get(0).comments())
                .containsExactly(
                        "CronJob shop/report: */5 3 * * 1-5",
                        "Forbid: what is due while it runs is skipped; there it may still start after that run",
                        "activeDeadlineSeconds becomes timeout: here each try has as long, there all had together",
                        "backoffLimit becomes retry",
                        "it ran in the image shop/report:7: what the command needs has to be on the nodes, or the"
                                + " command starts a container itself, as docker run --rm does",
                        "left out: KEY (secret db/password); put secrets into secretEnv (rowlock secret set), the rest"
                                + " into env",
                        "left out: the variables of envFrom (config map more); put them into env or secretEnv",
                        "$(WHO) is ${WHO} for the shell: Kubernetes put its value there",
                        "left out: the limit of 2 CPUs; nice makes it step back",
                        "left out: what was mounted at /data",
                        "the image says as whom it ran: here it is the daemon's user, which may be root; name one as"
                                + " user",
                        "left out, as a job has no such thing: spec.nodeSelector; where it may run goes into nodes",
                        "paused, as it lacks something: rowlock job resume starts it");
        assertThat(all.get(1).comments()).containsExactly("Secret db is no CronJob, and is passed over");
        assertThat(all.get(1).isLost()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "=>", quoteCharacter = '`', textBlock = """
            concurrencyPolicy: Forbid     => concurrencyPolicy: Allow   => "overlap":"ALLOW"
            concurrencyPolicy: Forbid     => concurrencyPolicy: Replace => "overlap":"REPLACE"
            concurrencyPolicy: Forbid     => successfulJobsHistoryLimit: 3 => "overlap":"ALLOW"
            backoffLimit: 2               => backoffLimit: 0            => "timeout":"600s","env"
            backoffLimit: 2               => completions: 1             => "retry":{"max":6,
            timeZone: Europe/Berlin       => suspend: false             => "zone":"UTC"
            "*/5 3 * * 1-5"               => "? 3 ? * 1"                => "schedule":"* 3 ? * 1"
            "*/5 3 * * 1-5"               => "@every 1.5h"              => "schedule":"@every 5400s"
            "*/5 3 * * 1-5"               => "@every 5m"                => "schedule":"@every 5m"
            command: [/bin/sh, -c,        => args: [a, -b,              => not carried over: the image shop/report:7 knows
            "*/5 3 * * 1-5"               => "0 0 30 2 *"               => "schedule":"@manual"
            - name: main                  => - {name: log}\\n- name: main => not carried over: its pod has 2 containers
            backoffLimit: 2               => parallelism: 3             => left out, as a job has no such thing: spec.nodeSelector, spec.parallelism
            command: [/bin/sh, -c,        => command: [/bin/report, -v, => "shell":"sh","command":"/bin/report -v \\"report today \\\\$(date) ${WHO}\\""
            """)
    void a_field_means_this(String there, String instead, String said) {
        String text = MANIFEST.replace(there, instead.replace("\\n", "\n            "))
                .replaceFirst("(?m)^  suspend: true\n", "");
        assertThat(text).isNotEqualTo(MANIFEST);

        Imported imported = read(text).get(0);

        ObjectNode job = imported.job();
        assertThat((job == null ? "" : Trees.text(job)) + String.join("\n", imported.comments()))
                .contains(said);
    }

    @Test
    void a_list_as_kubectl_prints_it_has_all_of_them() {
        String indented = MANIFEST.replaceAll("(?m)^", "    ").replaceFirst("    ", "  - ");

        assertThat(read("kind: List\nitems:\n" + indented)).hasSize(1).allMatch(imported -> imported.job() != null);
    }
}
