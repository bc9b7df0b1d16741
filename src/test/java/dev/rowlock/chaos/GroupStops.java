package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rowlock.exec.process.Uptime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Operators who stop a group by a limit of 0, wait until tasks wait behind it, and let it go on. */
final class GroupStops {

    private static final long LOOK_MILLIS = 1000;
    /** Jobs of most schedules have fired by then. */
    private static final long AT_LEAST_MILLIS = 8000;

    private static final long AT_MOST_MILLIS = 25_000;
    private static final int ENOUGH = 4;

    private final Operators operators;
    private final Random random;
    private @Nullable String group;
    /** When the limit of 0 was in force for certain; 0: not yet. */
    private long since;
    /** When it was to get another limit; 0: not yet. */
    private long until;

    private long lookedAt;
    private List<Asked.Waiting> waiting = List.of();
    private int most;

    GroupStops(Operators operators, Random random) {
        this.operators = operators;
        this.random = random;
    }

    /** Stops a group, unless one is stopped. */
    void begin() throws InterruptedException {
        List<String> groups = operators.arranging().groups();
        String next = groups.get(random.nextInt(groups.size()));
        if (group == null && operators.arranging().hold(next, 0)) {
            group = next;
            since = 0;
            until = 0;
            waiting = List.of();
            most = 0;
        }
    }

    /** The next step of what was begun. */
    void goOn() throws InterruptedException {
        long now = Uptime.millis();
        if (group == null || now - lookedAt < LOOK_MILLIS) {
            return;
        }
        lookedAt = now;
        if (!operators.arranging().isCertain(group)) {
            return;
        }
        if (until > 0) {
            operators.asked().stops.add(new Asked.Stop(group, since, until, Uptime.millis(), waiting, most));
            group = null;
            return;
        }
        since = since == 0 ? Uptime.millis() : since;
        look(group);
        long passed = Uptime.millis() - since;
        if (passed > AT_MOST_MILLIS || (passed > AT_LEAST_MILLIS && waiting.size() >= ENOUGH)) {
            open(group);
        }
    }

    private void open(String name) throws InterruptedException {
        long at = Uptime.millis();
        if (operators.arranging().letGo(name)) {
            until = at;
            lookedAt = 0; // what follows is to be seen soon
        }
    }

    private void look(String name) throws InterruptedException {
        long at = Uptime.millis();
        if (operators.send("GET", "/api/v1/groups/" + name, "") != 200) {
            return;
        }
        List<Asked.Waiting> seen = new ArrayList<>();
        for (JsonNode task : operators.lastAnswer().path("tasks")) {
            if (task.path("hold").asText().equals("GROUP")) {
                seen.add(Asked.Waiting.of(task, at));
            }
        }
        waiting = List.copyOf(seen);
        most = Math.max(most, seen.size());
        operators.asked().waiting.addAll(seen);
    }
}
