package dev.rowlock.cli.plan;

import dev.rowlock.cli.call.CommandFailed;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.files.JobFiles;
import dev.rowlock.cli.imports.ImportText;
import dev.rowlock.cli.kubernetes.CronJobImport;
import dev.rowlock.yaml.WrongFiles;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rowlock import kubernetes}. */
@Command(
        description = "Writes CronJobs of Kubernetes as jobs, as rowlock apply reads them, with a comment for all that"
                + " means something else here or cannot be carried over. Times without a zone are taken for UTC unless"
                + " --zone says another. Changes nothing without --apply, and then needs no node.",
        footer = "kubectl get cronjobs -A -o yaml | rowlock import kubernetes - >jobs.yaml")
@Routes({"POST /api/v1/plan", "POST /api/v1/apply"})
public final class ImportKubernetes extends Import {

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE|-",
            description = "Manifests: YAML or JSON, with any number of documents.")
    private List<String> files = List.of();

    @Override
    void read(ImportText to) {
        CronJobImport manifests = new CronJobImport(hasZone() ? zone() : "UTC");
        for (String file : files) {
            String text = text(file);
            to.begin("From " + called(file) + ". " + CronJobImport.HEAD);
            try {
                manifests.read(JobFiles.trees(file, text), to);
            } catch (WrongFiles e) {
                throw new CommandFailed(
                        ExitCode.FAILED,
                        text.contains("{{")
                                ? List.of(called(file) + " looks like a template of Helm: run helm template CHART |"
                                        + " rowlock import kubernetes -")
                                : e.sentences());
            }
        }
    }

    @Override
    String nothing() {
        return "no CronJob was found among the documents; kubectl get cronjobs -A -o yaml prints all";
    }
}
