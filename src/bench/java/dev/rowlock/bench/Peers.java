package dev.rowlock.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/** The other schedulers, by the names that the command line has for them. */
final class Peers {

    private Peers() {}

    static Map<String, Contender.Maker> named(String name) {
        Map<String, Contender.Maker> makers = new LinkedHashMap<>();
        switch (name) {
            case "quartz" -> makers.put("quartz", Quartz::new);
            case "db-scheduler" -> {
                makers.put("db-scheduler-fetch", task -> new DbScheduler(task, DbScheduler.Polling.FETCH));
                makers.put(
                        "db-scheduler-lock-and-fetch",
                        task -> new DbScheduler(task, DbScheduler.Polling.LOCK_AND_FETCH));
            }
            default -> throw new IllegalArgumentException(
                    "--peers " + name + ": there are quartz and db-scheduler, or none");
        }
        return makers;
    }
}
