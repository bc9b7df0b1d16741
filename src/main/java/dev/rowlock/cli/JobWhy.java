package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Refused;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rowlock job why}. */
@Command(
        description = "Says why a job ran, or did not, at a time in the past or the future; without one, now, and"
                + " what became of its last task.",
        footer = "rowlock job why ops/backup 2026-11-22T01:30:00Z")
@Routes({"GET /api/v1/jobs/{ns}/{name}/explain", "GET /api/v1/tasks", "GET /api/v1/tasks/{id}/explain"})
final class JobWhy extends Remote {

    @Mixin
    private final JobOptions.Named named = new JobOptions.Named();

    @Parameters(index = "1", arity = "0..1", paramLabel = "TIME", description = "When; default: now.")
    private @Nullable When at;

    @Override
    int run() {
        String time = at == null ? null : at.at(around().clock().instant()).toString();
        int code = JobReports.explain(this, named.ask("GET", "/explain").with("at", time));
        if (at == null && isForPeople()) {
            try {
                last();
            } catch (Refused e) {
                heard(String.valueOf(e.getMessage())); // it was purged meanwhile; what was asked for is said
            }
        }
        return code;
    }

    private void last() {
        Ask newest = Ask.get("/tasks")
                .with("job", named.key())
                .with("until", around().clock().instant())
                .with("limit", 1);
        for (JsonNode task : ask(newest).path("items")) {
            String id = task.path("id").asText();
            JsonNode why = ask(Ask.get("/tasks/{}/explain", id));
            printer().line("\nlast: " + why.path("summary").asText() + " (rowlock task why " + id + ")");
        }
    }
}
