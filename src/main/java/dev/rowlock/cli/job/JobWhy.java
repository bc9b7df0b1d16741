package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.cli.call.JobOptions;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TimeZoneOption;
import dev.rowlock.cli.call.When;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Moments;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code rowlock job why}. */
@Command(
        description = "Says why a job ran, or did not, at a time in the past or the future. Without one, it begins with"
                + " what became of its last task, and when it is due next.",
        footer = "rowlock job why ops/backup 03:00")
@Routes({
    "GET /api/v1/jobs/{ns}/{name}",
    "GET /api/v1/jobs/{ns}/{name}/explain",
    "GET /api/v1/tasks",
    "GET /api/v1/tasks/{id}/explain"
})
public final class JobWhy extends Remote {

    @Mixin
    private final JobOptions.JobArgument named = new JobOptions.JobArgument();

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "TIME",
            description = "When: 03:00, 'yesterday 14:00', '2026-12-01 03:00', or how long ago; default: now.")
    private @Nullable When at;

    @Mixin
    private final TimeZoneOption zone = new TimeZoneOption();

    @Override
    protected int run() {
        String time = at == null ? null : zone.past(this, at, named.key()).toString();
        if (at == null && isForPeople()) {
            overview();
            printer().line("");
        }
        return JobReports.explain(this, named.ask("GET", "/explain").with("at", time));
    }

    private void last() {
        Ask newest = Ask.get("/tasks")
                .with("job", named.key())
                .with("until", around().clock().instant())
                .with("limit", 1);
        for (JsonNode task : ask(newest).path("items")) {
            String id = task.path("id").asText();
            try {
                JsonNode why = ask(Ask.get("/tasks/{}/explain", id));
                printer()
                        .line("last: " + CommandNames.in(why.path("summary").asText()) + " (rowlock task why " + id
                                + ")");
            } catch (RequestRefused e) {
                heard(String.valueOf(e.getMessage())); // it was purged meanwhile
            }
        }
    }

    private void overview() {
        JsonNode job;
        try {
            job = ask(named.ask("GET", ""));
        } catch (RequestRefused e) {
            last(); // it was deleted, and can be asked about all the same
            heard(String.valueOf(e.getMessage()));
            return;
        }
        held(job);
        last();
        next(job);
    }

    private void held(JsonNode job) {
        JsonNode hold = job.path("hold");
        if (hold.isObject()) {
            printer()
                    .line("held: " + hold.path("kind").asText() + ": "
                            + hold.path("reason").asText());
        }
    }

    private void next(JsonNode job) {
        Optional<Instant> next = Moments.parse(job.path("nextFireTime").asText(""));
        String said = next.map(at -> printer().moments().absolute(at) + " ("
                        + printer().moments().relative(at) + ")")
                .orElse("no fire time");
        boolean isPaused = job.path("paused").asBoolean();
        String but = isPaused ? ", but the job is paused" : job.path("hold").isObject() ? ", but it is held" : "";
        printer().line("next: " + said + but);
        warn(job);
    }
}
