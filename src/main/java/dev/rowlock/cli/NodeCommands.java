package dev.rowlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.ExitCode;
import dev.rowlock.cli.call.OutputOf;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Unreachable;
import dev.rowlock.cli.output.Cell;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Tone;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock node …} and {@code rowlock clock …}. */
final class NodeCommands {

    private static final View NODES = View.named(
            "node",
            Column.text("NODE", "node"),
            Column.of("STATE", NodeCommands::state),
            Column.number("EXECUTING", "executing"),
            Column.number("CAPACITY", "capacity"),
            Column.number("PREPARED", "prepared"),
            Column.distance("HEARTBEAT", "heartbeatAt"),
            Column.text("VERSION", "version"),
            Column.text("LABELS", "labels"),
            Column.text("HOST", "host").whenWide(),
            Column.number("PID", "pid").whenWide(),
            Column.text("SESSION", "id").whenWide(),
            Column.time("STARTED", "startedAt").whenWide(),
            Column.number("SKEW MS", "clockSkewMs").whenWide(),
            Column.number("STRIPES", "stripes").whenWide(),
            Column.text("REASON", "goneReason").whenWide());

    private static final int MOST_LEFT = 1000;

    private NodeCommands() {}

    private static Cell state(JsonNode session) {
        String state = session.path("state").asText();
        return new Cell(
                state,
                switch (state) {
                    case "ALIVE" -> Tone.GOOD;
                    case "GONE" -> Tone.FAINT;
                    default -> Tone.WARNING;
                });
    }

    /** {@code rowlock node list}. */
    @Command(description = "Lists the nodes that are there.", footer = "rowlock node list -o wide")
    @Routes("GET /api/v1/cluster")
    static final class ListNodes extends Remote {

        @Option(names = "--all", arity = "0", description = "Also sessions that ended within a day.")
        private boolean all;

        @Override
        protected int run() {
            JsonNode cluster = ask(Ask.get("/cluster"));
            if (cluster.path("clockProblem").isTextual()) {
                say("warning: " + cluster.path("clockProblem").asText());
            }
            if (isTree()) {
                printer().tree(cluster);
                return ExitCode.DONE;
            }
            ArrayNode shown = Trees.object().putArray("sessions");
            for (JsonNode session : cluster.path("sessions")) {
                if (all || !session.path("state").asText().equals("GONE")) {
                    shown.add(session);
                }
            }
            return showAll(shown, NODES);
        }
    }

    /** Name of one node. */
    static final class NodeArgument {

        @Parameters(index = "0", paramLabel = "NODE", description = "The name of the node.")
        private String name = "";

        public Ask ask(String method, String below) {
            return Ask.of(method, "/cluster/nodes/{}" + below, name);
        }
    }

    /** Change of a node, and what it means. */
    abstract static class ChangeOfNode extends Change {

        @Mixin
        private final NodeArgument node = new NodeArgument();

        final String name() {
            return node.name;
        }

        public final int change(String method, String below, @Nullable ObjectNode body) {
            Ask ask = node.ask(method, below);
            if (body != null) {
                ask.body(body);
            }
            return change(ask, answer -> done(answer.path("effect").asText(), answer, NODES)); // which names the node
        }
    }

    /** {@code rowlock node drain}. */
    @Command(
            description = {
                "Has a node take no more work. It gives back what it has not started, and stays drained.",
                "With --wait, ends when nothing runs there any more, so that a restart ends no command."
            },
            footer = "rowlock node drain db-3 --wait")
    @Routes({"POST /api/v1/cluster/nodes/{node}/drain", "GET /api/v1/tasks"})
    static final class DrainNode extends ChangeOfNode {

        @Option(names = "--wait", arity = "0", description = "Wait until what it executes has ended.")
        private boolean wait;

        @Override
        protected int run() {
            int code = change("POST", "/drain", null);
            return wait && !isDryRun() ? untilNothingRuns(code) : code;
        }

        private int untilNothingRuns(int code) {
            String told = "";
            int failures = 0;
            while (true) {
                try {
                    List<JsonNode> left = left();
                    if (left.isEmpty()) {
                        say("nothing runs on " + name() + " any more");
                        return code;
                    }
                    String what = left.size() + (left.size() == 1 ? " task is" : " tasks are") + " left on " + name()
                            + ", such as " + TaskViews.title(left.get(0));
                    if (!what.equals(told)) {
                        say(what);
                    }
                    told = what;
                    failures = 0;
                } catch (Unreachable e) {
                    failures++;
                    if (failures > OutputOf.TRIES) {
                        throw e;
                    }
                }
                OutputOf.rest();
            }
        }

        /** Returns what the node holds: what it had prepared is given back at once. */
        private List<JsonNode> left() {
            List<JsonNode> left = new ArrayList<>();
            for (String state : List.of("EXECUTING", "PREPARED")) {
                ask(Ask.get("/tasks").with("node", name()).with("state", state).with("limit", MOST_LEFT))
                        .path("items")
                        .forEach(left::add);
            }
            return left;
        }
    }

    /** {@code rowlock node undrain}. */
    @Command(description = "Has a node take work again.", footer = "rowlock node undrain db-3")
    @Routes("POST /api/v1/cluster/nodes/{node}/undrain")
    static final class UndrainNode extends ChangeOfNode {

        @Override
        protected int run() {
            return change("POST", "/undrain", null);
        }
    }

    /** {@code rowlock node label}. */
    @Command(
            description = "Sets labels of a node; NAME- removes one.",
            footer = "rowlock node label db-3 role=db spot-")
    @Routes("PATCH /api/v1/cluster/nodes/{node}")
    static final class LabelNode extends ChangeOfNode {

        @Parameters(index = "1..*", arity = "1..*", paramLabel = "NAME=VALUE|NAME-", description = "What changes.")
        private List<String> labels = List.of();

        @Override
        protected int run() {
            ObjectNode body = Trees.object();
            ObjectNode changed = body.putObject("labels");
            for (String label : labels) {
                int equals = label.indexOf('=');
                if (equals > 0) {
                    changed.put(label.substring(0, equals), label.substring(equals + 1));
                } else if (label.length() > 1 && label.endsWith("-")) {
                    changed.putNull(label.substring(0, label.length() - 1));
                } else {
                    throw misunderstood("\"" + label + "\" must be NAME=VALUE, or NAME- to remove one");
                }
            }
            return change("PATCH", "", body);
        }
    }

    /** {@code rowlock node set}. */
    @Command(
            description = "Sets how many commands a node runs at once, or takes back what was set.",
            footer = "rowlock node set db-3 --capacity 32")
    @Routes("PATCH /api/v1/cluster/nodes/{node}")
    static final class SetNode extends ChangeOfNode {

        @Option(names = "--capacity", paramLabel = "N", description = "How many commands it runs at the same time.")
        private @Nullable Integer capacity;

        @Option(names = "--reset", arity = "0", description = "Labels and capacity as they are configured.")
        private boolean reset;

        @Override
        protected int run() {
            if ((capacity == null) != reset) {
                throw misunderstood("give --capacity, or --reset");
            }
            ObjectNode body = Trees.object();
            if (capacity == null) {
                return change("PATCH", "", body.putNull("capacity").putNull("labels"));
            }
            return change("PATCH", "", body.put("capacity", capacity));
        }
    }

    /** {@code rowlock retention accept}. */
    @Command(
            description = {
                "Keeps history only as long as the nodes that are alive were told.",
                "Until then the longest time that any node of the cluster was told counts, also of one that is down."
            },
            footer = "rowlock retention accept --yes")
    @Routes("POST /api/v1/cluster/retention/accept")
    static final class AcceptRetention extends Change.Dangerous {

        @Override
        protected int run() {
            require("history is going to be kept only as long as the nodes that are alive were told");
            return change(
                    Ask.of("POST", "/cluster/retention/accept"),
                    "history is kept as long as the nodes that are alive were told",
                    View.named("history"));
        }
    }

    /** {@code rowlock clock accept}. */
    @Command(
            description = {
                "Believes the database's clock although it leapt ahead.",
                "Until then nothing starts and no job changes. What fell into the leap counts as missed."
            },
            footer = "rowlock clock accept --yes")
    @Routes("POST /api/v1/cluster/clock/accept")
    static final class AcceptClock extends Change.Dangerous {

        @Override
        protected int run() {
            require("the database's clock is going to be believed");
            return change(
                    Ask.of("POST", "/cluster/clock/accept"),
                    "the database's clock is believed",
                    View.named("databaseTime"));
        }
    }
}
