package dev.rowlock.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.cli.call.Bodies;
import dev.rowlock.cli.call.Change;
import dev.rowlock.cli.call.Remote;
import dev.rowlock.cli.call.Routes;
import dev.rowlock.cli.call.TaskViews;
import dev.rowlock.cli.client.Ask;
import dev.rowlock.cli.client.Reply;
import dev.rowlock.cli.output.Column;
import dev.rowlock.cli.output.Trees;
import dev.rowlock.cli.output.View;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code rowlock group …}: limits that jobs share. */
public final class GroupCommands {

    private static final View GROUPS = View.named(
            "name",
            Column.text("GROUP", "name"),
            Column.number("EXECUTING", "executing"),
            Column.number("LIMIT", "limit"),
            Column.number("WAITING", "waiting"),
            Column.text("DESCRIPTION", "description"));

    private GroupCommands() {}

    /** {@code rowlock group list}. */
    @Command(description = "Lists groups.", footer = "rowlock group list")
    @Routes("GET /api/v1/groups")
    public static final class ListGroups extends Remote {

        @Override
        protected int run() {
            return listAll("/groups", GROUPS);
        }
    }

    /** {@code rowlock group get}. */
    @Command(description = "Shows a group, with what executes and what waits.", footer = "rowlock group get warehouse")
    @Routes("GET /api/v1/groups/{group}")
    public static final class GetGroup extends Remote {

        @Parameters(paramLabel = "GROUP", description = "The name of the group.")
        private String name = "";

        @Override
        protected int run() {
            JsonNode group = ask(Ask.get("/groups/{}", name));
            if (!isForPeople()) {
                return show(group, GROUPS);
            }
            JsonNode tasks = group instanceof ObjectNode whole ? whole.remove("tasks") : group;
            show(group, GROUPS);
            printer().line("");
            return showAll(tasks, TaskViews.TASKS);
        }
    }

    /** {@code rowlock group set}. */
    @Command(
            description = "Changes a group, or makes it. A limit of 0 stops its jobs.",
            footer = "rowlock group set warehouse --limit 4 --description 'what the warehouse can take'")
    @Routes({"GET /api/v1/groups/{group}", "PATCH /api/v1/groups/{group}", "PUT /api/v1/groups/{group}"})
    public static final class SetGroup extends Change {

        @Parameters(paramLabel = "GROUP", description = "The name of the group.")
        private String name = "";

        @Option(names = "--limit", paramLabel = "N", description = "How many of its tasks execute at once.")
        private @Nullable Integer limit;

        @Option(names = "--description", paramLabel = "TEXT", description = "A note for people.")
        private @Nullable String description;

        @Override
        protected int run() {
            ObjectNode body = Bodies.put(Bodies.put(Trees.object(), "limit", limit), "description", description);
            if (body.isEmpty()) {
                throw misunderstood("give --limit, --description, or both");
            }
            boolean there;
            try (Reply known = client().exchange(Ask.get("/groups/{}", name))) {
                there = known.status() != 404;
            }
            Ask ask = Ask.of(there ? "PATCH" : "PUT", "/groups/{}", name).body(body);
            return change(ask, "group " + name + " is " + (there ? "changed" : "made"), GROUPS);
        }
    }

    /** {@code rowlock group delete}. */
    @Command(description = "Deletes a group that no job is in.", footer = "rowlock group delete warehouse --yes")
    @Routes("DELETE /api/v1/groups/{group}")
    public static final class DeleteGroup extends Change.Dangerous {

        @Parameters(paramLabel = "GROUP", description = "The name of the group.")
        private String name = "";

        @Override
        protected int run() {
            return delete("group " + name, Ask.of("DELETE", "/groups/{}", name), GROUPS);
        }
    }
}
