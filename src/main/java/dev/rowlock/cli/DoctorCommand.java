package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Client;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.client.RequestRefused;
import dev.rowlock.cli.client.Target;
import dev.rowlock.cli.client.Unreachable;
import dev.rowlock.cli.context.WrongContext;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.CommandNames;
import dev.rowlock.cli.output.Moments;
import dev.rowlock.cli.output.Tone;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import dev.rowlock.field.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import picocli.CommandLine.Command;

/** {@code rowlock doctor}. */
@Command(
        description = "Says what is wrong between here and a working cluster, and what to do: a line each.",
        exitCodeList = {
            ExitCode.DONE + ":nothing is wrong",
            ExitCode.FAILED + ":something is",
            ExitCode.USAGE + ":not understood"
        },
        footer = "rowlock doctor")
@Routes({
    "GET /livez",
    "GET /readyz",
    "GET /api/v1/session",
    "GET /api/v1/cluster",
    "GET /api/v1/tasks",
    "GET /api/v1/version",
})
final class DoctorCommand extends Remote {

    private static final View CHECKS = View.named(
            "check",
            Column.of("", row -> row.path("ok").asBoolean() ? new Cell("ok", Tone.GOOD) : new Cell("BAD", Tone.BAD)),
            Column.text("CHECK", "check"),
            Column.text("FOUND", "found"),
            Column.text("REMEDY", "remedy"));

    /** Difference of clocks that a person notices in relative times. */
    private static final Duration SKEW = Duration.ofSeconds(5);

    private static final Duration LOOKED_BACK = Duration.ofDays(1);

    private final String version;
    private final ArrayNode checks = Trees.object().putArray("checks");

    DoctorCommand(String version) {
        this.version = version;
    }

    @Override
    protected int run() {
        try {
            examine();
        } catch (WrongContext e) {
            bad("address", String.valueOf(e.getMessage()), "mend that file, or name another node with --url");
        } catch (Unreachable e) { // what was found until then is shown all the same
            bad(
                    "node",
                    String.valueOf(e.getMessage()),
                    "try again, or ask a node itself if there is a proxy in between");
        }
        boolean well = true;
        for (JsonNode check : checks) {
            well &= check.path("ok").asBoolean();
        }
        showAll(checks, CHECKS);
        return well ? ExitCode.DONE : ExitCode.FAILED;
    }

    private void examine() {
        Target target = options().choice().find(around().environment());
        Client client = new Client(target, options().timeout(), this::heard);
        if (!isThere(client)) {
            return;
        }
        boolean allowed = isAllowed(client);
        health(client); // which anybody may ask for
        if (allowed) {
            cluster(client);
            versions(client);
        }
    }

    private boolean isThere(Client client) {
        try (Reply reply = client.exchange(Ask.outside("/livez"))) {
            if (reply.status() == 200) {
                good("address", client.target().toString());
                return true;
            }
            bad(
                    "address",
                    client.target() + " answers with HTTP " + reply.status(),
                    reply.status() == 421
                            ? "add its name to http.allowed-hosts of the node"
                            : "ask a node itself, or mend the proxy in front of it");
        } catch (Unreachable e) {
            bad(
                    "address",
                    String.valueOf(e.getMessage()),
                    "start a node there (scripts/quickstart), or name another with --url, ROWLOCK_URL or a context");
        }
        return false;
    }

    private boolean isAllowed(Client client) {
        if (client.target().token() == null) {
            bad("token", "there is none", "set ROWLOCK_TOKEN, or keep one in a context (rowlock config set-context)");
            return false;
        }
        try (Reply reply = client.send(Ask.get("/session"))) {
            JsonNode who = reply.json();
            good("token", who.path("name").asText());
            permissions(who);
            return true;
        } catch (RequestRefused e) {
            if (e.isNotAllowed()) {
                bad("token", e.sentences().get(0), "ask an administrator for another (rowlock token add)");
            } else {
                bad(
                        "token",
                        "it could not be checked: " + e.sentences().get(0),
                        "mend what is wrong with the node first");
            }
            return false;
        }
    }

    private void permissions(JsonNode who) {
        String role = who.path("role").asText();
        String where =
                who.path("namespaces").isArray() && !who.path("namespaces").isEmpty()
                        ? " in " + Cell.of(who.path("namespaces")).text().replace(",", ", ")
                        : "";
        good("permissions", role + where);
    }

    private void health(Client client) {
        try (Reply reply = client.exchange(Ask.outside("/readyz"))) {
            for (JsonNode check : reply.json().path("checks")) {
                String name = check.path("name").asText();
                if (check.path("ok").asBoolean()) {
                    good(name, check.path("message").asText());
                } else {
                    bad(
                            name,
                            CommandNames.in(check.path("message").asText()),
                            "see to it at the node " + client.target().url());
                }
            }
        }
    }

    private void cluster(Client client) {
        JsonNode cluster;
        try (Reply reply = client.send(Ask.get("/cluster"))) {
            cluster = reply.json();
        } catch (RequestRefused e) {
            bad("nodes", e.sentences().get(0), e.isNotAllowed() ? "use a token without namespaces" : "try again");
            return;
        }
        clock(cluster);
        losses(client, Instant.parse(cluster.path("databaseTime").asText()).minus(LOOKED_BACK));
        int alive = 0;
        TreeSet<String> versions = new TreeSet<>();
        for (JsonNode session : cluster.path("sessions")) {
            if (session.path("state").asText().equals("ALIVE")) {
                alive++;
                versions.add(session.path("version").asText());
            }
        }
        if (alive == 0) {
            bad("nodes", "none takes work", "start one, or undrain one (rowlock node list, node undrain)");
        } else if (versions.size() > 1) {
            bad("nodes", alive + " take work, of versions " + String.join(", ", versions), "finish the upgrade");
        } else {
            good("nodes", alive + (alive == 1 ? " takes work" : " take work"));
        }
    }

    private void clock(JsonNode cluster) {
        if (cluster.path("clockProblem").isTextual()) {
            bad("clock", cluster.path("clockProblem").asText(), "if the clock is right: rowlock clock accept");
            return;
        }
        Instant database = Instant.parse(cluster.path("databaseTime").asText());
        Duration off = Duration.between(database, around().clock().instant());
        String found = "this machine is " + Moments.length(off) + (off.isNegative() ? " behind" : " ahead of")
                + " the database";
        if (off.abs().compareTo(SKEW) > 0) {
            bad("clock", found, "synchronize the clocks (NTP); until then times relative to now are wrong here");
        } else {
            good("clock", found);
        }
    }

    /**
     * Reports lost and missed tasks: nothing that is wrong now, but the first to look at after a restore or a crash.
     */
    private void losses(Client client, Instant since) {
        List<String> found = new ArrayList<>();
        for (String outcome : List.of("LOST", "MISSED")) {
            try (Reply reply = client.send(Ask.get("/tasks")
                    .with("outcome", outcome)
                    .with("since", Times.text(since))
                    .with("limit", 1))) {
                JsonNode page = reply.json();
                if (!page.path("items").isEmpty()) {
                    found.add(many(page.path("total")) + " " + outcome);
                }
            } catch (RequestRefused e) {
                bad("losses", e.sentences().get(0), "try again");
                return;
            }
        }
        if (found.isEmpty()) {
            good("losses", "nothing was lost or missed in the last day");
        } else {
            good(
                    "losses",
                    "of the last day, tasks are " + String.join(" and ", found),
                    "see whether they have to run again: rowlock task list --outcome LOST --since 1d");
        }
    }

    /**
     * Returns the number in words; "some" for whoever sees only some namespaces, and is not told how many there are.
     */
    private static String many(JsonNode total) {
        return total.isObject()
                ? total.path("count").asLong() + (total.path("more").asBoolean() ? " or more" : "")
                : "some";
    }

    private void versions(Client client) {
        try (Reply reply = client.send(Ask.get("/version"))) {
            String theirs = reply.json().path("version").asText();
            if (theirs.equals(version)) {
                good("version", theirs);
            } else {
                bad("version", "the node is " + theirs + ", this command " + version, "install the same version");
            }
        } catch (RequestRefused e) {
            bad("version", e.sentences().get(0), "try again");
        }
    }

    private void good(String check, String found) {
        good(check, found, "");
    }

    private void good(String check, String found, String remedy) {
        add(check, true, found, remedy);
    }

    private void bad(String check, String found, String remedy) {
        add(check, false, found, remedy);
    }

    private void add(String check, boolean ok, String found, String remedy) {
        checks.addObject().put("check", check).put("ok", ok).put("found", found).put("remedy", remedy);
    }
}
