package dev.rowlock.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rowlock.chaos.DrawnFreeze.Wanted;
import dev.rowlock.exec.process.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Operators who freeze some jobs for some seconds, and change or end that; often several overlap. */
final class FreezeOperator {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALL = "/api/v1/freezes";
    private static final int AT_ONCE = 2;
    private static final int OVER = 409;

    private final Operators operators;
    private final List<Workload.Planned> jobs;
    private final Random random;
    private final List<Open> open = new ArrayList<>();
    private int made;

    /** One that may be in force, as far as its first end says. */
    private record Open(DrawnFreeze freeze, long until) {}

    FreezeOperator(Operators operators, List<Workload.Planned> jobs, Random random) {
        this.operators = operators;
        this.jobs = jobs;
        this.random = random;
    }

    void act() throws InterruptedException {
        open.removeIf(one -> Uptime.millis() > one.until || !one.freeze.isCertain());
        if (open.size() < AT_ONCE && (open.isEmpty() || random.nextInt(3) > 0)) {
            make();
        } else {
            change(open.get(random.nextInt(open.size())));
        }
    }

    private void make() throws InterruptedException {
        ObjectNode scope = scope();
        ObjectNode body = scope.deepCopy();
        boolean skips = random.nextInt(3) == 0;
        if (skips || random.nextBoolean()) {
            body.put("then", skips ? "SKIP" : "HOLD");
        }
        @Nullable Instant planned = random.nextInt(4) == 0 ? inMillis(1000 + random.nextInt(2000)) : null;
        if (planned != null) {
            body.put("from", planned.toString());
        }
        Wanted wanted = end(body, planned != null, 2000 + random.nextInt(8000));
        body.put("reason", "for release " + ++made);
        long asked = Uptime.millis();
        DrawnFreeze freeze = new DrawnFreeze(scope, skips, planned, wanted, asked);
        operators.asked().freezes.add(freeze);
        if (operators.send("POST", ALL, body.toString()) == 201) {
            freeze.made(operators.lastAnswer(), Uptime.millis());
            open.add(new Open(freeze, asked + 10_000));
        }
    }

    private ObjectNode scope() {
        ObjectNode scope = JSON.createObjectNode();
        int what = random.nextInt(10);
        if (what == 0) {
            return scope.put("all", true);
        }
        if (what == 1 || what == 2) {
            scope.putArray("namespaces").add(Workload.NAMESPACE).add("another");
        }
        if (what > 1 && what < 6) {
            String tier = PolicyDraw.TIERS.get(random.nextInt(PolicyDraw.TIERS.size()));
            scope.putObject("labels").put("tier", tier).put("region", "none");
        }
        if (what > 4) {
            ArrayNode some = scope.putArray("jobs");
            for (int i = 0; i < jobs.size() / 4 + 1; i++) {
                String key = jobs.get(random.nextInt(jobs.size())).key();
                if (!some.toString().contains('"' + key + '"') && some.size() < 20) {
                    some.add(key);
                }
            }
        }
        return scope;
    }

    /** Names an end in one of both ways. */
    private Wanted end(ObjectNode body, boolean asInstant, int millis) {
        if (asInstant || random.nextBoolean()) {
            Instant until = inMillis(millis);
            body.put("until", until.toString());
            return new Wanted(until, Duration.ZERO);
        }
        long seconds = Math.max(1, millis / 1000);
        body.put("for", seconds + "s");
        return new Wanted(null, Duration.ofSeconds(seconds));
    }

    private static Instant inMillis(int millis) {
        return Instant.ofEpochMilli(Instant.now().toEpochMilli() + millis);
    }

    private void change(Open one) throws InterruptedException {
        boolean ends = random.nextInt(3) == 0;
        ObjectNode body = JSON.createObjectNode();
        Wanted wanted = ends ? Wanted.AT_ONCE : end(body, false, 1500 + random.nextInt(8000));
        long asked = Uptime.millis();
        String path = ALL + "/" + one.freeze.id();
        int status = ends ? operators.send("DELETE", path, "") : operators.send("PATCH", path, body.toString());
        long heard = Uptime.millis();
        if (status == 200) {
            one.freeze.changed(wanted, asked, operators.lastAnswer(), heard);
        } else if (status == 204) {
            one.freeze.changed(wanted, asked, JSON.createObjectNode(), heard);
        } else if (status != OVER && status / 100 != 4) {
            one.freeze.changed(wanted, asked, null, heard);
        }
        if (ends) {
            open.remove(one);
        }
    }

    /** Ends all that there are. False: try again. */
    boolean restore() throws InterruptedException {
        if (operators.send("GET", ALL + "?limit=100", "") != 200) {
            return false;
        }
        boolean none = true;
        List<Long> left = new ArrayList<>();
        for (JsonNode freeze : operators.lastAnswer().path("items")) {
            if (!freeze.path("state").textValue().equals("ENDED")) {
                left.add(freeze.path("id").longValue());
            }
        }
        for (long id : left) {
            long asked = Uptime.millis();
            none = false;
            int status = operators.send("DELETE", ALL + "/" + id, "");
            operators.asked().freezes.stream()
                    .filter(freeze -> freeze.id() == id)
                    .forEach(freeze -> freeze.changed(
                            Wanted.AT_ONCE, asked, status == 204 ? JSON.createObjectNode() : null, Uptime.millis()));
        }
        return none;
    }
}
